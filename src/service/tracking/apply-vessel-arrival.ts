/** Folds the entry of a ship's arrival that AIS saw: a claim for each box that it brought, then the shipment anew. */

import { canonicalJson } from '../../core/json-value.ts'
import type { EventObservation } from '../../core/observation.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import type { KeptClaim } from '../../store/claims.ts'
import type { FoldTables } from '../../store/fold-tables.ts'
import type { EntryOf } from '../../store/ledger.ts'
import type { Fold } from '../ledger/fold.ts'
import { projectAndWrite } from './project-shipment.ts'

export async function applyVesselArrival(
  tables: FoldTables,
  fold: Fold,
  entry: EntryOf<'vessel_arrival'>,
): Promise<void> {
  const { shipmentId } = entry
  if (shipmentId === null) throw new Error(`entry ${entry.position} names no shipment`)
  const { feed, observations } = entry.payload
  // Requests first, then the shipment: the order in which every entry locks.
  await tables.lockRequestsOfShipment({ accountId: entry.accountId, shipmentId })
  const locked = await tables.lockShipment({ accountId: entry.accountId, id: shipmentId })
  if (locked === null) throw new Error(`shipment ${shipmentId} is gone`)
  await tables.writeReading({
    accountId: entry.accountId,
    snapshotId: null,
    reader: 'ais/1',
    recordedAt: entry.recordedAt,
    retire: [],
    seen: [],
    missing: [],
    left: [],
    add: observations.map((observation) => claimOf(entry, shipmentId, feed, observation)),
  })
  await projectAndWrite(tables, fold, { entry, locked, heardFirst: [] })
}

function claimOf(
  entry: EntryOf<'vessel_arrival'>,
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
