/** Folds the entry of a ship's arrival that AIS saw: a claim for each box that it brought, then the shipment anew. */

import { canonicalJson } from '../../core/json-value.ts'
import type { EventObservation } from '../../core/observation.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import type { KeptClaim } from '../../store/claims.ts'
import type { JourneyState } from '../../store/journey-state/state.ts'
import type { EntryOf } from '../../store/ledger.ts'
import type { Fold } from './fold.ts'
import { foldShipmentTimer } from './fold-timer.ts'
import type { Folded } from './folded.ts'
import { getShipment, withShipment } from './state-rows.ts'
import { takeIn } from './take-in.ts'

export function foldVesselArrival(
  fold: Fold,
  state: JourneyState,
  entry: EntryOf<'vessel_arrival'>,
  shipmentId: string,
): Folded {
  const { feed, observations } = entry.payload
  const add = observations.map((observation) => claimOf(entry, shipmentId, feed, observation))
  const change = { add, retire: [], seen: [], missing: [], left: [] }
  const by = { at: entry.recordedAt, snapshotId: null, reader: 'ais/1' }
  const shipment = getShipment(state, shipmentId)
  const said = { ...shipment, claims: takeIn(shipment.claims, change, by) }
  return foldShipmentTimer(fold, withShipment(state, said), entry, shipmentId)
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
    standsAt: entry.recordedAt,
    hand: 'first',
    deliveryKey: null,
    retiredAt: null,
    subjectId: null,
    shipmentId,
    firstSnapshotId: null,
    goneSnapshotId: null,
    missingSince: null,
  }
}
