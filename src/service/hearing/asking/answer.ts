/**
 * Judges what a channel answered to a question: which bodies are taken in, and what is wrong. The statuses of the pages
 * decide, and whether the pages can be cut into parts. What the parts mean is decided later, by those who hear them.
 */

import { createHash } from 'node:crypto'
import { type Page, readPages } from '../../../sources/pages.ts'
import type { FetchResult, QueueMessage, RawSnapshot } from '../../../sources/source.ts'
import type { Delivered, ToldPart } from '../../../sources/told.ts'

export const askingFailures = [
  /** No answer, or one that says that it cannot answer now (408, 429, 500 and above). */
  'unreachable',
  /** Our access is not accepted (401, 403), or no token was given for it. */
  'access_denied',
  /** The channel refuses the question: its numbers, or how many they are (400, 422 and others below 500). */
  'question_refused',
  /** Not a real answer: a login page, HTML, broken JSON. */
  'unrecognized',
  /** Some pages of the answer could not be fetched. The other pages are taken in. */
  'incomplete',
] as const
export type AskingFailure = (typeof askingFailures)[number]

export interface AskedAnswer {
  readonly outcome: 'answered' | 'nothing_yet' | AskingFailure
  /** Describes a failure for the operator. Null when nothing failed. */
  readonly trouble: string | null
  /** False for a 404 too, because a wrong address gives a 404 as well. */
  readonly isAnswer: boolean
  /** The pages that have parts. */
  readonly bodies: readonly AnswerBody[]
  /** Hash of all pages together. Null when nothing could be used, and for messages from a queue. */
  readonly hash: Buffer | null
}

export interface AnswerBody {
  readonly page: Page
  readonly parts: readonly ToldPart[]
  /**
   * Set when the body came from a queue. Such a message is taken in even if it cannot be read, because the queue then
   * deletes it.
   */
  readonly message?: QueueMessage
}

export function judgeAnswer(result: FetchResult, partsOf: (body: Buffer) => Delivered): AskedAnswer {
  if (result.kind === 'unreachable')
    return failed(
      result.reason === 'no_access' ? 'access_denied' : 'unreachable',
      `${result.reason}: ${result.detail}`,
    )
  if (result.messages !== undefined) return judgeMessages(result, result.messages, partsOf)
  const { pages, complete } = readPages(result.snapshot)
  const bad = pages.find(({ status }) => status < 200 || status > 299)
  const cut = pages.filter((page) => page !== bad && !page.truncated && page.status !== 204)
  const delivered = cut.map((page) => ({ page, ...partsOf(page.body) }))
  const bodies = delivered.filter(({ parts }) => parts.length > 0)
  const fault = delivered.find(({ parts, faults }) => parts.length === 0 && faults.length > 0)?.faults[0]
  const brought = { bodies, hash: hashOf(pages) }
  if (bad?.status === 404 && pages.length === 1)
    return { outcome: 'nothing_yet', trouble: null, isAnswer: false, ...brought }
  if (bad !== undefined) return { ...failed(failureOf(bad.status), `it answered ${bad.status}`), bodies }
  if (pages.some(({ truncated }) => truncated))
    return { ...failed('unrecognized', 'its answer is longer than its profile allows'), bodies }
  if (fault !== undefined) return { ...failed('unrecognized', `${fault.kind}: ${fault.detail}`), bodies }
  if (!complete)
    return {
      ...failed('incomplete', 'some pages of its answer could not be fetched'),
      isAnswer: true,
      ...brought,
    }
  const outcome = bodies.length === 0 ? 'nothing_yet' : 'answered'
  return { outcome, trouble: null, isAnswer: true, ...brought }
}

/**
 * Each message is a delivery of its own. What cannot be read of a message is reported with its delivery and is no
 * failure of the queue.
 */
function judgeMessages(
  { snapshot }: { readonly snapshot: RawSnapshot },
  messages: readonly QueueMessage[],
  partsOf: (body: Buffer) => Delivered,
): AskedAnswer {
  const { pages, complete } = messages.length === 0 ? { pages: [], complete: true } : readPages(snapshot)
  const bodies = messages.flatMap((message, place) => {
    const page = pages[place]
    return page === undefined ? [] : [{ page, message, parts: partsOf(page.body).parts }]
  })
  const answer = { isAnswer: true, bodies, hash: null }
  if (!complete) return { outcome: 'incomplete', trouble: 'some messages could not be fetched', ...answer }
  return { outcome: bodies.length === 0 ? 'nothing_yet' : 'answered', trouble: null, ...answer }
}

/** True when the channel fails whatever it is asked about. It is then not asked for a while. */
export function isOfChannel(outcome: AskedAnswer['outcome']): boolean {
  return outcome === 'unreachable' || outcome === 'access_denied' || outcome === 'unrecognized'
}

function failed(outcome: AskingFailure, trouble: string): AskedAnswer {
  return { outcome, trouble, isAnswer: false, bodies: [], hash: null }
}

function failureOf(status: number): AskingFailure {
  if (status === 401 || status === 403) return 'access_denied'
  if (status === 408 || status === 429 || status >= 500) return 'unreachable'
  // A redirect is never followed: most lead to a page where people sign in.
  return status < 400 ? 'unrecognized' : 'question_refused'
}

function hashOf(pages: readonly Page[]): Buffer {
  const hash = createHash('sha256')
  for (const { status, body } of pages) hash.update(`${status} ${body.length}\n`).update(body)
  return hash.digest()
}
