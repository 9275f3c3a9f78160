/**
 * Detects that a node of leased containers has gone to another carrier. Containers of a batch are with one carrier at a
 * time. When the latest months name a carrier that hardly occurred before, the earlier outcomes count less.
 */

import { halfLifeMonths, type Latest, type Tally } from './evidence.ts'

/**
 * The smallest probability of a change. Even two containers that were confirmed one right after the other may belong to
 * two leases, or one confirmation may be wrong.
 */
const changeMin = 0.02
/** The belief in any one carrier at a node without outcomes, and how many outcomes that belief counts for. */
const unseen = { part: 0.25, outcomes: 2 }

export interface LeaseChange {
  readonly carrier: number
  /** Weight of the outcomes since the change, in the units of the tally. */
  readonly weight: number
  /** The probability that the earlier outcomes no longer count. */
  readonly probability: number
}

/** Null when there is no sign of a change. `fade` converts the tally's weights into outcomes of today. */
export function findLeaseChange({ carriers, weights, latest }: Tally, fade: number): LeaseChange | null {
  if (latest === null || carriers.length < 2) return null
  const last = latest[0]
  if (last === undefined) return null
  const before = monthOfOther(latest, last.carrier)
  // The outcomes of one month have no order, so they cannot show a change.
  if (before === last.month) return null
  let bills = 0
  let weight = 0
  for (let at = 0; at < latest.length; at += 1) {
    const one = latest[at]
    if (one === undefined || one.month <= before) break
    weight += one.weight
    if (isFirstOfBill(latest, at)) bills += 1
  }
  let old = 0
  let oldOfCarrier = 0
  for (let at = 0; at < carriers.length; at += 1) {
    const isLast = carriers[at] === last.carrier
    const here = Math.max(0, (weights[at] ?? 0) - (isLast ? weight : 0)) * fade
    old += here
    if (isLast) oldOfCarrier = here
  }
  const known = (oldOfCarrier + unseen.part) / (old + unseen.outcomes)
  let surprise = known
  for (let bill = 1; bill < bills; bill += 1) surprise *= known
  const change = changeWithin(last.month - before)
  return { carrier: last.carrier, weight, probability: change / (change + (1 - change) * surprise) }
}

/** The probability of a new lease within this many months. After the end of the table it is nearly one. */
function changeWithin(months: number): number {
  return changes[Math.min(Math.ceil(months), changes.length - 1)] ?? 1
}

const changes: readonly number[] = Array.from({ length: 10 * halfLifeMonths }, (_, months) =>
  Math.max(changeMin, 1 - 2 ** (-months / halfLifeMonths)),
)

function monthOfOther(latest: readonly Latest[], carrier: number): number {
  for (const one of latest) if (one.carrier !== carrier) return one.month
  return Number.NEGATIVE_INFINITY
}

function isFirstOfBill(latest: readonly Latest[], at: number): boolean {
  for (let earlier = 0; earlier < at; earlier += 1) {
    if (latest[earlier]?.bill === latest[at]?.bill) return false
  }
  return true
}
