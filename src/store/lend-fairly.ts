/** Connections of a pool are lent by accounts: each gets no more than its share, and statements for it end early. */

import type pg from 'pg'
import { currentHolder, openShares, type ShareOptions } from './account-share.ts'

export interface Fairness extends ShareOptions {
  /** Longest time of a statement for an account; of others, `usualMs`. */
  readonly statementMs: number
}

type Lent = (error: Error | undefined, client?: pg.PoolClient, done?: pg.PoolClient['release']) => void

/** `usualMs`: what the pool's sessions begin with. Statements of the pool itself are lent a connection the same way. */
export function lendFairly(pool: pg.Pool, fairness: Fairness, usualMs: number): void {
  const shares = openShares(fairness)
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  const limits = new WeakMap<pg.PoolClient, number>()

  const lend = async (): Promise<pg.PoolClient> => {
    const accountId = currentHolder()
    const giveBack = accountId === null ? null : await shares.take(accountId)
    try {
      const client = await connect()
      const limitMs = accountId === null ? usualMs : fairness.statementMs
      if ((limits.get(client) ?? usualMs) !== limitMs) {
        limits.set(client, limitMs)
        // Not waited for: the next statement goes behind it, and fails as it does where the connection is gone.
        client.query(`set statement_timeout = ${limitMs}`).catch(() => limits.delete(client))
      }
      if (giveBack === null) return client
      const release = client.release.bind(client)
      client.release = (error) => {
        giveBack()
        release(error)
      }
      return client
    } catch (error) {
      giveBack?.()
      throw error
    }
  }
  const lendTo = (lent: Lent): void => {
    lend().then(
      (client) => lent(undefined, client, client.release),
      (error: Error) => lent(error),
    )
  }
  pool.connect = ((lent?: Lent) => (lent === undefined ? lend() : lendTo(lent))) as typeof pool.connect
}
