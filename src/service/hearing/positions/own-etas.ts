/** Estimates when ships will reach the ports where shipments wait for them, each time that there is news of the ship. */

import { addMs } from '../../../core/values/time.ts'
import { estimateArrival, type OwnEta } from '../../../core/vessels/own-eta.ts'
import { readDeparture, readVoyageAhead } from '../../../core/vessels/told-calls.ts'
import { etaErrors } from '../../../reference/eta-errors.ts'
import { writeOwnEtas } from '../../../store/journeys/shipment-etas.ts'
import { toldCallsOfShip } from '../../../store/knowing/told-calls.ts'
import type { Fix } from '../../../store/knowing/vessel-positions.ts'
import { type AwaitedShipment, shipmentsAboard } from '../../../store/knowing/vessels-aboard.ts'
import { readVesselPositions } from '../../../store/read/vessel-positions.ts'
import { journeyNow, type Service } from '../../service.ts'
import { distanceToPort } from './way-ahead.ts'

/** Hours between two estimates for one shipment. A ship's speed changes more slowly than that. */
const hoursBetweenEtas = 6
const fixesMax = 2_000
const speedOverMs = 10 * 86_400_000

/** Returns for how many shipments something was written. */
export async function noteOwnEtas(
  service: Service,
  of: { readonly isFiction: boolean; readonly fixes: readonly Fix[] },
): Promise<number> {
  const fixes = new Map(of.fixes.map((fix) => [fix.imo, fix]))
  if (fixes.size === 0) return 0
  const awaited = await shipmentsAboard(service.pool, { isFiction: of.isFiction, imos: [...fixes.keys()] })
  const dueAt = addMs(journeyNow(service, of.isFiction), -hoursBetweenEtas * 3_600_000)
  const due = awaited.filter(({ estimatedAt }) => estimatedAt === null || estimatedAt <= dueAt)
  let written = 0
  // One estimate for each account: what lines stated to an account is used only in that account's estimates.
  for (const waiting of Map.groupBy(
    due,
    ({ accountId, imo, unlocode, takenAt }) => `${accountId} ${imo} ${takenAt} ${unlocode}`,
  ).values()) {
    const [first] = waiting
    const fix = first === undefined ? undefined : fixes.get(first.imo)
    if (first === undefined || fix === undefined) continue
    const eta = await estimate(service, of.isFiction, fix, first)
    if (eta === null) continue
    const madeAt = journeyNow(service, of.isFiction)
    const about = {
      accountId: first.accountId,
      shipmentIds: waiting.map(({ shipmentId }) => shipmentId),
      unlocode: first.unlocode,
      vesselImo: first.imo,
      madeAt,
    }
    written += await writeOwnEtas(service.pool, { ...eta, ...about }, hoursBetweenEtas)
  }
  return written
}

async function estimate(
  service: Service,
  isFiction: boolean,
  last: Fix,
  { accountId, imo, unlocode, takenAt }: AwaitedShipment,
): Promise<OwnEta | null> {
  const told = await toldCallsOfShip(service.pool, { accountId, imo })
  const { line, calls } = readVoyageAhead(told, { imo, unlocode, now: last.heardAt })
  const fixes = await readVesselPositions(service.pool, {
    isFiction,
    imo,
    from: addMs(last.heardAt, -speedOverMs),
    to: last.heardAt,
    limit: fixesMax,
  })
  const leftAt = takenAt === null ? null : readDeparture(told, { imo, unlocode: takenAt })
  const remainingNm = distanceToPort({
    ship: last,
    from: takenAt,
    via: calls.map((call) => call.unlocode),
    to: unlocode,
    evidence: {
      // Without the departure, fixes of this voyage cannot be separated from those of the last one.
      heard: leftAt === null ? [] : fixes.filter(({ heardAt }) => heardAt >= leftAt),
      hours: leftAt === null || line === null || calls.length > 0 ? null : hoursBetween(leftAt, line.eta),
    },
  })
  if (remainingNm === null) return null
  return estimateArrival({ fixes, remainingNm, calls, line, errors: etaErrors() })
}

function hoursBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 3_600_000
}
