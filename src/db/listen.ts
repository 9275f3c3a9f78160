/** Receives the notifications that other connections send on Postgres channels when they commit, in that order. */

import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Pool } from './database.ts'

export interface Listener {
  readonly signal: AbortSignal
  readonly onMessage: (payload: string, channel: string) => void
  /** Called when it listens. Notifications from before are lost, so the caller must query the work itself. */
  readonly connected?: () => void
  readonly broken: (error: unknown) => void
}

const againAfterMs = 500

/**
 * Listens on a connection of its own (the pool may be small) until the signal is aborted. A connection that breaks is
 * replaced.
 */
export async function listen(pool: Pool, channels: readonly string[], to: Listener): Promise<void> {
  while (!to.signal.aborted) {
    // A spread does not copy the password, because the driver makes it non-enumerable.
    const client = new pg.Client({ ...pool.options, password: pool.options.password, keepAlive: true })
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const stop = (): void => end()
    to.signal.addEventListener('abort', stop, { once: true })
    try {
      // Never removed: a connection that breaks may emit more than one error, and an error without a listener ends the
      // process.
      client.on('error', stop)
      client.once('end', stop)
      client.on('notification', ({ payload = '', channel }) => to.onMessage(payload, channel))
      await client.connect()
      for (const channel of channels) await client.query(`listen ${channel}`)
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
