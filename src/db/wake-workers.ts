/** Wakes sleeping workers. A worker that misses it finds the work at its next poll. */

import { batchCalls } from '../platform/batch-calls.ts'
import { memoizePerOwner } from '../platform/memoize-per-owner.ts'
import { isTracing } from '../platform/traces.ts'
import { afterCommit, type Db, type Pool, poolOf } from './database.ts'
import { type Listener, listen } from './listen.ts'
import { receiveTrace, traceChannel } from './trace-notices.ts'

const wakeTopics = [
  'looks',
  'tasks',
  'mentions',
  'events',
  'deliveries',
  'mails',
  'documents',
  'emails',
  'alerts',
] as const
export type WakeTopic = (typeof wakeTopics)[number]
const channel = 'landfall_wake'

/**
 * Wakes those who wait for this kind of work when the transaction has committed; at once on a pool. Not in the transaction:
 * commits that notify wait for each other, because PostgreSQL locks its notification queue until each is on disk.
 */
export function wakeWorkers(db: Db, topic: WakeTopic): void {
  const pool = poolOf(db)
  afterCommit(db, () => void wakeTogether(pool)(topic))
}

/** Listens until the signal is aborted. */
export function listenForWakes(
  pool: Pool,
  listener: Omit<Listener, 'onMessage'> & { readonly onWake: (topic: WakeTopic) => void },
): Promise<void> {
  const onMessage = (payload: string, from: string): void => {
    if (from === traceChannel) receiveTrace(payload)
    const topic = wakeTopics.find((each) => each === payload)
    if (topic !== undefined) listener.onWake(topic)
  }
  // On one connection, so that a worker receives the trace of a row before it is woken for the row.
  return listen(pool, isTracing() ? [traceChannel, channel] : [channel], { ...listener, onMessage })
}

/** While one call is under way, all later callers share the next one. */
const wakeTogether = memoizePerOwner((db: Db) =>
  batchCalls(async (topics: readonly WakeTopic[]) => {
    const values = [channel, [...new Set(topics)]]
    // Who misses it polls.
    await db
      .query({ name: 'wake', text: `select pg_notify($1, topic) from unnest($2::text[]) topic`, values })
      .catch(() => {})
    return topics
  }),
)
