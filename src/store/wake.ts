/** Wakes sleeping workers when the transaction commits; a worker that misses it finds the work at its next poll. */

import type { Db } from './database.ts'

export const wakeTopics = ['looks', 'tasks', 'events', 'deliveries'] as const
export type WakeTopic = (typeof wakeTopics)[number]
export const wakeChannel = 'landfall_wake'

export async function wake(db: Db, topic: WakeTopic): Promise<void> {
  await db.query({ name: 'wake', text: `select pg_notify($1, $2)`, values: [wakeChannel, topic] })
}
