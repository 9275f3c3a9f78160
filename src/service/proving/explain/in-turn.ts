/**
 * Folds of the past wait for one another: each needs a connection and a core, and work on the present is more urgent.
 */

import { openShares, type Shares } from '../../../store/account-share.ts'
import type { Context } from '../../context.ts'
import { keptBeside } from '../../ground/kept-beside.ts'
import type { Service } from '../../service.ts'

const atOnceMax = 2
/** One at a time for each account: an account that asks for many leaves the other turn to others. */
const ofAccountMax = 1
const waitMs = 20_000

interface Turns {
  readonly all: Shares
  readonly ofAccounts: Shares
}

/** By pool, so that all services over one pool share its turns. */
const turnsOf = keptBeside<Service['pool'], Turns>(() => ({
  all: openShares({ connectionsMax: atOnceMax, waitMs }),
  ofAccounts: openShares({ connectionsMax: ofAccountMax, waitMs }),
}))

/** Throws `ShareTaken` when the wait is too long. */
export async function inTurn<T>(service: Service, context: Context, work: () => Promise<T>): Promise<T> {
  const turns = turnsOf(service.pool)
  const leave = await turns.ofAccounts.take(context.account.id)
  try {
    const leaveAll = await turns.all.take('all')
    try {
      return await work()
    } finally {
      leaveAll()
    }
  } finally {
    leave()
  }
}
