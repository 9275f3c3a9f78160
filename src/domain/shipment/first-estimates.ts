/**
 * The first estimates: of each arrival and departure at each place the one that was written first, whichever was
 * received first, and although its source states something else now.
 */

import { compareText, placeKeyOf, type Statement } from '../statements/statement.ts'
import { addDays, type EventTime, instantOf } from '../values/time.ts'
import type { FirstEstimate, FirstEstimates, Leg, ShipmentProjection } from '../view/projection.ts'

/** `statements`: of one trip, also those that its sources replaced. */
export function firstEstimatesOf(trip: number, statements: readonly Statement[]): FirstEstimates {
  return earliestEstimates(
    statements
      .filter(isEstimate)
      .map((each) => [slotKey(trip, each.code, each.mode, each.placeKey), toFirstEstimate(each)]),
  )
}

/**
 * Those of the current trips and those of the projection before. `placed`: claims that are in a trip. A claim that its source repeats is effective since the
 * later message; its estimate was written when it was written first.
 */
export function allFirstEstimates(
  previous: ShipmentProjection | null,
  placed: ReadonlySet<string | null>,
  ofTrips: readonly FirstEstimates[],
): FirstEstimates {
  const writtenAt = new Map(Object.values(previous?.firstEstimates ?? {}).map((each) => [each.claimId, each.writtenAt]))
  const now = ofTrips.flatMap(Object.entries<FirstEstimate>).map(([key, estimate]) => {
    const before = writtenAt.get(estimate.claimId) ?? estimate.writtenAt
    return [key, before < estimate.writtenAt ? { ...estimate, writtenAt: before } : estimate] as const
  })
  return earliestEstimates([...Object.entries(firstEstimatesBefore(previous, placed)), ...now])
}

function earliestEstimates(estimates: Iterable<readonly [string, FirstEstimate]>): FirstEstimates {
  const first = new Map<string, FirstEstimate>()
  for (const [key, estimate] of estimates) {
    const known = first.get(key)
    if (known === undefined || compareFirst(estimate, known) < 0) first.set(key, estimate)
  }
  return Object.fromEntries(first)
}

/**
 * Those of the projection before whose claims are in no trip any more, such as the plan of the ship before a rollover:
 * for the others, their trip is determined again. One from before they were stored counts as written before all others.
 */
function firstEstimatesBefore(previous: ShipmentProjection | null, placed: ReadonlySet<string | null>): FirstEstimates {
  if (previous?.firstEstimates !== undefined)
    return Object.fromEntries(Object.entries(previous.firstEstimates).filter(([, { claimId }]) => !placed.has(claimId)))
  if (previous === null) return {}
  const { portOfLoading, portOfDischarge, destination } = previous
  const originals = [
    ['DEPA', 'VESSEL', portOfLoading.place, previous.originalEtd],
    ['ARRI', 'VESSEL', portOfDischarge.place, previous.originalEta],
    ['ARRI', 'RAIL', destination?.place ?? null, previous.originalDestinationEta],
  ] as const
  return Object.fromEntries(
    originals.flatMap(([code, mode, place, time]) =>
      place === null || time === null
        ? []
        : [[slotKey(1, code, mode, placeKeyOf(place)), { time, claimId: null, writtenAt: '', namesShip: true }]],
    ),
  )
}

/**
 * The first estimate of one trip at a place. Null when none was ever written before it happened: what is written later
 * foretells nothing.
 */
export function firstEstimateAt(
  estimates: FirstEstimates,
  of: {
    readonly trip: number
    readonly code: 'ARRI' | 'DEPA'
    readonly modes: readonly string[]
    readonly leg: Leg | null
  },
): EventTime | null {
  const { trip, code, modes, leg } = of
  const place = leg?.place ?? null
  if (leg === null || place === null) return null
  const written = modes.flatMap((mode) => estimates[slotKey(trip, code, mode, placeKeyOf(place))] ?? [])
  const [first] = written.toSorted(compareFirst)
  const actual = code === 'DEPA' ? leg.atd : leg.ata
  if (first === undefined) return null
  return actual === null || first.writtenAt <= endOf(actual, place.timeZone) ? first.time : null
}

function endOf(time: EventTime, timeZone: string | null): string {
  const { at } = instantOf(time, timeZone)
  return time.kind === 'day' ? addDays(at, 1) : at
}

function isEstimate({ isActual, code, event }: Statement): boolean {
  return !isActual && (code === 'DEPA' || (code === 'ARRI' && event.place.facilityType !== 'BRTH'))
}

function slotKey(trip: number, code: string, mode: string, placeKey: string): string {
  return `${trip} ${code} ${mode} ${placeKey}`
}

function toFirstEstimate({ claim, event, statedAtMs, vesselKey }: Statement): FirstEstimate {
  const writtenAt = new Date(statedAtMs).toISOString()
  return { time: event.time, claimId: claim.id, writtenAt, namesShip: vesselKey !== null }
}

/** Of two that were written at one time, the one that names its ship counts, then the earlier time. */
function compareFirst(a: FirstEstimate, b: FirstEstimate): number {
  const timeOf = ({ time }: FirstEstimate): string => instantOf(time, null).at
  return (
    compareText(a.writtenAt, b.writtenAt) ||
    Number(b.namesShip) - Number(a.namesShip) ||
    compareText(timeOf(a), timeOf(b)) ||
    compareText(a.time.kind, b.time.kind)
  )
}
