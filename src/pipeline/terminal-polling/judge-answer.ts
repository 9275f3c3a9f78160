/**
 * Judges the answer of a channel to a poll: which bodies are ingested, and what is wrong. The statuses of the pages
 * decide, and whether the pages can be cut into message parts. What the message parts mean is decided later, when they
 * are ingested.
 */

import { createHash } from 'node:crypto'
import { type Page, readPages } from '../../connectors/pages.ts'
import type { DeliveryParts, MessagePart } from '../../connectors/pushed-source.ts'
import type { FetchResult, QueueMessage, RawSnapshot } from '../../connectors/source.ts'

export const pollFailures = [
  /** No answer, or one which states that it cannot answer now (408, 429, 500 and above). */
  'unreachable',
  /** Our access is not accepted (401, 403), or no token was given for it. */
  'access_denied',
  /** The channel refuses the poll: its numbers, or how many they are (400, 422 and others below 500). */
  'question_refused',
  /** Not a real answer: a login page, HTML, broken JSON. */
  'unrecognized',
  /** Some pages of the answer could not be fetched. The other pages are ingested. */
  'incomplete',
] as const
export type PollFailure = (typeof pollFailures)[number]

export interface PollAnswer {
  readonly outcome: 'answered' | 'nothing_yet' | PollFailure
  /** Describes a failure for the operator. Null when nothing failed. */
  readonly problem: string | null
  /** False for a 404 too, because a wrong address gives a 404 as well. */
  readonly isAnswer: boolean
  /** The pages that have message parts. */
  readonly bodies: readonly AnswerBody[]
  /** Hash of all pages together. Null when nothing could be used, and for messages from a queue. */
  readonly hash: Buffer | null
}

export interface AnswerBody {
  readonly page: Page
  readonly parts: readonly MessagePart[]
  /**
   * Set when the body came from a queue. Such a message is ingested even if it cannot be read, because the queue then
   * deletes it.
   */
  readonly message?: QueueMessage
}

export function judgeAnswer(result: FetchResult, splitMessageParts: (body: Buffer) => DeliveryParts): PollAnswer {
  if (result.kind === 'unreachable')
    return toFailedAnswer(
      result.reason === 'no_access' ? 'access_denied' : 'unreachable',
      `${result.reason}: ${result.detail}`,
    )
  if (result.messages !== undefined) return judgeMessages(result, result.messages, splitMessageParts)
  const { pages, complete } = readPages(result.snapshot)
  const bad = pages.find(({ status }) => status < 200 || status > 299)
  const cut = pages.filter((page) => page !== bad && !page.truncated && page.status !== 204)
  const delivered = cut.map((page) => ({ page, ...splitMessageParts(page.body) }))
  const bodies = delivered.filter(({ parts: messageParts }) => messageParts.length > 0)
  const fault = delivered.find(({ parts: messageParts, faults }) => messageParts.length === 0 && faults.length > 0)
    ?.faults[0]
  const answerContent = { bodies, hash: hashOf(pages) }
  if (bad?.status === 404 && pages.length === 1)
    return { outcome: 'nothing_yet', problem: null, isAnswer: false, ...answerContent }
  if (bad !== undefined) return { ...toFailedAnswer(failureOf(bad.status), `it answered ${bad.status}`), bodies }
  if (pages.some(({ truncated }) => truncated))
    return { ...toFailedAnswer('unrecognized', 'its answer is longer than its profile allows'), bodies }
  if (fault !== undefined) return { ...toFailedAnswer('unrecognized', `${fault.kind}: ${fault.detail}`), bodies }
  if (!complete)
    return {
      ...toFailedAnswer('incomplete', 'some pages of its answer could not be fetched'),
      isAnswer: true,
      ...answerContent,
    }
  const outcome = bodies.length === 0 ? 'nothing_yet' : 'answered'
  return { outcome, problem: null, isAnswer: true, ...answerContent }
}

/**
 * Each message is a delivery of its own. What cannot be read of a message is reported with its delivery and is no
 * failure of the queue.
 */
function judgeMessages(
  { snapshot }: { readonly snapshot: RawSnapshot },
  messages: readonly QueueMessage[],
  splitMessageParts: (body: Buffer) => DeliveryParts,
): PollAnswer {
  const { pages, complete } = messages.length === 0 ? { pages: [], complete: true } : readPages(snapshot)
  const bodies = messages.flatMap((message, place) => {
    const page = pages[place]
    return page === undefined ? [] : [{ page, message, parts: splitMessageParts(page.body).parts }]
  })
  const answer = { isAnswer: true, bodies, hash: null }
  if (!complete) return { outcome: 'incomplete', problem: 'some messages could not be fetched', ...answer }
  return { outcome: bodies.length === 0 ? 'nothing_yet' : 'answered', problem: null, ...answer }
}

/** True when the channel fails for every poll target. It is then not polled for a while. */
export function isOfChannel(outcome: PollAnswer['outcome']): boolean {
  return outcome === 'unreachable' || outcome === 'access_denied' || outcome === 'unrecognized'
}

function toFailedAnswer(outcome: PollFailure, problem: string): PollAnswer {
  return { outcome, problem, isAnswer: false, bodies: [], hash: null }
}

function failureOf(status: number): PollFailure {
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
