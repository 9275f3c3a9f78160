/**
 * Repairs history with a corrected reader: the stored snapshots of what is tracked are read again in their order,
 * claims that the reader no longer makes are retired, new ones are added, and subscribers get the difference as
 * corrections.
 */

import type { LookOutcome } from '../../core/requests/tracking-request.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Db, inTransaction } from '../../store/database.ts'
import { wake } from '../../store/ground/wake.ts'
import type { Opening } from '../../store/journey-state/load.ts'
import type { SaidClaims } from '../../store/journey-state/state.ts'
import { lockTrackingRequest, type TrackedRequest } from '../../store/journeys/tracking-requests.ts'
import { readingsOfSubject } from '../../store/ledger/ledger.ts'
import { settleInitialFields } from '../../store/tracking/initial-custom-fields.ts'
import { requestsToRead, shipmentToRead } from '../../store/tracking/live-requests.ts'
import type { SnapshotOpener } from '../ground/open-snapshots.ts'
import { labelOutcome } from '../inference/label-outcome.ts'
import type { Service } from '../service.ts'
import { asAsked, isDetecting } from './asked-request.ts'
import type { Fold } from './fold.ts'
import { foldLook, type LookFolded, sayOpened } from './fold-look.ts'
import { changeBy, type Heard, issuesOf, recordHeard } from './hear.ts'
import { type KeptSnapshots, keptSnapshots } from './kept-snapshots.ts'
import { findShipment, identify } from './open-shipment.ts'
import { differenceOf, isReadBy, type Reread, sumOf } from './read-anew.ts'
import { readKeptSnapshot } from './read-kept-snapshot.ts'
import { rereadMessages } from './reread-messages.ts'
import { standingClaims } from './state-rows.ts'
import { takeAgain } from './take-again.ts'
import { type HeldLedger, type Taken, type Taking, takeEntries } from './take-entries.ts'
import { takeIn } from './take-in.ts'

export interface RereadReport {
  /** Requests whose snapshots another reader had read, and how many snapshots those were. */
  readonly requests: number
  readonly snapshots: number
  /** Requests for which the reader now says something else, and how many claims that adds and retires. */
  readonly changed: number
  readonly added: number
  readonly retired: number
  readonly failed: readonly { readonly requestId: string; readonly why: string }[]
}

/** The database with answers and messages, and what opens those that are sealed or packed. */
type Kept = SnapshotOpener & Pick<Service, 'pool'>

/**
 * A transaction for the answers to each request and one for its messages, so that a running service is not blocked and
 * one failure does not stop the others.
 */
