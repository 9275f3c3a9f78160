/**
 * Lends the connections of a pool by account. No account gets more than its share, and statements for an account have a
 * shorter time limit.
 */

import type pg from 'pg'
import { currentAccountId, openConnectionShares, type ShareOptions } from './account-shares.ts'

export interface Fairness extends ShareOptions {
  /** Longest time of a statement for an account. For other statements `usualMs` holds. */
  readonly statementMs: number
}

type ConnectCallback = (error: Error | undefined, client?: pg.PoolClient, done?: pg.PoolClient['release']) => void

/**
 * `usualMs`: the time limit with which the pool's sessions begin. Statements that are sent to the pool itself get a
 * connection in the same way.
 */
export function shareConnectionsFairly(pool: pg.Pool, fairness: Fairness, usualMs: number): void {
  const shares = openConnectionShares(fairness)
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  const limits = new WeakMap<pg.PoolClient, number>()

  const lend = async (): Promise<pg.PoolClient> => {
    const accountId = currentAccountId()
    const giveBack = accountId === null ? null : await shares.take(accountId)
    try {
      const client = await connect()
      const limitMs = accountId === null ? usualMs : fairness.statementMs
      if ((limits.get(client) ?? usualMs) !== limitMs) {
        limits.set(client, limitMs)
        // Not awaited: the next statement is queued behind this one, and fails too when the connection is gone.
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
  const lendTo = (lent: ConnectCallback): void => {
    lend().then(
      (client) => lent(undefined, client, client.release),
      (error: Error) => lent(error),
    )
  }
  pool.connect = ((lent?: ConnectCallback) => (lent === undefined ? lend() : lendTo(lent))) as typeof pool.connect
}
