/**
 * Uses the result of a task for its request: the answer to a poll, a poll without an answer, or a message. A request
 * that has no shipment yet may find it by this.
 */

import type { Db } from '../../db/database.ts'
import type { Hand, Source } from '../../domain/statements/observation.ts'
import { isNegativeAnswer, type KindOption } from '../../domain/tracking-requests/kind-search.ts'
import type { PollOutcome } from '../../domain/tracking-requests/tracking-request.ts'
import { kindOfType, type RequestType, requestTypes } from '../../domain/tracking-requests/tracking-request-state.ts'
import { parseContainerNumber, parseReferenceNumber } from '../../domain/values/identifiers.ts'
import { findCredential } from '../../modules/accounts/accounts-sql.ts'
import { canPollBy, canTrackBy } from '../../modules/carriers/request-types.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { compactNumber, findShippingLine } from '../../reference/shipping-lines.ts'
import type { IngestTask } from '../ingestion/ingest-tasks-sql.ts'
import { recordIngestion } from '../ingestion/listeners-sql.ts'
import { applyStatements } from '../ledger/apply-statements.ts'
import type { CommittedEntry, LockedLedger } from '../ledger/commit-entries.ts'
import { compareReading } from '../ledger/compare-reading.ts'
import type { Fold } from '../ledger/fold.ts'
import { foldMessage } from '../ledger/fold-message.ts'
import { type FoldedPoll, foldPoll, recordOpenedShipment } from '../ledger/fold-poll.ts'
import {
  compareAnswerReading,
  ingestAnswerReading,
  ingestMessageReading,
  recordIngestedClaims,
} from '../ledger/ingest-answer-reading.ts'
import { isTripOver } from '../ledger/is-trip-over.ts'
import { deriveShipmentKey, findShipment } from '../ledger/open-shipment.ts'
import type { MessagePartReading } from '../ledger/parse-message-part.ts'
import { isDetecting, toPolledRequest } from '../ledger/polled-request.ts'
import type { StoredReading } from '../ledger/read-stored-snapshot.ts'
import { findActiveClaims } from '../ledger/state-rows.ts'
import type { ClaimsById, ShipmentKey } from '../projection/journey-state-sql.ts'
import type { TrackedRequest, TrackingRequestRow } from '../projection/tracking-requests-sql.ts'
import { ensurePollTarget } from './poll-targets-sql.ts'

export type TaskReading = AnswerReading | MessageReading

/** The answer as it is read, or how the poll ended without one. */
type AnswerReading = (
  | StoredReading
  | { readonly reading: null; readonly outcome: PollOutcome; readonly reader: null }
) & {
  readonly pushOrigin?: undefined
}

/** A message part, as it was read. */
interface MessageReading extends MessagePartReading {
  readonly pushOrigin: {
    readonly mention: string
    readonly source: Source
    readonly hand: Hand
    readonly standsAt: string
    readonly deliveryKey: string
    readonly isSealed?: true
  }
}

/** The transaction in which the tasks of a set are worked. */
export interface IngestTransaction {
  readonly db: Db
  readonly service: Service
  readonly fold: Fold
  readonly ledger: LockedLedger
}

export interface IngestedTask {
  /** The request, with the line that was polled for it. */
  readonly request: TrackedRequest
  readonly committedEntry: CommittedEntry<FoldedPoll>
}

interface IngestInput<AnyReading extends TaskReading> {
  readonly task: IngestTask
  readonly request: TrackedRequest
  readonly read: AnyReading
}

/** Null when the request gets nothing more, or has used this already. */
export async function ingestReading(
  ingest: IngestTransaction,
  task: IngestTask,
  read: TaskReading,
): Promise<IngestedTask | null> {
  const row = ingest.ledger.state().requests.get(task.trackingRequestId)
  const request = row === undefined ? null : toListeningRequest(row)
  if (request === null) return null
  return read.pushOrigin === undefined
    ? ingestAnswer(ingest, { task, request, read })
    : ingestMessage(ingest, { task, request, read })
}

