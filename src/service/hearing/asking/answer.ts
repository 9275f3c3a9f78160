/**
 * What an answer of a channel that was asked is worth: the bodies that are taken in, and what is wrong. Judged by its
 * statuses and by whether it can be cut into parts; what the parts say is for those who hear them.
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
  /** The question is not answered: its numbers, or how many they are (400, 422 and others below 500). */
  'question_refused',
  /** An answer that is none: a login page, HTML, broken JSON. */
  'unrecognized',
  /** Some of its pages could not be had; those that came are taken in. */
  'incomplete',
] as const
export type AskingFailure = (typeof askingFailures)[number]

export interface AskedAnswer {
  readonly outcome: 'answered' | 'nothing_yet' | AskingFailure
  /** Of a failure, in words for the operator. */
  readonly trouble: string | null
  /** False of a 404 too: a wrong address says the same. */
  readonly isAnswer: boolean
  /** Those of its pages that have parts. */
  readonly bodies: readonly AnswerBody[]
  /** Of all that came; null where nothing of it could be used. */
  readonly hash: Buffer | null
}

export interface AnswerBody {
  readonly page: Page
  readonly parts: readonly ToldPart[]
  /** Of a message that came from a queue: it is taken in whether it can be read or not, since it is gone there then. */
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

/** Each is a delivery of its own; what cannot be read of one is told with it, and is no failure of the queue. */
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

/** Whatever it is asked, it fails alike: it is left alone for a while. */
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
