/**
 * Repairs history with a corrected reader: the stored snapshots of what is tracked are read again in their order,
 * claims that the reader no longer makes are retired, new ones are added, and subscribers get the difference as
 * corrections.
 */

import { type Db, inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import type { PollOutcome } from '../../domain/tracking-requests/tracking-request.ts'
import { applyInitialFields } from '../../modules/custom-fields/initial-custom-fields-sql.ts'
import { labelOutcome } from '../../modules/inference/label-outcome.ts'
import type { Service } from '../../modules/service.ts'
import { findShipmentToReread, listRequestsToReread } from '../../modules/tracking-requests/live-requests-sql.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ClaimsById } from '../projection/journey-state-sql.ts'
import type { ShipmentKeyResolver } from '../projection/load-states-sql.ts'
import { copyRolesToShipment, lockTrackingRequest, type TrackedRequest } from '../projection/tracking-requests-sql.ts'
import type { SnapshotOpener } from '../response-archive/open-snapshots.ts'
import { applyStatements } from './apply-statements.ts'
import { type CommitInput, type CommittedEntry, commitEntries, type LockedLedger } from './commit-entries.ts'
import type { Fold } from './fold.ts'
import { type FoldedPoll, foldPoll, recordOpenedShipment } from './fold-poll.ts'
import { compareAnswerReading, type IngestResult, issuesOf, recordIngestedClaims } from './ingest-answer-reading.ts'
import { findReadingsOfTarget } from './ledger-sql.ts'
import { deriveShipmentKey, findShipment } from './open-shipment.ts'
import { isDetecting, toPolledRequest } from './polled-request.ts'
import { readStoredSnapshot } from './read-stored-snapshot.ts'
import { diffClaims, isLastReader, type RereadCounts, sumRereads } from './reread-difference.ts'
import { rereadMessages } from './reread-messages.ts'
import { retryOnConflict } from './retry-on-conflict.ts'
import { createSnapshotLoader, type SnapshotLoader } from './snapshot-loader.ts'
import { findActiveClaims } from './state-rows.ts'

export interface RereadReport {
  /** Requests whose snapshots another reader had read, and how many snapshots those were. */
  readonly requests: number
  readonly snapshots: number
  /** Requests for which the reader now reads something else, and how many claims that adds and retires. */
  readonly changed: number
  readonly added: number
  readonly retired: number
  readonly failed: readonly { readonly requestId: string; readonly why: string }[]
}

/** The database with answers and messages, and what opens those that are encrypted or packed. */
type SnapshotArchive = SnapshotOpener & Pick<Service, 'pool'>

/**
 * A transaction for the answers to each request and one for its messages, so that a running service is not blocked and
 * one failure does not stop the others.
 */
export async function rereadAll(
  archive: SnapshotArchive,
  fold: Fold,
  journeyClock: (isSandbox: boolean) => Clock,
): Promise<RereadReport> {
  let report: RereadReport = { requests: 0, snapshots: 0, changed: 0, added: 0, retired: 0, failed: [] }
  for (const { accountId, id, isSandbox } of await listRequestsToReread(archive.pool)) {
    const now = new Date(journeyClock(isSandbox).now()).toISOString()
    try {
      const done = await rereadHistory(archive, fold, { accountId, id, now, metrics: null })
      if (done === null) continue
      report = {
        ...report,
        requests: report.requests + 1,
        snapshots: report.snapshots + done.snapshots,
        changed: report.changed + (done.added + done.retired > 0 ? 1 : 0),
        added: report.added + done.added,
        retired: report.retired + done.retired,
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      report = { ...report, failed: [...report.failed, { requestId: id, why }] }
    }
  }
  wakeWorkers(archive.pool, 'events')
  return report
}

interface RereadRequestInput extends Pick<CommitInput, 'now' | 'metrics'> {
  readonly accountId: string
  readonly id: string
}

/**
 * Reads again the answers to the request and the messages for its shipment. Null when this reader was the last to read
 * both.
 */
export async function rereadHistory(
  archive: SnapshotArchive,
  fold: Fold,
  of: RereadRequestInput,
): Promise<RereadCounts | null> {
  const { pool } = archive
  const answers = await retryOnConflict((also) =>
    inTransaction(pool, (db) => rereadRequest(db, archive, fold, of, also)),
  )
  const shipmentId = await findShipmentToReread(pool, of)
  if (shipmentId === null) return answers
  const messages = await retryOnConflict((also) =>
    inTransaction(pool, (db) => rereadMessages(db, archive, fold, { ...of, shipmentId }, also)),
  )
  return answers === null || messages === null ? (answers ?? messages) : sumRereads([answers, messages])
}

/**
 * Runs in the caller's transaction. Null when this reader was the last to read all of it. Throws the errors after which
 * `retryOnConflict` tries once more.
 */
async function rereadRequest(
  db: Db,
  opener: SnapshotOpener,
  fold: Fold,
  of: RereadRequestInput,
  alsoHeld: readonly string[] = [],
): Promise<RereadCounts | null> {
  const { accountId, id, now } = of
  const row = await lockTrackingRequest(db, of)
  // A request whose line is being detected keeps the answers that it got.
  const polledRequest = row === null || isDetecting(row) ? null : toPolledRequest(row)
  const anew =
    polledRequest === null ? null : await rereadAnswers(db, createSnapshotLoader(db, opener), fold, polledRequest)
  if (polledRequest === null || anew === null) return null
  const requestIds = [id, ...alsoHeld]
  const keys = { accountId, requestIds, shipmentIds: [], locksAllRequests: false, isProjected: true }
  const opening: ShipmentKeyResolver = (requests) =>
    requests.flatMap((request) =>
      request.id === id ? deriveShipmentKey(fold, polledRequest, findActiveClaims(anew.statedClaims), now) : [],
    )
  const { result } = await commitEntries(
    db,
    fold,
    { keys, opening, now, entriesMax: 1, metrics: of.metrics },
    (ledger) => commitDifference(fold, ledger, polledRequest, anew),
  )
  if (result.taken !== null) await applyAfterFold(db, polledRequest, result.taken)
  return result.counts
}

/**
 * A request that was still searching and now turns out to be found moves on. Otherwise the entry does not count as a
 * poll.
 */
function commitDifference(fold: Fold, ledger: LockedLedger, request: TrackedRequest, anew: RereadResult) {
  const { id: trackingRequestId, shipmentId, subjectId } = request
  const { snapshotId, reader, issues, snapshots } = anew
  const state = ledger.state()
  const difference = diffClaims(findActiveClaims(state.claimsByTarget.get(subjectId)), anew.statedClaims)
  const { add, retire } = difference
  const counts = { snapshots, added: add.length, retired: retire.length }
  const isFound = shipmentId === null && (anew.outcome.kind === 'found' || anew.outcome.kind === 'cancelled')
  if (add.length + retire.length === 0 && !isFound) return { counts, taken: null }
  const outcome = isFound ? anew.outcome : null
  const now = ledger.momentOf({ trackingRequestId, shipmentId })
  const key = isFound ? deriveShipmentKey(fold, request, findActiveClaims(anew.statedClaims), now) : null
  const joins = key === null ? null : (findShipment(state, key)?.row.id ?? null)
  const readAt = ledger.momentOf({ trackingRequestId, shipmentId, joins })
  const change = { add: add.map((claim) => ({ ...claim, readAt })), retire, seen: [], missing: [], left: [] }
  const ingested = { change, issues }
  const material = { kind: 'reading', ingested, outcome } as const
  const payload = {
    outcome: outcome?.kind ?? null,
    isReread: true,
    ...(!fold.rules.publishesRepairs && { isQuiet: true }),
    ...recordIngestedClaims(ingested),
  }
  const about = { trackingRequestId, shipmentId, joins, subjectId, snapshotId, reader }
  const committed = ledger.take<'look', FoldedPoll>({ kind: 'look', ...about, payload }, (before, entry) =>
    recordOpenedShipment(foldPoll(fold, before, entry, { material, key })),
  )
  return { counts, taken: committed }
}

async function applyAfterFold(
  db: Db,
  request: TrackedRequest,
  { entry, folded }: CommittedEntry<FoldedPoll>,
): Promise<void> {
  const { accountId, id: trackingRequestId } = request
  const { shipmentId, lifecycle: state, happened, projection } = folded
  const isFound = request.shipmentId === null && entry.kind === 'look' && entry.payload.outcome !== null
  if (isFound) await labelOutcome(db, { entry, request, applied: { state, happened, projection }, known: [] })
  if (request.hasInitialFields && shipmentId !== null)
    await applyInitialFields(db, { accountId, trackingRequestId, shipmentId })
  if (request.shipmentId === null && shipmentId !== null)
    await copyRolesToShipment(db, { accountId, trackingRequestId, shipmentId, roleId: null })
}

interface RereadResult {
  /** As if this reader had read each snapshot when it came. */
  readonly statedClaims: ClaimsById
  readonly snapshots: number
  /** Of the last snapshot. */
  readonly snapshotId: string
  readonly reader: string
  readonly outcome: PollOutcome
  readonly issues: IngestResult['issues']
}

/** Null when this reader was the last to read, or nobody has read anything. */
async function rereadAnswers(
  db: Db,
  loader: SnapshotLoader,
  fold: Fold,
  request: TrackedRequest,
): Promise<RereadResult | null> {
  const { accountId, subjectId, scac } = request
  const access = await loader.getAccess(subjectId)
  const entries = await findReadingsOfTarget(db, { accountId, subjectId })
  let statedClaims: ClaimsById = new Map()
  let last: Omit<RereadResult, 'statedClaims' | 'snapshots'> | null = null
  let snapshots = 0
  for (const { snapshotId, recordedAt, isReread } of entries) {
    if (isReread) continue
    const snapshot = await loader.getSnapshot(snapshotId)
    const question = { scac, kind: access.kind, number: access.number }
    const { reading, outcome, reader } = readStoredSnapshot(fold, snapshot, question, access)
    if (last === null && isLastReader(reader, entries)) return null
    const about = { accountId, subjectId, scac, snapshotId, recordedAt }
    statedClaims = applyStatements(statedClaims, compareAnswerReading(findActiveClaims(statedClaims), reading, about), {
      at: recordedAt,
      snapshotId,
      reader,
    })
    last = { snapshotId, reader, outcome, issues: issuesOf(reading, about) }
    snapshots += 1
  }
  return last === null ? null : { statedClaims, snapshots, ...last }
}
