/** What one page of an answer is, before its events are looked at: events, a refusal, or something that is no answer. */

import { isObject } from '../../core/json-value.ts'
import type { Page } from '../pages.ts'
import type { Verdict } from '../source.ts'
import type { IssueList } from '../source-issue.ts'
import { type FoundEvent, findEventsInParts } from './answer-in-parts.ts'
import { settleNames } from './names.ts'
import { nameOfType } from './part.ts'
import type { DcsaProfile } from './profile.ts'

export type Answer =
  | { readonly kind: 'events'; readonly events: readonly FoundEvent[] }
  | { readonly kind: 'none'; readonly verdict: Verdict }

type Context = { readonly issues: IssueList; readonly profile: DcsaProfile }

/** In an object of its own, for `null` is JSON as well. */
type Json = { readonly value: unknown }

export function readAnswer(page: Page, context: Context): Answer {
  const { status } = page
  const text = decode(page)
  if (status >= 300 && status < 400) {
    const what = `the line answered ${status}: elsewhere, as a rule to a login page`
    context.issues.add('redirected', whole, what)
    return none('unrecognized')
  }
  if (status < 200 || status >= 300) return none(readErrorStatus(status, text, context))
  if (status === 204) return { kind: 'events', events: [] }
  const json = readJson(page, text, context.issues)
  if (json === null) return none('unrecognized')
  context.issues.pointBy(settleNames(json.value))
  return readEvents(json.value, text, context)
}

function none(verdict: Verdict): Answer {
  return { kind: 'none', verdict }
}

/** Null when there is none, with an issue that says what stands there in its place. */
function readJson(page: Page, text: string, issues: IssueList): Json | null {
  if (text.trim() === '') {
    issues.add('empty_answer', whole, 'an answer without a body')
    return null
  }
  if (page.truncated) {
    issues.add('truncated_body', whole, 'an answer longer than the limit of what is read')
    return null
  }
  if (isHtml(page, text)) {
    if (isLoginPage(text)) issues.add('login_page', whole, 'a login page in place of an answer')
    else issues.add('not_json', whole, 'a web page in place of an answer')
    return null
  }
  const json = parseJson(text)
  if (json === null) {
    const isCut = /^\s*[[{]/.test(text) && !/[\]}]\s*$/.test(text)
    issues.add(isCut ? 'truncated_body' : 'not_json', whole, isCut ? 'JSON that breaks off' : 'no JSON')
  }
  return json
}

function readEvents(value: unknown, text: string, context: Context): Answer {
  const { issues, profile } = context
  // Some gateways wrap the error of the system behind them into a 200.
  const stated = isObject(value) && value['events'] === undefined ? Number(value['statusCode']) : Number.NaN
  if (stated >= 400 && stated < 600) return none(readErrorStatus(stated, text, context))
  const found = findEvents(value)
  if (found === null) {
    const what = `neither a list of events nor an object with one, but ${nameOfType(value)}`
    issues.add('wrong_structure', whole, what)
    return none('unrecognized')
  }
  if (profile.body !== 'any' && profile.body !== found.shape) {
    const what = `the profile expects ${profile.body}, this is ${found.shape}`
    issues.add('other_body_shape', { path: '', lost: 'nothing' }, what)
  }
  return { kind: 'events', events: found.events }
}

type Shape = Exclude<DcsaProfile['body'], 'any'>

function findEvents(
  value: unknown,
): { readonly shape: Shape; readonly events: readonly FoundEvent[] } | null {
  const inParts = findEventsInParts(value)
  if (inParts !== null) return { shape: 'parts', events: inParts }
  const shape = Array.isArray(value) ? 'array' : 'events'
  const list: unknown = isObject(value) ? value['events'] : value
  const path = shape === 'array' ? '' : '/events'
  return Array.isArray(list)
    ? { shape, events: list.map((event, index) => ({ value: event, path: `${path}/${index}` })) }
    : null
}

const whole = { path: '', lost: 'answer' } as const

function readErrorStatus(status: number, text: string, { issues, profile }: Context): Verdict {
  const beginning = text.slice(0, 20_000)
  const isWebPage = /^\s*</.test(beginning)
  const saysSo = profile.notFound.phrases.some((phrase) => beginning.toLowerCase().includes(phrase))
  // A web page with 404 says that there is no such address, not that there is no such number.
  if (saysSo || (profile.notFound.statuses.includes(status) && !isWebPage)) return 'not_found'
  issues.add('error_status', whole, `the line answered ${status}`)
  if (status === 401 || status === 403 || status === 407) return 'access_denied'
  if (status === 400 || status === 422)
    return isAboutNumber(beginning, profile) ? 'question_refused' : 'unrecognized'
  return status === 408 || status === 429 || status >= 500 ? 'unreachable' : 'unrecognized'
}

/** A line that refuses questions for other reasons too has words for those that are about the number. */
function isAboutNumber(text: string, { refusalPhrases }: DcsaProfile): boolean {
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

/** UTF-8, unless the line says that it writes Latin-1; a byte order mark is no text. */
function decode({ body, contentType }: Page): string {
  const isLatin1 = /charset\s*=\s*"?(iso-8859-1|latin1|windows-1252)/i.test(contentType ?? '')
  const text = body.toString(isLatin1 ? 'latin1' : 'utf8')
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

function parseJson(text: string): Json | null {
  try {
    return { value: JSON.parse(text) }
  } catch {
    // No JSON: the caller says in which way.
    return null
  }
}
