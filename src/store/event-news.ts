/** Tells every process, when a numbering commits, how far each account's events are numbered now. */

import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Db, Pool } from './database.ts'

const channel = 'landfall_numbered'
/** PostgreSQL takes less than 8,000 bytes; an account with its number takes 54 at most. */
const accountsInOne = 140

/** Newest numbers by account. */
export type Numbered = ReadonlyMap<string, number>

/** Heard when the transaction commits. */
export async function tellNumbered(db: Db, numbered: Numbered): Promise<void> {
  const told = [...numbered].map(([accountId, last]) => `${accountId} ${last}`)
  const payloads = Array.from({ length: Math.ceil(told.length / accountsInOne) }, (_, index) =>
    told.slice(index * accountsInOne, (index + 1) * accountsInOne).join(','),
  )
  await db.query({
    name: 'tell_numbered',
    text: `select pg_notify($1, payload) from unnest($2::text[]) payload`,
    values: [channel, payloads],
  })
}

/**
 * Listens on a connection of its own (the pool may be small) until the signal; a connection that breaks is made anew.
 * `connected` is called when it listens: what was told before is to be asked for.
 */
export async function hearNumbered(
  pool: Pool,
  hear: {
    readonly signal: AbortSignal
    readonly heard: (numbered: Numbered) => void
    readonly connected: () => void
    readonly broken: (error: unknown) => void
  },
): Promise<void> {
  while (!hear.signal.aborted) {
    const client = new pg.Client({ ...pool.options, keepAlive: true })
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const stop = (): void => end()
    hear.signal.addEventListener('abort', stop, { once: true })
    try {
      // For good: a connection that breaks may say so more than once, and an error nobody hears ends the process.
      client.on('error', stop)
      client.once('end', stop)
      client.on('notification', ({ payload }) => hear.heard(readNumbered(payload ?? '')))
      await client.connect()
      await client.query(`listen ${channel}`)
      hear.connected()
      await ended
    } catch (error) {
      hear.broken(error)
    }
    hear.signal.removeEventListener('abort', stop)
    await client.end().catch(() => {})
    if (!hear.signal.aborted) await pause(500, undefined, { signal: hear.signal }).catch(() => {})
  }
}

function readNumbered(payload: string): Numbered {
  return new Map(
    payload.split(',').map((each) => [each.slice(0, each.indexOf(' ')), Number(each.slice(37))] as const),
  )
}