export async function rereadAll(
  kept: Kept,
  fold: Fold,
  journeyClock: (isFiction: boolean) => Clock,
): Promise<RereadReport> {
  let report: RereadReport = { requests: 0, snapshots: 0, changed: 0, added: 0, retired: 0, failed: [] }
  for (const { accountId, id, isFiction } of await requestsToRead(kept.pool)) {
    const now = new Date(journeyClock(isFiction).now()).toISOString()
    try {
      const done = await rereadHistory(kept, fold, { accountId, id, now, metrics: null })
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
  await wake(kept.pool, 'events')
  return report
}

interface About extends Pick<Taking, 'now' | 'metrics'> {
  readonly accountId: string
  readonly id: string
}

/**
 * Reads again the answers to the request and the messages for its shipment. Null when this reader was the last to read
 * both.
 */
export async function rereadHistory(kept: Kept, fold: Fold, of: About): Promise<Reread | null> {
  const { pool } = kept
  const asked = await takeAgain((also) =>
    inTransaction(pool, (db) => rereadRequest(db, kept, fold, of, also)),
  )
  const shipmentId = await shipmentToRead(pool, of)
  if (shipmentId === null) return asked
  const told = await takeAgain((also) =>
    inTransaction(pool, (db) => rereadMessages(db, kept, fold, { ...of, shipmentId }, also)),
  )
  return asked === null || told === null ? (asked ?? told) : sumOf([asked, told])
}

/**
 * Runs in the caller's transaction. Null when this reader was the last to read all of it. Throws the errors after which
 * `takeAgain` tries once more.
 */
async function rereadRequest(
  db: Db,
  opener: SnapshotOpener,
  fold: Fold,
  of: About,
  alsoHeld: readonly string[] = [],
): Promise<Reread | null> {
  const { accountId, id, now } = of
  const row = await lockTrackingRequest(db, of)
  // A request whose line is being detected keeps to the answers that it got.
  const asked = row === null || isDetecting(row) ? null : asAsked(row)
  const anew = asked === null ? null : await readAnew(db, keptSnapshots(db, opener), fold, asked)
  if (asked === null || anew === null) return null
  const requestIds = [id, ...alsoHeld]
  const keys = { accountId, requestIds, shipmentIds: [], locksAsking: false, isProjected: true }
  const opening: Opening = (requests) =>
    requests.flatMap((request) =>
      request.id === id ? identify(fold, asked, standingClaims(anew.said), now) : [],
    )
  const { result } = await takeEntries(
    db,
    fold,
    { keys, opening, now, entriesMax: 1, metrics: of.metrics },
    (ledger) => takeDifference(fold, ledger, asked, anew),
  )
  if (result.taken !== null) await followUp(db, asked, result.taken)
  return result.counts
}

/**
 * A request that was still searching and now turns out to be found moves on. Otherwise the entry does not count as a
 * look.
 */
function takeDifference(fold: Fold, ledger: HeldLedger, request: TrackedRequest, anew: ReadAnew) {
  const { id: trackingRequestId, shipmentId, subjectId } = request
  const { snapshotId, reader, issues, snapshots } = anew
  const state = ledger.state()
  const difference = differenceOf(standingClaims(state.subjects.get(subjectId)), anew.said)
  const { add, retire } = difference
  const counts = { snapshots, added: add.length, retired: retire.length }
  const isFound = shipmentId === null && (anew.outcome.kind === 'found' || anew.outcome.kind === 'cancelled')
  if (add.length + retire.length === 0 && !isFound) return { counts, taken: null }
  const outcome = isFound ? anew.outcome : null
  const now = ledger.momentOf({ trackingRequestId, shipmentId })
  const key = isFound ? identify(fold, request, standingClaims(anew.said), now) : null
  const joins = key === null ? null : (findShipment(state, key)?.row.id ?? null)
  const readAt = ledger.momentOf({ trackingRequestId, shipmentId, joins })
  const change = { add: add.map((claim) => ({ ...claim, readAt })), retire, seen: [], missing: [], left: [] }
  const heard = { change, issues }
  const material = { kind: 'reading', heard, outcome } as const
  const payload = {
    outcome: outcome?.kind ?? null,
    isReread: true,
    ...(!fold.rules.announcesMended && { isQuiet: true }),
    ...recordHeard(heard),
  }
  const about = { trackingRequestId, shipmentId, joins, subjectId, snapshotId, reader }
  const taken = ledger.take<'look', LookFolded>({ kind: 'look', ...about, payload }, (before, entry) =>
    sayOpened(foldLook(fold, before, entry, { material, key })),
  )
  return { counts, taken }
}

async function followUp(
  db: Db,
  request: TrackedRequest,
  { entry, folded }: Taken<LookFolded>,
): Promise<void> {
  const { accountId, id: trackingRequestId } = request
  const { shipmentId, lifecycle: state, happened, projection } = folded
  const isFound = request.shipmentId === null && entry.kind === 'look' && entry.payload.outcome !== null
  if (isFound) await labelOutcome(db, { entry, request, applied: { state, happened, projection }, known: [] })
  if (request.hasInitialFields && shipmentId !== null)
    await settleInitialFields(db, { accountId, trackingRequestId, shipmentId })
}

interface ReadAnew {
  /** As if this reader had read each snapshot when it came. */
  readonly said: SaidClaims
  readonly snapshots: number
  /** Of the last snapshot. */
  readonly snapshotId: string
  readonly reader: string
  readonly outcome: LookOutcome
  readonly issues: Heard['issues']
}

/** Null when this reader was the last to read, or nobody has read anything. */
async function readAnew(
  db: Db,
  kept: KeptSnapshots,
  fold: Fold,
  request: TrackedRequest,
): Promise<ReadAnew | null> {
  const { accountId, subjectId, scac } = request
  const access = await kept.getAccess(subjectId)
  const entries = await readingsOfSubject(db, { accountId, subjectId })
  let said: SaidClaims = new Map()
  let last: Omit<ReadAnew, 'said' | 'snapshots'> | null = null
  let snapshots = 0
  for (const { snapshotId, recordedAt, isReread } of entries) {
    if (isReread) continue
    const snapshot = await kept.getSnapshot(snapshotId)
    const question = { scac, kind: access.kind, number: access.number }
    const { reading, outcome, reader } = readKeptSnapshot(fold, snapshot, question, access)
    if (last === null && isReadBy(reader, entries)) return null
    const about = { accountId, subjectId, scac, snapshotId, recordedAt }
    said = takeIn(said, changeBy(standingClaims(said), reading, about), {
      at: recordedAt,
      snapshotId,
      reader,
    })
    last = { snapshotId, reader, outcome, issues: issuesOf(reading, about) }
    snapshots += 1
  }
  return last === null ? null : { said, snapshots, ...last }
}
