/** Hears what other connections tell on a channel when they commit. */

import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Pool } from '../database.ts'

export interface Listener {
  readonly signal: AbortSignal
  readonly heard: (payload: string) => void
  /** It listens: what was told before is to be asked for. */
  readonly connected?: () => void
  readonly broken: (error: unknown) => void
}

const againAfterMs = 500

/** On a connection of its own (the pool may be small) until the signal; a connection that breaks is made anew. */
export async function listen(pool: Pool, channel: string, to: Listener): Promise<void> {
  while (!to.signal.aborted) {
    // Spreading leaves the password out: the driver hides it from enumeration.
    const client = new pg.Client({ ...pool.options, password: pool.options.password, keepAlive: true })
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const stop = (): void => end()
    to.signal.addEventListener('abort', stop, { once: true })
    try {
      // For good: a connection that breaks may say so more than once, and an error nobody hears ends the process.
      client.on('error', stop)
      client.once('end', stop)
      client.on('notification', ({ payload = '' }) => to.heard(payload))
      await client.connect()
      await client.query(`listen ${channel}`)
      to.connected?.()
      await ended
    } catch (error) {
      to.broken(error)
    }
    to.signal.removeEventListener('abort', stop)
    await client.end().catch(() => {})
    if (!to.signal.aborted) await pause(againAfterMs, undefined, { signal: to.signal }).catch(() => {})
  }
}
