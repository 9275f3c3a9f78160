/**
 * Notes that a ship has arrived with containers that accounts wait for: one ledger entry for each shipment, once for
 * each call.
 */

import { type Db, inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import type { EventObservation } from '../../domain/statements/observation.ts'
import { compareInstants } from '../../domain/values/time.ts'
import {
  liesWithin,
  observeArrival,
  type PortArea,
  type VesselFix,
  voyageToDischarge,
} from '../../domain/vessels/vessel-arrival.ts'
import { journeyNow, type Service } from '../../modules/service.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { terminalsAt } from '../../reference/terminals.ts'
import { commitEntries } from '../ledger/commit-entries.ts'
import type { Fold } from '../ledger/fold.ts'
import { retryOnConflict } from '../ledger/retry-on-conflict.ts'
import type { ShipmentState } from '../projection/journey-state-sql.ts'
import type { Fix } from './fixes-sql.ts'
import { type AwaitedShipment, shipmentsAboard } from './vessels-with-containers-sql.ts'

/** Returns how many shipments it was noted for. A shipment that fails is logged and does not stop the others. */
export async function noteArrivals(
  service: Service,
  fold: Fold,
  of: { readonly isSandbox: boolean; readonly fixes: readonly Fix[] },
): Promise<number> {
  const still = of.fixes.filter(({ speedKnots }) => speedKnots !== null && speedKnots < 1)
  if (still.length === 0) return 0
  const imos = [...new Set(still.map(({ imo }) => imo))]
  let noted = 0
  for (const awaited of await shipmentsAboard(service.pool, { isSandbox: of.isSandbox, imos })) {
    const area = portArea(awaited.unlocode)
    const fix = still.find((each) => each.imo === awaited.imo && liesWithin(each, area))
    if (fix === undefined) continue
    try {
      const about = { ...of, awaited, fix }
      const isNoted = await retryOnConflict((also) =>
        inTransaction(service.pool, (db) => noteArrival(db, service, fold, about, also)),
      )
      if (isNoted) {
        service.metrics.vesselArrived({ feed: fix.source, shipment: awaited.shipmentId })
        noted += 1
      }
    } catch (error) {
      service.metrics.jobFailed({ job: 'arrivals', shipment: awaited.shipmentId, error })
    }
  }
  if (noted > 0) wakeWorkers(service.pool, 'events')
  return noted
}

/** False when another process has noted it, or when the shipment has changed since it was read. */
async function noteArrival(
  db: Db,
  service: Service,
  fold: Fold,
  of: { readonly isSandbox: boolean; readonly awaited: AwaitedShipment; readonly fix: Fix },
  alsoHeld: readonly string[],
): Promise<boolean> {
  const { accountId, shipmentId, unlocode } = of.awaited
  const keys = {
    accountId,
    requestIds: alsoHeld,
    shipmentIds: [shipmentId],
    locksAllRequests: true,
    isProjected: true,
  }
  const now = journeyNow(service, of.isSandbox)
  const taking = { keys, now, entriesMax: 1, metrics: service.metrics }
  const { committed: committedEntries } = await commitEntries(db, fold, taking, (ledger) => {
    const shipment = ledger.state().shipments.get(shipmentId)
    if (shipment === undefined || shipment.row.trackingStoppedAt !== null) return
    const observations = arrivalsOf(shipment, unlocode, of.fix)
    if (observations.length === 0) return
    const source = { kind: 'ais', code: of.fix.source } as const
    ledger.take({
      kind: 'heard',
      shipmentId,
      reader: 'ais/1',
      payload: { via: 'feed', source, observations },
    })
  })
  return committedEntries.some(({ entry }) => entry.kind === 'heard')
}

function arrivalsOf({ containers }: ShipmentState, unlocode: string, fix: VesselFix): readonly EventObservation[] {
  return containers.flatMap(({ number, projection }) => {
    const voyage = voyageToDischarge(projection)
    if (voyage === null || voyage.imo !== fix.imo || voyage.place.unlocode !== unlocode) return []
    // The ship is still where it loaded, or the report came late.
    if (compareInstants(fix.heardAt, voyage.since) <= 0) return []
    return [observeArrival({ voyage, fix, equipment: number })]
  })
}

export function portArea(unlocode: string): PortArea {
  const place = findPlaceByCode(unlocode)
  const terminals = terminalsAt(unlocode).filter(({ facilityType }) => facilityType === 'ocean_terminal')
  return {
    unlocode,
    port: place === null ? null : pointOf(place),
    terminals: terminals.map(pointOf).filter((point) => point !== null),
  }
}

function pointOf(of: { readonly latitude: number | null; readonly longitude: number | null }) {
  const { latitude, longitude } = of
  return latitude === null || longitude === null ? null : { latitude, longitude }
}
