/** Wakes sleeping workers. A worker that misses it finds the work at its next poll. */

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
  afterCommit(db, () => wakeTogether(pool, topic))
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

/** For each pool the topics whose call is under way; true where another is to follow. */
const calls = new WeakMap<Db, Map<WakeTopic, boolean>>()

/** While one call is under way, all later callers share the next one. */
function wakeTogether(db: Db, topic: WakeTopic): void {
  const topics = calls.get(db) ?? new Map<WakeTopic, boolean>()
  calls.set(db, topics)
  if (topics.has(topic)) {
    topics.set(topic, true)
    return
  }
  topics.set(topic, false)
  const notify = (): Promise<unknown> =>
    db.query({ name: 'wake', text: `select pg_notify($1, $2)`, values: [channel, topic] }).catch(() => {})
  void (async () => {
    await notify()
    while (topics.get(topic) === true) {
      topics.set(topic, false)
      await notify()
    }
    topics.delete(topic)
  })()
}
