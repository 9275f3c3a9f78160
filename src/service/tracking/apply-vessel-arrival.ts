/** Folds the entry of a ship's arrival that AIS saw: a claim for each box that it brought, then the shipment anew. */

import { canonicalJson } from '../../core/json-value.ts'
import type { EventObservation } from '../../core/observation.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import type { KeptClaim } from '../../store/claims.ts'
import { writeReading } from '../../store/claims.ts'
import type { Db } from '../../store/database.ts'
import type { LedgerEntry } from '../../store/ledger.ts'
import { lockShipment } from '../../store/shipments.ts'
import { lockRequestsOfShipment } from '../../store/tracking-requests.ts'
import type { Fold } from './fold.ts'
import { projectAndWrite } from './project-shipment.ts'

/** The payload of a `vessel_arrival` entry: everything that was seen, for a feed can't be asked again. */
export interface ArrivalSeen {
  /** Which feed heard it. */
  readonly feed: string
  readonly observations: readonly EventObservation[]
}

export async function applyVesselArrival(db: Db, fold: Fold, entry: LedgerEntry): Promise<void> {
  const { shipmentId } = entry
  if (shipmentId === null) throw new Error(`entry ${entry.position} names no shipment`)
  const seen = entry.payload as unknown as ArrivalSeen
  // Requests first, then the shipment: the order in which every entry locks.
  await lockRequestsOfShipment(db, { accountId: entry.accountId, shipmentId })
  const locked = await lockShipment(db, { accountId: entry.accountId, id: shipmentId })
  if (locked === null) throw new Error(`shipment ${shipmentId} is gone`)
  await writeReading(db, {
    accountId: entry.accountId,
    snapshotId: null,
    reader: 'ais/1',
    recordedAt: entry.recordedAt,
    retire: [],
    seen: [],
    missing: [],
    left: [],
    add: seen.observations.map((observation) => claimOf(entry, shipmentId, seen.feed, observation)),
  })
  await projectAndWrite(db, fold, { entry, locked, heardFirst: [] })
}

function claimOf(
  entry: LedgerEntry,
  shipmentId: string,
  feed: string,
  observation: EventObservation,
): KeptClaim {
  return {
    id: uuidV5(LANDFALL_NAMESPACE, `claim:${shipmentId}:ais:${canonicalJson(observation)}`),
    source: { kind: 'ais', code: feed },
    observation,
    readAt: entry.recordedAt,
    recordedAt: entry.recordedAt,
    retiredAt: null,
    subjectId: null,
    shipmentId,
    firstSnapshotId: null,
    goneSnapshotId: null,
    missingSince: null,
  }
}
