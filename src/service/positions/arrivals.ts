/** Notes that a ship has arrived with what accounts wait for: one ledger entry for each shipment, once for each call. */

import { compareInstants } from '../../core/time.ts'
import {
  liesWithin,
  observeArrival,
  type PortArea,
  type VesselFix,
  voyageToDischarge,
} from '../../core/vessel-arrival.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { terminalsAt } from '../../reference/terminals.ts'
import { type Db, inTransaction } from '../../store/database.ts'
import { tablesOf } from '../../store/fold-tables.ts'
import { appendEntry } from '../../store/ledger.ts'
import { lockShipment } from '../../store/shipments.ts'
import { lockRequestsOfShipment } from '../../store/tracking-requests.ts'
import type { Fix } from '../../store/vessel-positions.ts'
import { type AwaitedShipment, shipmentsAboard } from '../../store/vessels-aboard.ts'
import { wakeAfterwards } from '../../store/wake.ts'
import { journeyNow, type Service } from '../service.ts'
import { applyVesselArrival } from '../tracking/apply-vessel-arrival.ts'
import type { Fold } from '../tracking/fold.ts'
import { lockForEntry, notBefore } from '../tracking/lock-for-entry.ts'

/** Returns how many shipments it was noted for. A shipment that fails is told of and does not hold up the others. */
export async function noteArrivals(
  service: Service,
  fold: Fold,
  of: { readonly isFiction: boolean; readonly fixes: readonly Fix[] },
): Promise<number> {
  const still = of.fixes.filter(({ speedKnots }) => speedKnots !== null && speedKnots < 1)
  if (still.length === 0) return 0
  const imos = [...new Set(still.map(({ imo }) => imo))]
  let noted = 0
  for (const awaited of await shipmentsAboard(service.pool, { isFiction: of.isFiction, imos })) {
    const area = portArea(awaited.unlocode)
    const fix = still.find((each) => each.imo === awaited.imo && liesWithin(each, area))
    if (fix === undefined) continue
    try {
      if (
        await inTransaction(service.pool, (db) => noteArrival(db, service, fold, { ...of, awaited, fix }))
      ) {
        service.metrics.vesselArrived({ feed: fix.source, shipment: awaited.shipmentId })
        noted += 1
      }
    } catch (error) {
      service.metrics.jobFailed({ job: 'arrivals', shipment: awaited.shipmentId, error })
    }
  }
  if (noted > 0) await wakeAfterwards(service.pool, 'events')
  return noted
}

/** False when another has noted it, or what was read of the shipment is no longer so. */
async function noteArrival(
  db: Db,
  service: Service,
  fold: Fold,
  of: { readonly isFiction: boolean; readonly awaited: AwaitedShipment; readonly fix: Fix },
): Promise<boolean> {
  const { accountId, shipmentId, unlocode } = of.awaited
  const key = { accountId, id: shipmentId }
  await lockRequestsOfShipment(db, { accountId, shipmentId })
  const now = journeyNow(service, of.isFiction)
  const floor = await lockForEntry(db, fold, { accountId, shipmentId, now })
  const locked = await lockShipment(db, key)
  if (floor === null || locked === null || locked.shipment.trackingStoppedAt !== null) return false
  const fix: VesselFix = of.fix
  const observations = locked.containers.flatMap(({ number, projection }) => {
    const voyage = voyageToDischarge(projection)
    if (voyage === null || voyage.imo !== fix.imo || voyage.place.unlocode !== unlocode) return []
    // Still lying where it loaded, or a report that came late.
    if (compareInstants(fix.heardAt, voyage.since) <= 0) return []
    return [observeArrival({ voyage, fix, equipment: number })]
  })
  if (observations.length === 0) return false
  const entry = await appendEntry(db, {
    accountId,
    kind: 'vessel_arrival',
    trackingRequestId: null,
    shipmentId,
    subjectId: null,
    snapshotId: null,
    reader: 'ais/1',
    recordedAt: notBefore(now, floor.updatedAt),
    payload: { feed: of.fix.source, observations },
  })
  await applyVesselArrival(tablesOf(db), fold, entry)
  return true
}

function portArea(unlocode: string): PortArea {
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