/**
 * Null for a request that gets nothing more: one that failed, or that a user stopped during the poll. A request that
 * ended by itself still gets the answer, and continues only when the answer contradicts the end.
 */
function toListeningRequest(row: TrackingRequestRow): TrackedRequest | null {
  if (row.status === 'failed') return null
  if (row.status === 'tracking_stopped' && row.lifecycle.stoppedReason === 'cancelled_by_user') return null
  return toPolledRequest(row)
}

/**
 * The shipment that the request asks for. Null when the reading does not show it. `targetClaims`: what is on record of
 * the poll target.
 */
export function shipmentKeyOf(
  fold: Fold,
  request: TrackedRequest,
  of: { readonly targetClaims: ClaimsById | undefined; readonly read: TaskReading; readonly now: string },
): ShipmentKey | null {
  const { targetClaims = new Map(), read, now } = of
  const about = { ...request, snapshotId: null, recordedAt: now }
  if (read.pushOrigin !== undefined) {
    const { reading, pushOrigin } = read
    const isLines = pushOrigin.source.kind === 'shipping_line' && pushOrigin.source.code === request.scac
    if (reading.outcome !== 'found' || !isLines) return null
    const { source } = pushOrigin
    const of = { ...about, source, shipmentId: null, isFullPicture: false }
    const { add } = compareReading([], { ...of, observations: reading.observations, withdrawn: [] })
    return deriveShipmentKey(fold, request, [...findActiveClaims(targetClaims), ...add], now)
  }
  if (read.reading === null) return null
  const change = compareAnswerReading(findActiveClaims(targetClaims), read.reading, about)
  const after = applyStatements(targetClaims, change, { at: now, snapshotId: null, reader: read.reader })
  return deriveShipmentKey(fold, request, findActiveClaims(after), now)
}

/** Null when the request does not ingest this answer any more. */
async function ingestAnswer(
  ingest: IngestTransaction,
  { task, request, read }: IngestInput<AnswerReading>,
): Promise<IngestedTask | null> {
  const { fold, ledger } = ingest
  // The request has another line, or another kind of number, by now: this late answer does not count any more.
  if (request.subjectId !== task.subjectId) return null
  const state = ledger.state()
  const { id: trackingRequestId, shipmentId, subjectId: pollTargetId, accountId, scac } = request
  const { snapshotId, isSandbox, payload } = task
  const { reading, outcome, reader } = read
  const now = ledger.momentOf({ trackingRequestId, shipmentId })
  const targetClaims = state.claimsByTarget.get(pollTargetId)
  const key = shipmentId === null ? shipmentKeyOf(fold, request, { targetClaims, read, now }) : null
  const joins = key === null ? null : (findShipment(state, key)?.row.id ?? null)
  const recordedAt = ledger.momentOf({ trackingRequestId, shipmentId, joins })
  const ingested =
    reading === null
      ? null
      : ingestAnswerReading(state, reading, {
          accountId,
          subjectId: pollTargetId,
          scac,
          snapshotId,
          recordedAt,
        })
  const material =
    ingested === null ? ({ kind: 'no_answer', outcome } as const) : ({ kind: 'reading', ingested, outcome } as const)
  const kinds = await findOtherNumberKinds(ingest, { request, outcome, isSandbox, now: recordedAt })
  const isOver = isDetecting(request) && isTripOver(fold, targetClaims, { request, material, recordedAt })
  const committedEntry = ledger.take<'look', FoldedPoll>(
    {
      kind: 'look',
      trackingRequestId,
      shipmentId,
      joins,
      subjectId: pollTargetId,
      snapshotId,
      reader,
      payload: {
        outcome: outcome.kind,
        ...(kinds.length > 0 && { kinds }),
        ...(isOver && { isTripOver: true }),
        ...(payload.look !== undefined && { look: payload.look }),
        ...(ingested !== null && recordIngestedClaims(ingested)),
      },
    },
    (before, entry) => recordOpenedShipment(foldPoll(fold, before, entry, { material, key })),
  )
  return { request, committedEntry }
}

