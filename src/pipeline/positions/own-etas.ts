/** Estimates when ships will reach the ports where shipments wait for them, each time that there is news of the ship. */

import { addMs } from '../../domain/values/time.ts'
import { hoursOnEarlierVoyages } from '../../domain/vessels/earlier-voyages.ts'
import type { PastErrors } from '../../domain/vessels/eta-errors.ts'
import { estimateArrival, type OwnEta } from '../../domain/vessels/own-eta.ts'
import { readDeparture, readVoyageAhead } from '../../domain/vessels/voyage-ahead.ts'
import { journeyNow, type Service } from '../../modules/service.ts'
import { readHourlyPositions, readVesselPositions } from '../../modules/vessels/vessel-positions-sql.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import { etaErrors, etaRowsFrom } from '../../reference/eta-errors.ts'
import { writeOwnEtas } from '../projection/shipment-etas-sql.ts'
import { distanceToPort } from './distance-to-port.ts'
import type { Fix } from './fixes-sql.ts'
import { portArea } from './note-arrivals.ts'
import { readPastErrors } from './past-errors-sql.ts'
import { findStatedCalls } from './stated-calls-sql.ts'
import { type AwaitedShipment, shipmentsAboard } from './vessels-with-containers-sql.ts'

/** Hours between two estimates for one shipment. A ship's speed changes more slowly than that. */
const hoursBetweenEtas = 6
const fixesMax = 2_000
const speedOverMs = 10 * 86_400_000

/** Returns for how many shipments something was written. */
export async function noteOwnEtas(
  service: Service,
  of: { readonly isSandbox: boolean; readonly fixes: readonly Fix[] },
): Promise<number> {
  const fixes = new Map(of.fixes.map((fix) => [fix.imo, fix]))
  if (fixes.size === 0) return 0
  const awaited = await shipmentsAboard(service.pool, { isSandbox: of.isSandbox, imos: [...fixes.keys()] })
  const dueAt = addMs(journeyNow(service, of.isSandbox), -hoursBetweenEtas * 3_600_000)
  const due = awaited.filter(({ estimatedAt }) => estimatedAt === null || estimatedAt <= dueAt)
  let written = 0
  // One estimate for each account: what lines stated to an account is used only in that account's estimates.
  for (const waiting of Map.groupBy(
    due,
    ({ accountId, imo, unlocode, loadedAt }) => `${accountId} ${imo} ${loadedAt} ${unlocode}`,
  ).values()) {
    const [first] = waiting
    const fix = first === undefined ? undefined : fixes.get(first.imo)
    if (first === undefined || fix === undefined) continue
    const eta = await estimateOwnEta(service, of.isSandbox, fix, first)
    if (eta === null) continue
    const madeAt = journeyNow(service, of.isSandbox)
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

async function estimateOwnEta(
  service: Service,
  isSandbox: boolean,
  last: Fix,
  { accountId, imo, unlocode, loadedAt }: AwaitedShipment,
): Promise<OwnEta | null> {
  const statedCalls = await findStatedCalls(service.pool, { accountId, imo })
  const { line, calls } = readVoyageAhead(statedCalls, { imo, unlocode, now: last.heardAt })
  const fixes = await readVesselPositions(service.pool, {
    isSandbox,
    imo,
    from: addMs(last.heardAt, -speedOverMs),
    to: last.heardAt,
    limit: fixesMax,
  })
  const departedAt = loadedAt === null ? null : readDeparture(statedCalls, { imo, unlocode: loadedAt })
  const remainingNm = distanceToPort({
    ship: last,
    from: loadedAt,
    via: calls.map((call) => call.unlocode),
    to: unlocode,
    evidence: {
      // Without the departure, fixes of this voyage cannot be separated from those of the last one.
      positions: departedAt === null ? [] : fixes.filter(({ heardAt: receivedAt }) => receivedAt >= departedAt),
      hours: departedAt === null || line === null || calls.length > 0 ? null : hoursBetween(departedAt, line.eta),
    },
  })
  if (remainingNm === null) return null
  const past = await findPastErrors(service, { accountId, scac: line?.sourceCode ?? null, now: last.heardAt })
  const earlierHours = line === null ? await hoursEarlier(service, isSandbox, last, unlocode) : []
  return estimateArrival({ fixes, remainingNm, calls, line, earlierHours, errors: etaErrors(), past })
}

/** The past of an account changes with each arrival, and little with one. */
const pastErrorsForMs = 3_600_000
const pastErrorsMax = 1_000
const pastDays = 365
interface KnownPast {
  readonly readAt: number
  readonly past: readonly PastErrors[]
}

const pastErrors: (service: Service) => Map<string, KnownPast> = memoizePerOwner(() => new Map())

async function findPastErrors(
  service: Service,
  { accountId, scac, now }: { readonly accountId: string; readonly scac: string | null; readonly now: string },
): Promise<readonly PastErrors[]> {
  const known = pastErrors(service)
  const key = `${accountId} ${scac}`
  const readAt = service.clock.now()
  const found = known.get(key)
  if (found !== undefined && readAt - found.readAt < pastErrorsForMs) return found.past
  const since = addMs(now, -pastDays * 86_400_000)
  const past = await readPastErrors(service.pool, { accountId, scac, since, rowsFrom: etaRowsFrom() })
  if (known.size >= pastErrorsMax) known.clear()
  known.set(key, { readAt, past })
  return past
}

/** Positions belong to all accounts: the earlier voyages are the ship's, whoever had cargo on board. */
async function hoursEarlier(
  service: Service,
  isSandbox: boolean,
  last: Fix,
  unlocode: string,
): Promise<readonly number[]> {
  const from = addMs(last.heardAt, -service.config.positions.keptDays * 86_400_000)
  const fixes = await readHourlyPositions(service.pool, { isSandbox, imo: last.imo, from, to: last.heardAt })
  return hoursOnEarlierVoyages(fixes, { here: last, port: portArea(unlocode) })
}

function hoursBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 3_600_000
}
