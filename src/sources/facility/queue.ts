/**
 * Hears from a queue, message by message, as Azure Service Bus gives them out over HTTP: a POST to the head locks one and
 * names where it is deleted; nothing there is 204. What was locked and is not deleted comes again, so that a message is lost
 * only after it has been kept.
 */

import { membersOf } from '../../core/json-value.ts'
import type { EgressRequest, EgressResult } from '../../platform/egress.ts'
import { readRetryAfter, unheard } from '../dcsa/fetch.ts'
import { type Page, writePages } from '../pages.ts'
import type { Access, FetchContext, FetchResult, QueueMessage } from '../source.ts'
import type { FacilityAsking } from './asking-profile.ts'

type Queue = NonNullable<FacilityAsking['queue']>

/** Whoever leased what is asked about waits no longer than this; locks end sooner or later as well. */
const receiveMsMax = 60_000

type Answered = Extract<FetchResult, { kind: 'answered' }>
type Answer = Extract<EgressResult, { kind: 'answer' }>

/** What waits there, as far as one round goes. A first message that cannot be had is the answer to be judged. */
export async function receive(
  queue: Queue,
  access: Access<FacilityAsking>,
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
    const answer = await send(url.href, method, { queue, ...access, context })
    if (answer.kind === 'answer' && answer.status === 204) break
    if (answer.kind === 'answer' && (answer.status === 200 || answer.status === 201)) {
      const message = {
        id: idOf(answer.headers['brokerproperties']),
        lock: lockOf(answer.headers['location'], url),
      }
      // What is longer than is read is left there, where it can be.
      isComplete &&= !answer.truncated
      if (answer.truncated && message.lock !== null) continue
      pages.push(pageOf(answer))
      messages.push(message)
    } else if (messages.length > 0) {
      isComplete = false
      break
    } else if (answer.kind === 'answer') {
      const snapshot = writePages({ pages: [pageOf(answer)], complete: true }, fetchedAt())
      return {
        kind: 'answered',
        snapshot,
        retryAfterMs: readRetryAfter(answer.headers['retry-after'], context.now()),
        ...about(),
      }
    } else return { ...unheard(answer), ...about() }
  }
  const snapshot: Answered['snapshot'] =
    pages.length === 0
      ? { status: 204, contentType: null, body: Buffer.alloc(0), fetchedAt: fetchedAt() }
      : writePages({ pages, complete: isComplete }, fetchedAt())
  return { kind: 'answered', snapshot, retryAfterMs: null, messages, ...about() }
}

function pageOf({ status, headers, body, truncated }: Answer): Page {
  return { status, contentType: headers['content-type'] ?? null, body, truncated }
}

/** They have been kept. One that is not deleted comes again, and is known again. */
export async function settle(
  queue: Queue,
  messages: readonly QueueMessage[],
  { profile, secrets }: Access<FacilityAsking>,
  context: FetchContext,
): Promise<void> {
  for (const { lock } of messages)
    if (lock !== null) await send(lock, 'DELETE', { queue, profile, secrets, context })
}

function addressOf({ base, path, query }: Queue): URL {
  const url = new URL(base.replace(/\/$/, '') + path)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

async function send(
  url: string,
  method: NonNullable<EgressRequest['method']>,
  of: {
    readonly queue: Queue
    readonly profile: FacilityAsking
    readonly secrets: Readonly<Record<string, string>>
    readonly context: FetchContext
  },
): Promise<EgressResult> {
  const { queue, profile, secrets, context } = of
  const keys = Object.entries(queue.keyHeaders).map(([header, secret]) => [header, secrets[secret] ?? ''])
  if (context.leave !== undefined && !(await context.leave('queue')))
    return { kind: 'refused', reason: 'the limits of its profile had no room for this request in time' }
  return context.egress.request({
    url,
    method,
    headers: Object.fromEntries(keys),
    timeoutMs: profile.timeoutMs,
    maxBytes: profile.maxBytes,
    tenant: `facility:${new URL(queue.base).origin}`,
  })
}

/** At another host nothing is deleted: our access would be sent there. */
function lockOf(location: string | undefined, of: URL): string | null {
  const lock = location === undefined ? null : URL.parse(location, of.href)
  return lock !== null && lock.origin === of.origin ? lock.href : null
}

/** The broker's number of it is its own in the queue; a sender may give two messages one id. */
function idOf(properties: string | undefined): string | null {
  try {
    const { SequenceNumber: number, MessageId: id } = membersOf(JSON.parse(properties ?? 'null'))
    const known = number ?? id
    return typeof known === 'string' || typeof known === 'number' ? String(known).slice(0, 200) : null
  } catch {
    // No JSON: a queue that numbers nothing.
    return null
  }
}
