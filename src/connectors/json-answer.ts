/**
 * Decides what an HTTP answer that should be JSON is, before its content is read: JSON, a refusal, or not an answer at
 * all.
 */

import type { Page } from './pages.ts'
import type { AnswerOutcome } from './source.ts'
import type { IssueList } from './source-issue.ts'

/** How a source states that a number is unknown or wrong. */
export interface ErrorPatterns {
  readonly notFound: { readonly statuses: readonly number[]; readonly phrases: readonly string[] }
  /**
   * Phrases (lower case) in the text of a 400 or 422 which state that the number is wrong. Absent: every 400 and 422
   * means that. Empty list: none does, because the source gives these statuses for every fault in the question.
   */
  readonly refusalPhrases?: readonly string[]
}

export type JsonAnswer =
  | { readonly kind: 'json'; readonly value: unknown; readonly text: string }
  /** HTTP 204: the source has nothing. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'none'; readonly outcome: AnswerOutcome }

type Context = { readonly issues: IssueList; readonly errorPatterns: ErrorPatterns }

/** The value is wrapped in an object because `null` is valid JSON too. */
type Json = { readonly value: unknown }

export function readJsonAnswer(page: Page, context: Context): JsonAnswer {
  const { status } = page
  const text = decodeBody(page)
  if (status >= 300 && status < 400) {
    const what = `the line answered ${status}: a redirect, usually to a login page`
    context.issues.add('redirected', whole, what)
    return { kind: 'none', outcome: 'unrecognized' }
  }
  if (status < 200 || status >= 300) return { kind: 'none', outcome: readErrorStatus(status, text, context) }
  if (status === 204) return { kind: 'nothing' }
  const json = readJson(page, text, context.issues)
  return json === null ? { kind: 'none', outcome: 'unrecognized' } : { kind: 'json', value: json.value, text }
}

/** Null when the body is not JSON. An issue then states the kind of the body. */
function readJson(page: Page, text: string, issues: IssueList): Json | null {
  if (text.trim() === '') {
    issues.add('empty_answer', whole, 'the answer has no body')
    return null
  }
  if (page.truncated) {
    issues.add('truncated_body', whole, 'the answer is longer than the maximum that is read')
    return null
  }
  if (isHtml(page, text)) {
    if (isLoginPage(text)) issues.add('login_page', whole, 'the answer is a login page')
    else issues.add('not_json', whole, 'the answer is a web page')
    return null
  }
  const json = parseJson(text)
  if (json === null) {
    const isCut = /^\s*[[{]/.test(text) && !/[\]}]\s*$/.test(text)
    issues.add(isCut ? 'truncated_body' : 'not_json', whole, isCut ? 'the JSON is cut off' : 'the answer is not JSON')
  }
  return json
}

const whole = { path: '', lost: 'answer' } as const

/** Reads the meaning of an error, whether the error is the HTTP status or is inside a 200. */
export function readErrorStatus(status: number, text: string, { issues, errorPatterns }: Context): AnswerOutcome {
  const beginning = text.slice(0, 20_000)
  const isWebPage = /^\s*</.test(beginning)
  const isStatedNotFound = errorPatterns.notFound.phrases.some((phrase) => beginning.toLowerCase().includes(phrase))
  // A web page with 404 means that the address does not exist, not that the number does not exist.
  if (isStatedNotFound || (errorPatterns.notFound.statuses.includes(status) && !isWebPage)) return 'not_found'
  issues.add('error_status', whole, `the line answered ${status}`)
  if (status === 401 || status === 403 || status === 407) return 'access_denied'
  if (status === 400 || status === 422)
    return isAboutNumber(beginning, errorPatterns) ? 'question_refused' : 'unrecognized'
  return status === 408 || status === 429 || status >= 500 ? 'unreachable' : 'unrecognized'
}

/** A line that also refuses questions for other reasons has its own phrases for a wrong number (`refusalPhrases`). */
function isAboutNumber(text: string, { refusalPhrases }: ErrorPatterns): boolean {
  return refusalPhrases?.some((phrase) => text.toLowerCase().includes(phrase)) ?? true
}

function isHtml({ contentType }: Page, text: string): boolean {
  return /^\s*</.test(text) || (/html/i.test(contentType ?? '') && !/^\s*[[{]/.test(text))
}

function isLoginPage(text: string): boolean {
  return /type\s*=\s*["']?password|log[ -]?[io]n\b|sign[ -]?in\b|authenticat|single sign-on/i.test(
    text.slice(0, 200_000),
  )
}

/** UTF-8, unless the content type is Latin-1. A byte order mark is removed. */
export function decodeBody({ body, contentType }: Pick<Page, 'body' | 'contentType'>): string {
  const isLatin1 = /charset\s*=\s*"?(iso-8859-1|latin1|windows-1252)/i.test(contentType ?? '')
  const text = body.toString(isLatin1 ? 'latin1' : 'utf8')
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

function parseJson(text: string): Json | null {
  try {
    return { value: JSON.parse(text) }
  } catch {
    // Not JSON: the caller reports what it is.
    return null
  }
}
