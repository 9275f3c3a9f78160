/**
 * How late a shipment is, as data: what was told first, what is told now, the hours between, and where it tends. Only
 * what sources said is compared; what nobody said is null.
 */

import { type EventTime, instantOf, msBetween } from '../../../core/values/time.ts'
import type { ShipmentEtaReading } from '../../../store/read/shipment-etas.ts'
import type { ShipmentReading } from '../../../store/read/shipments.ts'
import { numberOrNull, object, text, textOrNull } from '../tool/schema.ts'
import { fenceUnlessCode } from './fence.ts'
import { writeInstant, writeTime } from './local-time.ts'

const hourMs = 3_600_000
const weekMs = 7 * 24 * hourMs
/** An estimate that moves by less has not moved. */
const steadyHours = 6

export const delay = object({
  first_plan: textOrNull,
  first_estimate: textOrNull,
  now: textOrNull,
  now_is: text,
  slip_hours: numberOrNull,
  slip_hours_since_plan: numberOrNull,
  trend: text,
  moved_hours_in_week: numberOrNull,
  times_moved: numberOrNull,
  last_said_by: textOrNull,
  last_said_at: textOrNull,
})

type Projection = ShipmentReading['projection']

/** Hours by which the arrival is, or was, later than what was told first; negative when earlier. */
export function slipHours({ portOfDischarge, originalEta }: Projection): number | null {
  return hoursBetween(originalEta, portOfDischarge.ata ?? portOfDischarge.eta, zoneOf(portOfDischarge))
}

/** `etas`: what was told of the arrival, newest first, all of it. */
export function writeDelay({ projection }: ShipmentReading, etas: readonly ShipmentEtaReading[], at: string) {
  const { portOfDischarge: pod, originalEta } = projection
  const zone = zoneOf(pod)
  const told = etas.filter(({ saidBy }) => saidBy !== 'landfall')
  const plan = told.findLast(({ classifier }) => classifier === 'PLN')?.time ?? null
  const now = pod.ata ?? pod.eta
  const estimates = told.filter(({ classifier }) => classifier === 'EST')
  const weekAgo =
    estimates.find(({ heardAt }) => msBetween({ from: heardAt, to: at }) >= weekMs) ?? estimates.at(-1)
  const moved = pod.ata !== null || weekAgo === undefined ? null : hoursBetween(weekAgo.time, pod.eta, zone)
  const distinct = new Set(estimates.map(({ time }) => JSON.stringify(time)))
  const last = estimates[0]
  return {
    first_plan: writeTime(plan, zone),
    first_estimate: writeTime(originalEta, zone),
    now: writeTime(now, zone),
    now_is: pod.ata !== null ? 'actual' : pod.eta !== null ? 'estimate' : 'unknown',
    slip_hours: slipHours(projection),
    slip_hours_since_plan: hoursBetween(plan, now, zone),
    trend: pod.ata !== null ? 'arrived' : trendOf(moved),
    moved_hours_in_week: moved,
    times_moved: estimates.length === 0 ? null : distinct.size - 1,
    last_said_by: last === undefined ? null : `${last.saidBy} ${fenceUnlessCode(last.sourceCode)}`,
    last_said_at: last === undefined ? null : writeInstant(last.heardAt, null),
  }
}

function trendOf(moved: number | null): string {
  if (moved === null) return 'unknown'
  if (Math.abs(moved) < steadyHours) return 'steady'
  return moved > 0 ? 'later' : 'earlier'
}

function zoneOf({ place }: Projection['portOfDischarge']): string | null {
  return place?.timeZone ?? null
}

function hoursBetween(
  from: EventTime | null | undefined,
  to: EventTime | null | undefined,
  zone: string | null,
): number | null {
  if (from == null || to == null) return null
  return Math.round(msBetween({ from: instantOf(from, zone).at, to: instantOf(to, zone).at }) / hourMs)
}
