/** The last free days that others report, each with its source, beside the one that the terms give. */

import { findBelievedFact } from '../journey/facts.ts'
import type { FactClaim } from '../journey/trip.ts'
import type { FactName, Source } from '../statements/observation.ts'
import type { EventTime } from '../values/time.ts'
import { lfdDay } from '../view/free-time.ts'
import type { LastFreeDay } from './last-free-day.ts'
import type { ChargeTerms } from './terms.ts'

export const reportedOf = ['line', 'terminal', 'rail', 'return'] as const
export type ReportedClock = (typeof reportedOf)[number]

const factOf = {
  line: 'pickup_lfd_line',
  terminal: 'pickup_lfd_terminal',
  rail: 'pickup_lfd_rail',
  return: 'empty_return_by',
} as const satisfies Readonly<Record<ReportedClock, FactName>>

export interface ReportedLastFreeDay {
  /** Whose free time it is. `source` is who reports it: also a person, or a document. */
  readonly of: ReportedClock
  readonly day: string
  readonly source: Source
  readonly claimId: string
  /** Of several reports on one clock: the one that the container shows. */
  readonly isBelieved: boolean
}

export function reportedLastFreeDays(
  facts: readonly FactClaim[],
  pickupTimeZone: string | null,
): readonly ReportedLastFreeDay[] {
  return reportedOf.flatMap((of) => {
    const believed = findBelievedFact(factOf[of], facts)?.claim
    return facts
      .filter(({ observation }) => observation.fact === factOf[of])
      .map(({ observation, source, id }) => ({
        of,
        // The name of the fact determines the type of its value (FactOf).
        day: lfdDay(observation.value as EventTime, pickupTimeZone),
        source,
        claimId: id,
        isBelieved: id === believed?.id,
      }))
  })
}

/** The issue of a reported last free day that is not the one of the terms. */
export const differenceIssueKind = 'last_free_day_differs'

export interface LastFreeDayDifference {
  readonly of: ReportedClock
  readonly terms: { readonly code: string; readonly version: number }
  readonly calculated: string
  readonly reported: string
  readonly claimId: string
}

/** Each report of the same clock that names another day. */
export function differencesOf(
  terms: ChargeTerms,
  calculated: LastFreeDay | null,
  reported: readonly ReportedLastFreeDay[],
): readonly LastFreeDayDifference[] {
  const clock = clockOf(terms)
  if (calculated === null || clock === null) return []
  return reported
    .filter(({ of, day }) => of === clock && day !== calculated.day)
    .map(({ of, day, claimId }) => ({
      of,
      terms: { code: terms.code, version: terms.version },
      calculated: calculated.day,
      reported: day,
      claimId,
    }))
}

/** Which report is about the same clock as the terms. A line names one day for combined free time too. */
function clockOf({ kind, chargedBy }: ChargeTerms): ReportedClock | null {
  if (kind === 'detention' || kind === 'per_diem') return chargedBy === 'line' ? 'return' : null
  if (chargedBy === 'line') return 'line'
  if (chargedBy === 'terminal') return 'terminal'
  return chargedBy === 'railway' ? 'rail' : null
}
