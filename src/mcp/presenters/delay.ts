/**
 * How late a shipment is, as data: the first stated arrival, the present one, the hours between, and the trend. Only
 * statements of sources are compared; what no source stated is null.
 */

import { msBetween } from '../../domain/values/time.ts'
import type { ShipmentEtaReading } from '../../modules/shipments/list-etas-sql.ts'
import type { ShipmentReading } from '../../modules/shipments/list-shipments-sql.ts'
import { hoursBetween, type Slips } from '../../modules/shipments/list-slips.ts'
import { numberOrNull, object, text, textOrNull } from '../tool/schema.ts'
import { markUnlessCode } from './fence.ts'
import { writeInstant, writeTime } from './local-time.ts'

const weekMs = 7 * 24 * 3_600_000
/** An estimate that moves by less has not moved. */
const steadyHours = 6

export const delay = object({
  first_plan: textOrNull,
  first_estimate: textOrNull,
  now: textOrNull,
  now_is: text,
  slip_since_plan_hours: numberOrNull,
  slip_since_first_estimate_hours: numberOrNull,
  slip_since_yesterday_hours: numberOrNull,
  trend: text,
  moved_hours_in_week: numberOrNull,
  times_moved: numberOrNull,
  last_said_by: textOrNull,
  last_said_at: textOrNull,
})

type Projection = ShipmentReading['projection']

/** `etas`: all stated arrivals, newest first. */
export function writeDelay(
  { projection }: ShipmentReading,
  {
    etas,
    slips,
    at,
  }: { readonly etas: readonly ShipmentEtaReading[]; readonly slips: Slips | undefined; readonly at: string },
) {
  const { portOfDischarge: pod, originalEta } = projection
  const zone = zoneOf(pod)
  const lineEtas = etas.filter(({ saidBy: source }) => source !== 'landfall')
  const plan = lineEtas.findLast(({ classifier }) => classifier === 'PLN')?.time ?? null
  const now = pod.ata ?? pod.eta
  const estimates = lineEtas.filter(({ classifier }) => classifier === 'EST')
  const weekAgo =
    estimates.find(({ heardAt: ingestedAt }) => msBetween({ from: ingestedAt, to: at }) >= weekMs) ?? estimates.at(-1)
  const moved = pod.ata !== null || weekAgo === undefined ? null : hoursBetween(weekAgo.time, pod.eta, zone)
  const distinct = new Set(estimates.map(({ time }) => JSON.stringify(time)))
  const last = estimates[0]
  return {
    first_plan: writeTime(plan, zone),
    first_estimate: writeTime(originalEta, zone),
    now: writeTime(now, zone),
    now_is: pod.ata !== null ? 'actual' : pod.eta !== null ? 'estimate' : 'unknown',
    slip_since_plan_hours: slips?.sincePlan ?? null,
    slip_since_first_estimate_hours: slips?.sinceFirstEstimate ?? null,
    slip_since_yesterday_hours: slips?.sinceYesterday ?? null,
    trend: pod.ata !== null ? 'arrived' : describeTrend(moved),
    moved_hours_in_week: moved,
    times_moved: estimates.length === 0 ? null : distinct.size - 1,
    last_said_by: last === undefined ? null : `${last.saidBy} ${markUnlessCode(last.sourceCode)}`,
    last_said_at: last === undefined ? null : writeInstant(last.heardAt, null),
  }
}

function describeTrend(moved: number | null): string {
  if (moved === null) return 'unknown'
  if (Math.abs(moved) < steadyHours) return 'steady'
  return moved > 0 ? 'later' : 'earlier'
}

function zoneOf({ place }: Projection['portOfDischarge']): string | null {
  return place?.timeZone ?? null
}
