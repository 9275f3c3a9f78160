/**
 * A mended reader repairs history: the kept snapshots of what is tracked are read anew in their order, claims that it
 * would not make are retired, those that it now makes are added, and subscribers hear the difference as corrections.
 */

import type { LookOutcome } from '../../core/tracking-request.ts'
import type { Clock } from '../../platform/clock.ts'
import { type KeptClaim, liveClaims } from '../../store/claims.ts'
import { type Db, inTransaction, type Pool } from '../../store/database.ts'
import { tablesOf } from '../../store/fold-tables.ts'
import { settleInitialFields } from '../../store/initial-custom-fields.ts'
import { appendEntry, type ReadEntry, readingsOfSubject } from '../../store/ledger.ts'
import { requestsToRead } from '../../store/live-requests.ts'
import { isOvertaken, lockShipmentFloor } from '../../store/shipments.ts'
import { getSnapshot } from '../../store/snapshots.ts'
import { getSubjectAccess } from '../../store/subjects.ts'
import { holdSubject, lockTrackingRequest, type TrackedRequest } from '../../store/tracking-requests.ts'
import { wake } from '../../store/wake.ts'
import { labelOutcome } from '../inference/label-outcome.ts'
import { applyLook } from '../tracking/apply-look.ts'
import { changeBy, type Heard, issuesOf, recordHeard } from '../tracking/heard.ts'
import { lockForEntry, notBefore } from '../tracking/lock-for-entry.ts'
import { asAsked, isDetecting } from './asked-request.ts'
import type { Fold } from './fold.ts'
import { readSnapshot } from './read-snapshot.ts'

export interface RereadReport {
  /** Requests whose snapshots another reader had read, and how many snapshots those were. */
  readonly requests: number
  readonly snapshots: number
  /** Requests of which the reader says otherwise now, and by how many claims. */
  readonly changed: number
  readonly added: number
  readonly retired: number
  readonly failed: readonly { readonly requestId: string; readonly why: string }[]
}

