/**
 * Folds of the past wait for one another: each needs a connection and a core, and work on the present is more urgent.
 */

import { type ConnectionShares, openConnectionShares } from '../../db/account-shares.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import type { Context } from '../access/context.ts'
import type { Service } from '../service.ts'

const atOnceMax = 2
/** One at a time for each account: an account that requests many leaves the other slot to others. */
const ofAccountMax = 1
const waitMs = 20_000

interface FairShares {
  readonly all: ConnectionShares
  readonly ofAccounts: ConnectionShares
}

/** By pool, so that all services over one pool share its slots. */
const sharesOf = memoizePerOwner<Service['pool'], FairShares>(() => ({
  all: openConnectionShares({ connectionsMax: atOnceMax, waitMs }),
  ofAccounts: openConnectionShares({ connectionsMax: ofAccountMax, waitMs }),
}))

/** Throws `ShareExhausted` when the wait is too long. */
export async function withFairShare<T>(service: Service, context: Context, work: () => Promise<T>): Promise<T> {
  const shares = sharesOf(service.pool)
  const release = await shares.ofAccounts.take(context.account.id)
  try {
    const releaseAll = await shares.all.take('all')
    try {
      return await work()
    } finally {
      releaseAll()
    }
  } finally {
    release()
  }
}
