/**
 * Folds the entry of a message of a partner. Only the shipment uses it, but a request that is still searching may find
 * its shipment by it.
 */

import type { JourneyState, ShipmentKey, ShipmentState } from '../../store/journey-state/state.ts'
import type { MessageEntry } from '../../store/ledger/ledger.ts'
import { asAsked } from './asked-request.ts'
import { countIssues } from './count-issues.ts'
import type { Fold } from './fold.ts'
import { foldOf, foldTracked, type LookFolded } from './fold-look.ts'
import type { Heard } from './hear.ts'
import { stepLifecycle } from './lifecycle.ts'
import { getRequest, withSaid } from './state-rows.ts'
import { takeIn } from './take-in.ts'

type Entry = MessageEntry

/** `key`: the shipment that the message opens or joins; null when the request has one. */
export function foldMessage(
  fold: Fold,
  state: JourneyState,
  entry: Entry,
  { heard, key }: { readonly heard: Heard; readonly key: ShipmentKey | null },
): LookFolded {
  const { trackingRequestId, recordedAt, payload, subjectId } = entry
  if (trackingRequestId === null) throw new Error('it names no request')
  const request = asAsked(getRequest(state, trackingRequestId))
  if (request === null) throw new Error('it is heard by a request that asks nobody')
  if (request.shipmentId === null && key === null) throw new Error('it names no shipment')
  const decided =
    payload.outcome === null
      ? { state: request.lifecycle, happened: [] }
      : stepLifecycle(
          foldOf(fold, request),
          request.lifecycle,
          { kind: 'looked', outcome: { kind: payload.outcome } },
          recordedAt,
        )
  const { change, issues } = heard
  const isNews = change.add.length + change.retire.length > 0
  const by = { at: recordedAt, snapshotId: entry.snapshotId, reader: entry.reader ?? 'unknown' }
  const told = (shipment: ShipmentState) => ({ ...shipment, claims: takeIn(shipment.claims, change, by) })
  const of = {
    scac: request.scac,
    subjectId,
    trackingRequestId,
    shipmentId: request.shipmentId,
    snapshotId: entry.snapshotId,
  }
  const said = countIssues(withoutTaken(state, change.retire, by), issues, of, recordedAt)
  return {
    ...foldTracked(fold, said, { entry, request, decided, isNews, key, told }),
    happened: decided.happened,
    isUnconfirmed: false,
  }
}

/** Retires what the source had said when it was asked, and takes back now. */
function withoutTaken(
  state: JourneyState,
  retire: readonly string[],
  by: Parameters<typeof takeIn>[2],
): JourneyState {
  let after = state
  for (const [subjectId, said] of state.subjects) {
    const taken = retire.filter((id) => said.has(id))
    if (taken.length === 0) continue
    const change = { add: [], retire: taken, seen: [], missing: [], left: [] }
    after = withSaid(after, subjectId, takeIn(said, change, by))
  }
  return after
}
