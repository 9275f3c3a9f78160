/**
 * Waiting for an account's next event. The database notifies this process of every numbering over one connection. When
 * that connection is lost, a poll finds new events.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { onBehalfOfNobody } from '../../db/account-shares.ts'
import { readLastSequences } from '../../modules/events/list-events-sql.ts'
import type { Service } from '../../modules/service.ts'
import { listenForSequences, type SequencesByAccount } from './notify-sequences-sql.ts'

const pollMs = 1_000

/** Watches one account from before the first read to the end, so that no event between a read and a wait is missed. */
export interface EventWatch {
  /**
   * Resolves when an event with a higher number than `after` is known, when the time is over, or at the signal;
   * whichever is first.
   */
  readonly beyond: (after: number, until: { readonly ms: number; readonly signal: AbortSignal }) => Promise<void>
  readonly close: () => void
}

export interface EventNews {
  readonly watch: (accountId: string) => EventWatch
  readonly close: () => Promise<void>
}

interface WatchedAccount {
  lastSequence: number
  watches: number
  /** One for each waiter, with the number that the waiter has already. */
  readonly waiters: Set<{ readonly after: number; readonly wake: () => void }>
}

/** Connects with the first watch; closing it ends every wait. */
export function openEventNews(service: Pick<Service, 'pool' | 'log'>): EventNews {
  const accounts = new Map<string, WatchedAccount>()
  const closing = new AbortController()
  let running: Promise<unknown> | null = null

  const onNumbered = (numbered: SequencesByAccount): void => {
    for (const [accountId, lastSequence] of numbered) {
      const account = accounts.get(accountId)
      if (account === undefined || lastSequence <= account.lastSequence) continue
      account.lastSequence = lastSequence
      for (const waiter of account.waiters) if (waiter.after < lastSequence) waiter.wake()
    }
  }
  const refreshSequences = async (): Promise<void> => {
    if (accounts.size === 0) return
    try {
      onNumbered(await readLastSequences(service.pool, [...accounts.keys()]))
    } catch (error) {
      service.log.warn('database.unreachable', { error })
    }
  }
  const poll = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await pause(pollMs, undefined, { signal: closing.signal }).catch(() => {})
      if (!closing.signal.aborted) await refreshSequences()
    }
  }
  const run = (): Promise<unknown> =>
    Promise.all([
      poll(),
      listenForSequences(service.pool, {
        signal: closing.signal,
        onSequences: onNumbered,
        connected: () => void refreshSequences(),
        broken: (error) => service.log.warn('database.unreachable', { error }),
      }),
    ])

  return {
    watch: (accountId) => {
      running ??= onBehalfOfNobody(run)
      const account = accounts.get(accountId) ?? { lastSequence: 0, watches: 0, waiters: new Set() }
      accounts.set(accountId, account)
      account.watches += 1
      return {
        beyond: (after, { ms, signal }) =>
          account.lastSequence > after
            ? Promise.resolve()
            : waitForNews(account, after, { ms, signals: [signal, closing.signal] }),
        close: () => {
          account.watches -= 1
          if (account.watches === 0) accounts.delete(accountId)
        },
      }
    },
    close: async () => {
      closing.abort()
      await running
    },
  }
}

/** Leaves nothing open when it ends: no timer, no entry in `waiters`, no listener. */
function waitForNews(
  account: WatchedAccount,
  after: number,
  until: { readonly ms: number; readonly signals: readonly AbortSignal[] },
): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer)
      account.waiters.delete(waiter)
      for (const signal of until.signals) signal.removeEventListener('abort', wake)
      resolve()
    }
    const waiter = { after, wake }
    const timer = setTimeout(wake, until.ms)
    account.waiters.add(waiter)
    for (const signal of until.signals) {
      if (signal.aborted) wake()
      else signal.addEventListener('abort', wake, { once: true })
    }
  })
}
