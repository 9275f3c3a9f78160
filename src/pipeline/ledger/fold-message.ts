/**
 * Folds the entry of a message of a partner. Only the shipment uses it, but a request that is still searching may find
 * its shipment by it.
 */

import type { JourneyState, ShipmentKey, ShipmentState } from '../projection/journey-state-sql.ts'
import { applyStatements } from './apply-statements.ts'
import { addIssuesToState } from './count-issues.ts'
import type { Fold } from './fold.ts'
import { type FoldedPoll, foldWithShipment, withTestLineRules } from './fold-poll.ts'
import type { IngestResult } from './ingest-answer-reading.ts'
import type { MessageEntry } from './ledger-sql.ts'
import { stepLifecycle } from './lifecycle.ts'
import { toPolledRequest } from './polled-request.ts'
import { getRequest, withStatedClaims } from './state-rows.ts'

type IngestedMessageEntry = MessageEntry

/** `key`: the shipment that the message opens or joins; null when the request has one. */
export function foldMessage(
  fold: Fold,
  state: JourneyState,
  entry: IngestedMessageEntry,
  { ingested, key }: { readonly ingested: IngestResult; readonly key: ShipmentKey | null },
): FoldedPoll {
  const { trackingRequestId, recordedAt, payload, subjectId } = entry
  if (trackingRequestId === null) throw new Error('it names no request')
  const request = toPolledRequest(getRequest(state, trackingRequestId))
  if (request === null) throw new Error('it belongs to a request that polls no carrier')
  if (request.shipmentId === null && key === null) throw new Error('it names no shipment')
  const decided =
    payload.outcome === null
      ? { state: request.lifecycle, happened: [] }
      : stepLifecycle(
          withTestLineRules(fold, request),
          request.lifecycle,
          { kind: 'looked', outcome: { kind: payload.outcome } },
          recordedAt,
        )
  const { change, issues } = ingested
  const isNews = change.add.length + change.retire.length > 0
  const by = { at: recordedAt, snapshotId: entry.snapshotId, reader: entry.reader ?? 'unknown' }
  const applyMessage = (shipment: ShipmentState) => ({
    ...shipment,
    claims: applyStatements(shipment.claims, change, by),
  })
  const of = {
    scac: request.scac,
    subjectId,
    trackingRequestId,
    shipmentId: request.shipmentId,
    snapshotId: entry.snapshotId,
  }
  const updatedState = addIssuesToState(retireWithdrawn(state, change.retire, by), issues, of, recordedAt)
  return {
    ...foldWithShipment(fold, updatedState, { entry, request, decided, isNews, key, applyMessage }),
    happened: decided.happened,
    isUnconfirmed: false,
  }
}

/** Retires what the source had stated in answers to polls, and withdraws now. */
function retireWithdrawn(
  state: JourneyState,
  retire: readonly string[],
  by: Parameters<typeof applyStatements>[2],
): JourneyState {
  let after = state
  for (const [subjectId, statedClaims] of state.claimsByTarget) {
    const withdrawnIds = retire.filter((id) => statedClaims.has(id))
    if (withdrawnIds.length === 0) continue
    const change = { add: [], retire: withdrawnIds, seen: [], missing: [], left: [] }
    after = withStatedClaims(after, subjectId, applyStatements(statedClaims, change, by))
  }
  return after
}
