/**
 * Counts how many connections of the pool each account uses, and limits how many one account may hold. So the requests
 * of a single account cannot use up the pool, however many they are and however long each needs. Work that belongs to
 * no account (workers, sign-in) is not counted.
 */

import { AsyncLocalStorage } from 'node:async_hooks'

/** A replica at which a request reads. */
export interface ReplicaSession {
  /** Equal for requests of one account that may share the result of a statement. */
  readonly name: string
  /** Sends a statement that only reads; `otherwise` sends it to the primary. */
  readonly read: <T>(statement: object, otherwise: () => Promise<T>) => Promise<T>
  /** The rest of the request reads at the primary, because it has changed or read something there. */
  readonly switchToPrimary: () => void
}

interface AccountContext {
  readonly accountId: string
  /** Null for a request that reads at the primary. */
  readonly place: ReplicaSession | null
}

const holders = new AsyncLocalStorage<AccountContext | null>()

/**
 * Runs `work`. Every statement that it sends to the database, also later, counts for this account. `place`: where its
 * statements that only read are sent.
 */
export function onBehalfOf<T>(accountId: string, work: () => T, place: ReplicaSession | null = null): T {
  return holders.run({ accountId, place }, work)
}

/** For work that a request happens to start but that serves all accounts: a poll, or filling a cache. */
export function onBehalfOfNobody<T>(work: () => T): T {
  return holders.run(null, work)
}

/** For work whose result also goes to other requests of the account, which may have to read at the primary. */
export function runAtPrimary<T>(work: () => T): T {
  const holder = holders.getStore() ?? null
  return holder === null ? work() : holders.run({ ...holder, place: null }, work)
}

export function currentAccountId(): string | null {
  return holders.getStore()?.accountId ?? null
}

export function currentReplicaSession(): ReplicaSession | null {
  return holders.getStore()?.place ?? null
}

export interface ShareOptions {
  /** Connections that one account may hold at a time. */
  readonly connectionsMax: number
  /** A request that waits longer than this for a connection is refused. */
  readonly waitMs: number
}

/** Thrown when the account's other requests hold all connections that it may have. */
export class ShareExhausted extends Error {
  readonly retryAfterSeconds: number

  constructor(waitMs: number) {
    super('the account already uses all of its connections')
    this.name = 'ShareExhausted'
    this.retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000))
  }
}

export interface ConnectionShares {
  /**
   * Waits for a place, first come first served within the account. Returns the function that gives the place back.
   * Throws `ShareExhausted`.
   */
  readonly take: (accountId: string) => Promise<() => void>
}

/**
 * Maximum number of requests of one account that wait. More are refused at once, because the body of each one stays in
 * memory.
 */
const waitingMax = 200

interface AccountShare {
  count: number
  readonly waiting: Set<() => void>
}

export function openConnectionShares({ connectionsMax, waitMs }: ShareOptions): ConnectionShares {
  const accounts = new Map<string, AccountShare>()

  const giveBackOnce = (accountId: string, held: AccountShare): (() => void) => {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const [next] = held.waiting
      // The place goes to the next in line, if there is one.
      if (next !== undefined) next()
      else held.count -= 1
      if (held.count === 0) accounts.delete(accountId)
    }
  }
  return {
    take: async (accountId) => {
      const held = accounts.get(accountId) ?? { count: 0, waiting: new Set() }
      accounts.set(accountId, held)
      if (held.count < connectionsMax) {
        held.count += 1
        return giveBackOnce(accountId, held)
      }
      if (held.waiting.size >= waitingMax) throw new ShareExhausted(waitMs)
      await new Promise<void>((resolve, reject) => {
        const enter = (): void => {
          clearTimeout(timer)
          held.waiting.delete(enter)
          resolve()
        }
        const timer = setTimeout(() => {
          held.waiting.delete(enter)
          reject(new ShareExhausted(waitMs))
        }, waitMs)
        held.waiting.add(enter)
      })
      return giveBackOnce(accountId, held)
    },
  }
}
