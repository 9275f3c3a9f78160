/** The first statements of the last free days at the port: of each the one that was written first. */

import type { FactClaim } from '../journey/trip.ts'
import { compareText, statedAtMsOf } from '../statements/statement.ts'
import { isBelievableFact } from '../statements/trust.ts'
import { type EventTime, instantOf } from '../values/time.ts'
import type { ContainerProjection, FirstFreeDay, FirstFreeDays } from '../view/projection.ts'

const facts = { line: 'pickup_lfd_line', terminal: 'pickup_lfd_terminal' } as const

/** `stated`: the facts of one trip, also those that their sources replaced. The member is left out where it is empty. */
export function firstFreeDaysOf(
  stated: readonly FactClaim[],
  previous: Pick<ContainerProjection, 'freeTime' | 'firstFreeDays'> | null,
): { readonly firstFreeDays?: FirstFreeDays } {
  const firstDays = (['line', 'terminal'] as const).flatMap((of) => {
    const before = previous?.firstFreeDays?.[of]
    // The day was stated before first days were recorded. Nobody knows whether another one was stated before it.
    if (before === undefined && previous !== null && previous.freeTime[of] !== null) return []
    const [first] = stated
      .filter((claim) => claim.observation.fact === facts[of] && isBelievableFact(claim))
      .map(toFirstFreeDay)
      .concat(before ?? [])
      .toSorted(compareFirst)
    return first === undefined ? [] : [[of, first] as const]
  })
  return firstDays.length === 0 ? {} : { firstFreeDays: Object.fromEntries(firstDays) }
}

function toFirstFreeDay(claim: FactClaim): FirstFreeDay {
  // The name of the fact determines the type of its value (FactOf).
  return { time: claim.observation.value as EventTime, writtenAt: new Date(statedAtMsOf(claim)).toISOString() }
}

function compareFirst(a: FirstFreeDay, b: FirstFreeDay): number {
  const timeOf = ({ time }: FirstFreeDay): string => `${instantOf(time, null).at} ${time.kind}`
  return compareText(a.writtenAt, b.writtenAt) || compareText(timeOf(a), timeOf(b))
}
