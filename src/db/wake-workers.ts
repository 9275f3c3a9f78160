/** Wakes sleeping workers when the transaction commits; a worker that misses it finds the work at its next poll. */

import { isTracing } from '../platform/traces.ts'
import type { Db, Pool } from './database.ts'
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

export async function wakeWorkers(db: Db, topic: WakeTopic): Promise<void> {
  await db.query({ name: 'wake', text: `select pg_notify($1, $2)`, values: [channel, topic] })
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

interface PendingWakes {
  readonly running: Promise<void>
  readonly next: Promise<void> | null
}

const calls = new WeakMap<Pool, Map<WakeTopic, PendingWakes>>()

/**
 * Wakes after the commit, for work that comes often. Commits that notify wait for each other: PostgreSQL locks its
 * notification queue until each commit is on disk. While one call is under way, all later callers share the next one. A
 * call that is lost costs one poll.
 */
export function wakeWorkersAfterCommit(pool: Pool, topic: WakeTopic): Promise<void> {
  const topics = calls.get(pool) ?? new Map<WakeTopic, PendingWakes>()
  calls.set(pool, topics)
  const call = (): Promise<void> => {
    const running = wakeWorkers(pool, topic).finally(() => {
      if (topics.get(topic)?.next === null) topics.delete(topic)
    })
    topics.set(topic, { running, next: null })
    return running
  }
  const under = topics.get(topic)
  if (under === undefined) return call()
  const next = under.next ?? under.running.then(call, call)
  topics.set(topic, { running: under.running, next })
  return next
}
