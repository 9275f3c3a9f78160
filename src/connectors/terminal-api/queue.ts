/**
 * Receives messages one by one from a queue with the HTTP interface of Azure Service Bus. A POST to the head of the
 * queue locks one message and names the address at which it can be deleted; 204 means an empty queue. A locked message
 * that is not deleted comes again, so no message is lost before it has been stored.
 */

import { membersOf } from '../../domain/values/json-value.ts'
import type { EgressRequest, EgressResult } from '../../platform/egress.ts'
import { readRetryAfter, toUnreachable } from '../dcsa/fetch.ts'
import { type Page, writePages } from '../pages.ts'
import type { FetchContext, FetchResult, QueueMessage, SourceAccess } from '../source.ts'
import type { FacilityPollProfile } from './poll-profile.ts'

type Queue = NonNullable<FacilityPollProfile['queue']>

/**
 * Maximum duration of one round: the leases of the poll targets, and the locks of the messages, must not run out before
 * its end.
 */
const receiveMsMax = 60_000

type AnsweredResult = Extract<FetchResult, { kind: 'answered' }>
type Answer = Extract<EgressResult, { kind: 'answer' }>

/**
 * Receives the waiting messages, up to the limits of one round. If the first request fails, its answer is the result of
 * the round.
 */
export async function receiveMessages(
  queue: Queue,
  access: SourceAccess<FacilityPollProfile>,
  context: FetchContext,
): Promise<FetchResult> {
  const startedMs = context.now()
  const url = addressOf(queue)
  const about = () => ({ durationMs: context.now() - startedMs, url: url.origin + url.pathname })
  const fetchedAt = () => new Date(context.now()).toISOString()
  const pages: Page[] = []
  const messages: QueueMessage[] = []
  let isComplete = true
  while (messages.length < queue.messagesMax && context.now() - startedMs < receiveMsMax) {
    const method = queue.mode === 'peek_lock' ? 'POST' : 'DELETE'
    const answer = await sendQueueRequest(url.href, method, { queue, ...access, context })
    if (answer.kind === 'answer' && answer.status === 204) break
    if (answer.kind === 'answer' && (answer.status === 200 || answer.status === 201)) {
      const message = {
        id: idOf(answer.headers['brokerproperties']),
        lock: lockOf(answer.headers['location'], url),
      }
      // A message that is too long to read stays in the queue, if the queue locks messages.
      isComplete &&= !answer.truncated
      if (answer.truncated && message.lock !== null) continue
      pages.push(answerToPage(answer))
      messages.push(message)
    } else if (messages.length > 0) {
      isComplete = false
      break
    } else if (answer.kind === 'answer') {
      const snapshot = writePages({ pages: [answerToPage(answer)], complete: true }, fetchedAt())
      return {
        kind: 'answered',
        snapshot,
        retryAfterMs: readRetryAfter(answer.headers['retry-after'], context.now()),
        ...about(),
      }
    } else return { ...toUnreachable(answer), ...about() }
  }
  const snapshot: AnsweredResult['snapshot'] =
    pages.length === 0
      ? { status: 204, contentType: null, body: Buffer.alloc(0), fetchedAt: fetchedAt() }
      : writePages({ pages, complete: isComplete }, fetchedAt())
  return { kind: 'answered', snapshot, retryAfterMs: null, messages, ...about() }
}

function answerToPage({ status, headers, body, truncated }: Answer): Page {
  return { status, contentType: headers['content-type'] ?? null, body, truncated }
}

/** Deletes the stored messages. A message that is not deleted comes again and is then recognised. */
export async function deleteMessages(
  queue: Queue,
  messages: readonly QueueMessage[],
  { profile, secrets }: SourceAccess<FacilityPollProfile>,
  context: FetchContext,
): Promise<void> {
  for (const { lock } of messages)
    if (lock !== null) await sendQueueRequest(lock, 'DELETE', { queue, profile, secrets, context })
}

function addressOf({ base, path, query }: Queue): URL {
  const url = new URL(base.replace(/\/$/, '') + path)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

async function sendQueueRequest(
  url: string,
  method: NonNullable<EgressRequest['method']>,
  of: {
    readonly queue: Queue
    readonly profile: FacilityPollProfile
    readonly secrets: Readonly<Record<string, string>>
    readonly context: FetchContext
  },
): Promise<EgressResult> {
  const { queue, profile, secrets, context } = of
  const keys = Object.entries(queue.keyHeaders).map(([header, secret]) => [header, secrets[secret] ?? ''])
  if (context.requestPermit !== undefined && !(await context.requestPermit('queue')))
    return {
      kind: 'refused',
      reason: 'the rate limit of the profile is used up, so the request was not sent in time',
    }
  return context.egress.request({
    url,
    method,
    headers: Object.fromEntries(keys),
    timeoutMs: profile.timeoutMs,
    maxBytes: profile.maxBytes,
    tenant: `facility:${new URL(queue.base).origin}`,
  })
}

/** Null for an address on another host: a delete there would send our access keys to it. */
function lockOf(location: string | undefined, of: URL): string | null {
  const lock = location === undefined ? null : URL.parse(location, of.href)
  return lock !== null && lock.origin === of.origin ? lock.href : null
}

/** The broker's sequence number is unique in the queue; a sender may give two messages the same id. */
function idOf(properties: string | undefined): string | null {
  try {
    const { SequenceNumber: number, MessageId: id } = membersOf(JSON.parse(properties ?? 'null'))
    const known = number ?? id
    return typeof known === 'string' || typeof known === 'number' ? String(known).slice(0, 200) : null
  } catch {
    // Not JSON: the queue does not number its messages.
    return null
  }
}
