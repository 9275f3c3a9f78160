/** Folds of the past wait for one another: each takes a connection and a core, and the present goes first. */

import { openShares, type Shares } from '../../../store/account-share.ts'
import type { Context } from '../../context.ts'
import { keptBeside } from '../../ground/kept-beside.ts'
import type { Service } from '../../service.ts'

const atOnceMax = 2
/** Of one account one: whoever asks for many leaves the other turn to others. */
const ofAccountMax = 1
const waitMs = 20_000

interface Turns {
  readonly all: Shares
  readonly ofAccounts: Shares
}

/** By pool: services that are made over one share its turns. */
const turnsOf = keptBeside<Service['pool'], Turns>(() => ({
  all: openShares({ connectionsMax: atOnceMax, waitMs }),
  ofAccounts: openShares({ connectionsMax: ofAccountMax, waitMs }),
}))

/** Throws `ShareTaken` for what waits too long. */
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
