/**
 * How a trace continues from one piece of work to the next, which another process or thread may do. The notice states
 * which span made a row due. It is sent with the commit and stored in memory for some minutes, not in the row. So a
 * restart loses traces, but nothing else. (A task of a poll contains its trace itself.)
 */

import { liveTraceparent } from '../platform/live-span.ts'
import type { Db } from './database.ts'

/** Every process that leases work from queues listens to it. */
export const traceChannel = 'landfall_traces'
/** A notice of PostgreSQL has less than 8,000 bytes. */
const idsOfNotice = 200
const rememberedMax = 20_000
const rememberedMs = 600_000

interface StoredTrace {
  readonly traceparent: string
  readonly untilMs: number
}

/** By the id of the row that is due: a poll target, a mention, an event, a mail. */
const remembered = new Map<string, StoredTrace>()

/** Notifies the workers of these rows that the live span made them due. Does nothing without a recorded span. */
export async function sendTrace(db: Db, ids: readonly string[]): Promise<void> {
  const traceparent = liveTraceparent()
  if (traceparent === null || ids.length === 0) return
  const notices = Array.from({ length: Math.ceil(ids.length / idsOfNotice) }, (_, place) =>
    [traceparent, ...ids.slice(place * idsOfNotice, (place + 1) * idsOfNotice)].join(' '),
  )
  // In this process at once, so that a worker that finds the row by itself knows it.
  for (const notice of notices) receiveTrace(notice)
  await db.query({
    name: 'trace_hand_on',
    text: `select pg_notify($1, notice) from unnest($2::text[]) as notice`,
    values: [traceChannel, notices],
  })
}

/** What made the row due, where that is known. Null for a trace of its own. */
export function findTrace(id: string): string | null {
  const found = remembered.get(id)
  return found === undefined || found.untilMs < performance.now() ? null : found.traceparent
}

/** The same for a row that becomes due again by itself, which is then another trace. */
export function consumeTrace(id: string): string | null {
  const found = findTrace(id)
  remembered.delete(id)
  return found
}

export function receiveTrace(notice: string): void {
  const [traceparent = '', ...ids] = notice.split(' ')
  const untilMs = performance.now() + rememberedMs
  for (const id of ids) {
    remembered.delete(id)
    remembered.set(id, { traceparent, untilMs })
  }
  for (const id of remembered.keys()) {
    if (remembered.size <= rememberedMax) break
    remembered.delete(id)
  }
}