/** One transaction for each request, so that a running service is not held up and one failure stops nothing else. */
export async function rereadAll(
  pool: Pool,
  fold: Fold,
  journeyClock: (isFiction: boolean) => Clock,
): Promise<RereadReport> {
  let report: RereadReport = { requests: 0, snapshots: 0, changed: 0, added: 0, retired: 0, failed: [] }
  for (const { accountId, id, isFiction } of await requestsToRead(pool)) {
    const now = new Date(journeyClock(isFiction).now()).toISOString()
    try {
      const done = await inTransaction(pool, (db) => rereadRequest(db, fold, { accountId, id, now }))
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
  await wake(pool, 'events')
  return report
}

/** In the caller's transaction. Null when there is nothing that another reader read last. */
export async function rereadRequest(
  db: Db,
  fold: Fold,
  of: { readonly accountId: string; readonly id: string; readonly now: string },
): Promise<{ readonly snapshots: number; readonly added: number; readonly retired: number } | null> {
  const { accountId } = of
  const request = await lockTrackingRequest(db, of)
  // A request whose line is being found goes by the answers that it got.
  if (request === null || isDetecting(request)) return null
  const asked = asAsked(request)
  if (asked === null) return null
  await holdSubject(db, { accountId, subjectId: asked.subjectId })
  const { shipmentId, subjectId } = asked
  if (shipmentId !== null) await lockShipmentFloor(db, { accountId, id: shipmentId })
  const anew = await readAnew(db, fold, asked)
  if (anew === null) return null
  const live = await liveClaims(db, { accountId, subjectIds: [subjectId], shipmentId: null })
  const { add, retire } = differenceOf(live, anew)
  const counts = { snapshots: anew.snapshots, added: add.length, retired: retire.length }
  // A request that is still searched for and now turns out to be found moves on; else this is no look.
  const isFound = shipmentId === null && (anew.outcome.kind === 'found' || anew.outcome.kind === 'cancelled')
  if (add.length + retire.length === 0 && !isFound) return counts
  const outcome = isFound ? anew.outcome : null
  const floor = shipmentId === null ? null : await lockForEntry(db, fold, { ...of, shipmentId })
  const recordedAt = notBefore(of.now, floor?.updatedAt ?? request.updatedAt)
  const heard: Heard = {
    change: {
      add: add.map((claim) => ({ ...claim, readAt: recordedAt })),
      retire,
      seen: [],
      missing: [],
      left: [],
    },
    issues: anew.issues,
  }
  const entry = await appendEntry(db, {
    accountId,
    kind: 'look',
    trackingRequestId: request.id,
    shipmentId,
    subjectId,
    snapshotId: anew.snapshotId,
    reader: anew.reader,
    recordedAt,
    payload: {
      outcome: outcome?.kind ?? null,
      isReread: true,
      ...(!fold.rules.announcesMended && { isQuiet: true }),
      ...recordHeard(heard),
    },
  })
  const applied = await applyLook(tablesOf(db), fold, {
    entry,
    request: asked,
    material: { kind: 'reading', heard, outcome },
    opened: null,
  })
  if (isFound) await labelOutcome(db, { entry, request: asked, applied, known: [] })
  if (shipmentId === null && applied.shipmentId !== null) {
    const isLate = await isOvertaken(db, { ...entry, shipmentId: applied.shipmentId })
    if (isLate) throw new Error('its shipment was written to meanwhile; run this once more')
  }
  if (request.hasInitialFields && applied.shipmentId !== null)
    await settleInitialFields(db, {
      accountId,
      trackingRequestId: request.id,
      shipmentId: applied.shipmentId,
    })
  return counts
}

interface ReadAnew {
  readonly live: ReadonlyMap<string, KeptClaim>
  readonly snapshots: number
  /** Of the last snapshot. */
  readonly snapshotId: string
  readonly reader: string
  readonly outcome: LookOutcome
  readonly issues: Heard['issues']
}

/** Folds the subject's snapshots as if this reader had read each of them when it came. */
async function readAnew(db: Db, fold: Fold, request: TrackedRequest): Promise<ReadAnew | null> {
  const { accountId, subjectId, scac } = request
  const access = await getSubjectAccess(db, subjectId)
  const entries = await readingsOfSubject(db, { accountId, subjectId })
  let live: ReadonlyMap<string, KeptClaim> = new Map()
  let last: Omit<ReadAnew, 'live' | 'snapshots'> | null = null
  let snapshots = 0
  for (const { snapshotId, recordedAt, isReread } of entries) {
    if (isReread) continue
    const snapshot = await getSnapshot(db, snapshotId)
    const question = { scac, kind: access.kind, number: access.number }
    const { reading, outcome, reader } = readSnapshot(fold, snapshot, question, access)
    if (last === null && isReadBy(reader, entries)) return null
    const about = { accountId, subjectId, scac, snapshotId, recordedAt }
    const change = changeBy([...live.values()], reading, about)
    live = standAfter(live, change, { snapshotId, recordedAt })
    last = { snapshotId, reader, outcome, issues: issuesOf(reading, about) }
    snapshots += 1
  }
  return last === null ? null : { live, snapshots, ...last }
}

/** Since the last second reading by this reader, if there was one, no other reader has read anything. */
function isReadBy(reader: string, entries: readonly ReadEntry[]): boolean {
  const done = entries.findLastIndex((entry) => entry.isReread && entry.reader === reader)
  return entries.slice(done + 1).every((entry) => entry.reader === reader)
}

function standAfter(
  live: ReadonlyMap<string, KeptClaim>,
  change: Heard['change'],
  at: { readonly snapshotId: string; readonly recordedAt: string },
): ReadonlyMap<string, KeptClaim> {
  const after = new Map(live)
  for (const id of change.retire) after.delete(id)
  for (const id of change.seen) {
    const claim = after.get(id)
    if (claim !== undefined) after.set(id, { ...claim, goneSnapshotId: null, missingSince: null })
  }
  for (const id of [...change.missing, ...change.left]) {
    const claim = after.get(id)
    if (claim === undefined) continue
    const goneSnapshotId = claim.goneSnapshotId ?? at.snapshotId
    const missingSince = change.missing.includes(id) ? at.recordedAt : claim.missingSince
    after.set(id, { ...claim, goneSnapshotId, missingSince })
  }
  for (const claim of change.add) after.set(claim.id, claim)
  return after
}

/**
 * Claims keep the moment at which they were first said, which orders them among the others. What the last picture left
 * out once stands here too: the next picture decides.
 */
function differenceOf(
  live: readonly KeptClaim[],
  anew: ReadAnew,
): { readonly add: readonly KeptClaim[]; readonly retire: readonly string[] } {
  const standing = new Set(live.map(({ id }) => id))
  const add = [...anew.live.values()]
    .filter(({ id }) => !standing.has(id))
    .map((claim) => ({ ...claim, missingSince: null }))
  return { add, retire: live.filter(({ id }) => !anew.live.has(id)).map(({ id }) => id) }
}