/**
 * The other kinds that the number may have, when its line does not know it as the kind that was sent, each with its
 * poll target. The kind that was sent comes first. Empty when there is nothing to try: the line did not deny it, other
 * kinds were tried before, or the line tracks no other kind that the number can be. A request for a container is never
 * tried as another kind, because its number has a check digit.
 */
async function findOtherNumberKinds(
  { db, service }: IngestTransaction,
  of: {
    readonly request: TrackedRequest
    readonly outcome: PollOutcome
    readonly isSandbox: boolean
    readonly now: string
  },
): Promise<readonly KindOption[]> {
  const { request, outcome, isSandbox, now } = of
  const { kinds, detection } = request.lifecycle
  const line = findShippingLine(request.scac)
  if (!isNegativeAnswer(outcome.kind) || request.status !== 'pending' || line === null) return []
  if (kinds !== undefined || detection !== undefined || request.requestType === 'container') return []
  const number = compactNumber(line, request.requestNumber)
  const credential = await findCredential(db, { accountId: request.accountId, scac: line.scac, isSandbox })
  if (credential === null) return []
  const others = requestTypes.filter(
    (type) =>
      type !== request.requestType &&
      canTrackBy(line, type) &&
      canPollBy(credential, type) &&
      isValidNumberForType(type, number),
  )
  if (others.length === 0) return []
  const found: KindOption[] = [
    { requestType: request.requestType, number: request.number, subjectId: request.subjectId },
  ]
  for (const requestType of others) {
    const pollTargetId = await ensurePollTarget(db, {
      id: uuidV7(service.clock.now()),
      credentialId: credential.id,
      scac: line.scac,
      kind: kindOfType[requestType],
      number,
      createdAt: now,
      // The first of the others is polled next. The plan of polls handles the rest in order.
      dueAt: requestType === others[0] ? realNow(service) : null,
      accountId: request.accountId,
    })
    found.push({ requestType, number, subjectId: pollTargetId })
  }
  return found
}

function isValidNumberForType(type: RequestType, number: string): boolean {
  return type === 'container' ? parseContainerNumber(number).ok : parseReferenceNumber(number).ok
}

/** Null when this message part was already used for the shipment, or when no shipment is found. */
async function ingestMessage(
  { db, fold, ledger }: IngestTransaction,
  { task, request, read }: IngestInput<MessageReading>,
): Promise<IngestedTask | null> {
  const state = ledger.state()
  const { reader, pushOrigin } = read
  const { accountId, subjectId: pollTargetId, snapshotId } = task
  const { id: trackingRequestId } = request
  const now = ledger.momentOf({ trackingRequestId, shipmentId: request.shipmentId })
  const targetClaims = state.claimsByTarget.get(request.subjectId)
  const key = request.shipmentId === null ? shipmentKeyOf(fold, request, { targetClaims, read, now }) : null
  const joins = key === null ? null : (findShipment(state, key)?.row.id ?? null)
  const shipmentId = request.shipmentId ?? joins ?? key?.id ?? null
  if (shipmentId === null) return null
  const recordedAt = ledger.momentOf({ trackingRequestId, shipmentId: request.shipmentId, joins })
  if (!(await recordIngestion(db, { accountId, shipmentId, mentionId: pushOrigin.mention, at: recordedAt })))
    return null
  const { mention: _, ...by } = pushOrigin
  const ingested = ingestMessageReading(state, read, {
    accountId,
    subjectId: pollTargetId,
    shipmentId,
    snapshotId,
    recordedAt,
    ...by,
  })
  const payload = {
    via: 'push' as const,
    ...pushOrigin,
    outcome: key === null ? null : ('found' as const),
    ...recordIngestedClaims(ingested),
  }
  const about = {
    trackingRequestId,
    shipmentId: request.shipmentId,
    joins,
    subjectId: pollTargetId,
    snapshotId,
    reader,
  }
  const committedEntry = ledger.take<'heard', FoldedPoll>({ kind: 'heard', ...about, payload }, (before, entry) =>
    recordOpenedShipment(foldMessage(fold, before, { ...entry, payload }, { ingested, key })),
  )
  return { request, committedEntry }
}
