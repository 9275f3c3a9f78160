/** Uses a message for a shipment, once. For a request that is still searching, the message may find the shipment. */

import type { Hand, Source } from '../../../core/statements/observation.ts'
import type { Db } from '../../../store/database.ts'
import { noteHearing } from '../../../store/inbound/listeners.ts'
import type { SaidClaims, ShipmentKey } from '../../../store/journey-state/state.ts'
import type { TrackedRequest } from '../../../store/journeys/tracking-requests.ts'
import type { HearTask } from '../../../store/looks/tasks.ts'
import { compareReading } from '../../ledger/absorb.ts'
import type { Fold } from '../../ledger/fold.ts'
import { type LookFolded, sayOpened } from '../../ledger/fold-look.ts'
import { foldMessage } from '../../ledger/fold-message.ts'
import { hearTold, recordHeard } from '../../ledger/hear.ts'
import { findShipment, identify } from '../../ledger/open-shipment.ts'
import type { ReadTold } from '../../ledger/read-told.ts'
import { standingClaims } from '../../ledger/state-rows.ts'
import type { HeldLedger, Taken } from '../../ledger/take-entries.ts'

export interface HeardTask {
  /** The request, with the line that was asked for it. */
  readonly request: TrackedRequest
  readonly taken: Taken<LookFolded>
}

/** A part of a delivery, as it was read. */
export interface Told extends ReadTold {
  readonly told: {
    readonly mention: string
    readonly source: Source
    readonly hand: Hand
    readonly standsAt: string
    readonly deliveryKey: string
    readonly isSealed?: true
  }
}

/** The shipment that the request asks for. Null if the request's own line does not know the number. */
export function toldKeyOf(
  fold: Fold,
  request: TrackedRequest,
  of: { readonly said: SaidClaims; readonly brought: Told; readonly now: string },
): ShipmentKey | null {
  const { said, brought, now } = of
  const { reading, told } = brought
  const isLines = told.source.kind === 'shipping_line' && told.source.code === request.scac
  if (reading.verdict !== 'found' || !isLines) return null
  const { add } = compareReading([], {
    ...request,
    shipmentId: null,
    snapshotId: null,
    source: told.source,
    observations: reading.observations,
    withdrawn: [],
    isFullPicture: false,
    recordedAt: now,
  })
  return identify(fold, request, [...standingClaims(said), ...add], now)
}

/** Null when this part was already used for the shipment, or when no shipment is found. */
export async function hearToldTask(
  db: Db,
  fold: Fold,
  ledger: HeldLedger,
  {
    task,
    request,
    brought,
  }: { readonly task: HearTask; readonly request: TrackedRequest; readonly brought: Told },
): Promise<HeardTask | null> {
  const state = ledger.state()
  const { reader, told } = brought
  const { accountId, subjectId, snapshotId } = task
  const { id: trackingRequestId } = request
  const now = ledger.momentOf({ trackingRequestId, shipmentId: request.shipmentId })
  const said = state.subjects.get(request.subjectId) ?? new Map()
  const key = request.shipmentId === null ? toldKeyOf(fold, request, { said, brought, now }) : null
  const joins = key === null ? null : (findShipment(state, key)?.row.id ?? null)
  const shipmentId = request.shipmentId ?? joins ?? key?.id ?? null
  if (shipmentId === null) return null
  const recordedAt = ledger.momentOf({ trackingRequestId, shipmentId: request.shipmentId, joins })
  if (!(await noteHearing(db, { accountId, shipmentId, mentionId: told.mention, at: recordedAt })))
    return null
  const { mention: _, ...by } = told
  const heard = hearTold(state, brought, { accountId, subjectId, shipmentId, snapshotId, recordedAt, ...by })
  const payload = {
    via: 'push' as const,
    ...told,
    outcome: key === null ? null : ('found' as const),
    ...recordHeard(heard),
  }
  const about = { trackingRequestId, shipmentId: request.shipmentId, joins, subjectId, snapshotId, reader }
  const taken = ledger.take<'heard', LookFolded>({ kind: 'heard', ...about, payload }, (before, entry) =>
    sayOpened(foldMessage(fold, before, { ...entry, payload }, { heard, key })),
  )
  return { request, taken }
}
