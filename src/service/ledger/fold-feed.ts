/**
 * Folds what a feed said of a shipment, such as a ship's arrival that AIS saw: adds a claim for each box, then projects
 * the shipment again.
 */

import type { EventObservation, Source } from '../../core/statements/observation.ts'
import { canonicalJson } from '../../core/values/json-value.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import type { JourneyState } from '../../store/journey-state/state.ts'
import type { KeptClaim } from '../../store/journeys/claims.ts'
import type { LedgerEntry } from '../../store/ledger/ledger.ts'
import type { FeedHeard } from '../../store/ledger/ledger-payload.ts'
import { unbroughtClaim } from './absorb.ts'
import type { Fold } from './fold.ts'
import { foldShipmentTimer } from './fold-timer.ts'
import type { Folded } from './folded.ts'
import { getShipment, withShipment } from './state-rows.ts'
import { takeIn } from './take-in.ts'

export function foldFeed(
  fold: Fold,
  state: JourneyState,
  entry: LedgerEntry,
  shipmentId: string,
  { source, observations }: Pick<FeedHeard, 'source' | 'observations'>,
): Folded {
  const { recordedAt, reader } = entry
  const by = { source, shipmentId, recordedAt }
  const add = observations.map((observation) => claimOf(observation, by))
  const change = { add, retire: [], seen: [], missing: [], left: [] }
  const shipment = getShipment(state, shipmentId)
  const claims = takeIn(shipment.claims, change, {
    at: recordedAt,
    snapshotId: null,
    reader: reader ?? 'ais/1',
  })
  return foldShipmentTimer(fold, withShipment(state, { ...shipment, claims }), entry, shipmentId)
}

function claimOf(
  observation: EventObservation,
  of: { readonly source: Source; readonly shipmentId: string; readonly recordedAt: string },
): KeptClaim {
  const said = `claim:${of.shipmentId}:${of.source.kind}:${canonicalJson(observation)}`
  return unbroughtClaim({ id: uuidV5(LANDFALL_NAMESPACE, said), observation, ...of })
}
