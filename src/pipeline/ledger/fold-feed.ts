/**
 * Folds what a feed stated of a shipment, such as a ship's arrival that AIS saw: adds a claim for each container, then
 * projects the shipment again.
 */

import type { EventObservation, Source } from '../../domain/statements/observation.ts'
import { canonicalJson } from '../../domain/values/json-value.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import type { StoredClaim } from '../projection/claims-sql.ts'
import type { JourneyState } from '../projection/journey-state-sql.ts'
import { applyStatements } from './apply-statements.ts'
import { claimWithoutSnapshot } from './compare-reading.ts'
import type { Fold } from './fold.ts'
import type { FoldResult } from './fold-result.ts'
import { foldShipmentTimer } from './fold-timer.ts'
import type { FeedIngested } from './ledger-payload-sql.ts'
import type { LedgerEntry } from './ledger-sql.ts'
import { getShipment, withShipment } from './state-rows.ts'

export function foldFeed(
  fold: Fold,
  state: JourneyState,
  entry: LedgerEntry,
  shipmentId: string,
  { source, observations }: Pick<FeedIngested, 'source' | 'observations'>,
): FoldResult {
  const { recordedAt, reader } = entry
  const by = { source, shipmentId, recordedAt }
  const add = observations.map((observation) => claimOf(observation, by))
  const change = { add, retire: [], seen: [], missing: [], left: [] }
  const shipment = getShipment(state, shipmentId)
  const claims = applyStatements(shipment.claims, change, {
    at: recordedAt,
    snapshotId: null,
    reader: reader ?? 'ais/1',
  })
  return foldShipmentTimer(fold, withShipment(state, { ...shipment, claims }), entry, shipmentId)
}

function claimOf(
  observation: EventObservation,
  of: { readonly source: Source; readonly shipmentId: string; readonly recordedAt: string },
): StoredClaim {
  const claimKey = `claim:${of.shipmentId}:${of.source.kind}:${canonicalJson(observation)}`
  return claimWithoutSnapshot({ id: uuidV5(LANDFALL_NAMESPACE, claimKey), observation, ...of })
}
