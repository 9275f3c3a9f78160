/** Keeps what a look brought, in one transaction: the answer, the log of the look, the tasks that follow, the next look. */

import { createHash } from 'node:crypto'
import { breakMs, type RequestLimits } from '../../../core/looking/request-budget.ts'
import { leaveAloneMs } from '../../../core/looking/schedule.ts'
import { isPartlyUnderstood } from '../../../core/requests/understanding.ts'
import { addMs } from '../../../core/values/time.ts'
import { uuidV7 } from '../../../platform/ids.ts'
import { liveTraceparent } from '../../../platform/live-span.ts'
import { findSource } from '../../../sources/registry.ts'
import type { FetchResult } from '../../../sources/source.ts'
import { noteAnswered, noteFailure } from '../../../store/channels/channel-spending.ts'
import { type Db, inTransaction } from '../../../store/database.ts'
import { wake } from '../../../store/ground/wake.ts'
import type { DueSubject } from '../../../store/looks/due-subjects.ts'
import { askLineAgain, leaveLineAlone } from '../../../store/looks/line-slots.ts'
import { getSnapshotHash, keepSnapshot, recordLook } from '../../../store/looks/snapshots.ts'
import { finishLook, markUnconfirmed } from '../../../store/looks/subjects.ts'
import { enqueueForSubject } from '../../../store/looks/tasks.ts'
import { type KeptReading, readKeptSnapshot } from '../../ledger/read-kept-snapshot.ts'
import type { Rules } from '../../ledger/rules.ts'
import { takeAgain } from '../../ledger/take-again.ts'
import { journeyNow, realNow, type Service } from '../../service.ts'
import { planNextLooks } from './plan-next-look.ts'

/** Planned as a fallback, until the tasks of the look have planned the real time of the next look. */
const fallbackGapMs = 6 * 3_600_000

/** A subject that is due, under our lease. */
export interface LookJob {
  readonly subject: DueSubject
  readonly token: string
  /** Requests that were counted against the limits beforehand. */
  readonly requests: number
  readonly limits: RequestLimits
}

export interface FinishedLook extends LookJob {
  readonly startedAt: string
  readonly result: FetchResult
  /** Requests to reserve for the next look at this subject. */
  readonly needed: number
}

export interface KeptLook {
  readonly outcome: string
  readonly succeeded: boolean
  /** Until when the line is not asked, because it wanted that or failed too often. Null when there is no such pause. */
  readonly leftAloneUntil: string | null
  readonly issues: KeptReading['reading']['issues']
}

export function keepLook(service: Service, rules: Rules, look: FinishedLook): Promise<KeptLook> {
  const { subject, token, result } = look
  const recordedAt = journeyNow(service, subject.isFiction)
  const retryAfterMs = leaveAloneMs({ askedMs: result.retryAfterMs ?? 0, refusals: subject.refusals })
  return keepAgain(service, async (db) => {
    const kept = result.kind === 'answered' ? await keep(service, db, subject, result, recordedAt) : null
    const outcome = kept === null ? 'unreachable' : (kept.read?.outcome.kind ?? 'unchanged')
    const succeeded = outcome !== 'unreachable' && outcome !== 'unrecognized' && outcome !== 'internal_error'
    const reading = kept?.read?.reading ?? null
    const events = reading?.events ?? null
    const isDue = await finishLook(db, {
      subjectId: subject.id,
      token,
      attemptedAt: recordedAt,
      succeeded,
      // A login page is kept, but the next proper answer is compared with the last proper one.
      snapshotId: succeeded ? (kept?.id ?? null) : null,
      nextLookAt: addMs(realNow(service), Math.max(fallbackGapMs, retryAfterMs)),
      isPartlyUnderstood: events === null ? null : isPartlyUnderstood(events),
      requests: look.needed,
      etag: etagOf(look),
    })
    // The lease ran out and another worker looked. What that worker wrote stands; this answer is dropped with the
    // transaction.
    if (!isDue) throw new Error('the lease of the look ran out')
    const id = await log(service, db, look, { recordedAt, outcome, kept })
    // An answer about another number does not show that the line fails for every number.
    const isOfLine = !succeeded && reading?.verdict !== 'other_number'
    const isHeard = events !== null && events.told > events.aside
    const leftAloneUntil = await leaveAlone(service, db, subject, {
      succeeded,
      isHeard,
      isOfLine,
      retryAfterMs,
    })
    await passOn(service, db, rules, { subject, kept, succeeded, look: id, retryAfterMs })
    return { outcome, succeeded, leftAloneUntil, issues: reading?.issues ?? [] }
  })
}

/**
 * The part of the log for a new day may be made at this moment. An answer is worth more than a second try, so it is
 * kept again and the line is not asked again.
 */
function keepAgain<Result>({ pool }: Service, work: (db: Db) => Promise<Result>): Promise<Result> {
  return takeAgain(() => inTransaction(pool, work))
}

async function log(
  service: Service,
  db: Db,
  { subject, startedAt, result }: FinishedLook,
  of: { readonly recordedAt: string; readonly outcome: string; readonly kept: KeptAnswer | null },
): Promise<string> {
  const { recordedAt, outcome, kept } = of
  const reading = kept?.read?.reading ?? null
  const id = uuidV7(service.clock.now())
  await recordLook(db, {
    id,
    subjectId: subject.id,
    startedAt,
    attemptedAt: recordedAt,
    endedAt: realNow(service),
    durationMs: Math.round(result.durationMs),
    outcome,
    statusCode: result.kind === 'answered' ? result.snapshot.status : result.statusCode,
    detail: result.kind === 'answered' ? (reading?.verdict ?? null) : `${result.reason}: ${result.detail}`,
    snapshotId: kept?.id ?? null,
    isUnchanged: kept?.isUnchanged ?? false,
    credentialId: subject.credentialId,
    events: reading?.events ?? null,
  })
  return id
}

/**
 * When the line asks us to wait, or fails whatever it is asked about, none of its numbers is looked at for a while, and
 * then one number at a time until it answers. Returns until when; null when there is no such pause.
 */
async function leaveAlone(
  service: Service,
  db: Db,
  subject: DueSubject,
  {
    succeeded,
    isHeard,
    isOfLine,
    retryAfterMs,
  }: {
    readonly succeeded: boolean
    readonly isHeard: boolean
    readonly isOfLine: boolean
    readonly retryAfterMs: number
  },
): Promise<string | null> {
  const now = realNow(service)
  const failures = succeeded || isOfLine ? await noteFailure(db, subject.credentialId, isOfLine) : 0
  if (succeeded) await noteAnswered(db, subject.credentialId, { at: now, isHeard })
  const restMs = succeeded ? 0 : Math.max(retryAfterMs, breakMs(failures) ?? 0)
  const until = restMs > 0 ? addMs(now, restMs) : null
  if (until !== null) await leaveLineAlone(db, { credentialId: subject.credentialId, now, until })
  else if (succeeded && subject.refusals > 0) await askLineAgain(db, subject.credentialId)
  return until
}

/**
 * Makes a task for each request that must hear the answer. If there are any, they plan the next look, because they know
 * more; otherwise it is planned here.
 */
async function passOn(
  service: Service,
  db: Db,
  rules: Rules,
  of: {
    readonly subject: DueSubject
    readonly kept: KeptAnswer | null
    readonly succeeded: boolean
    /** Id of the look in the log. */
    readonly look: string
    readonly retryAfterMs: number
  },
): Promise<void> {
  const { subject, kept, succeeded, look, retryAfterMs } = of
  const isNews = kept?.isUnchanged !== true || subject.isUnconfirmed
  const trace = liveTraceparent()
  // Requests that are still searching count every look, also one that brought nothing new.
  const tasks = await enqueueForSubject(db, {
    subjectId: subject.id,
    snapshotId: kept?.id ?? null,
    payload: { look, ...(trace !== null && { trace }), ...(kept === null && { outcome: 'unreachable' }) },
    onlyUnresolved: !isNews || !succeeded,
  })
  if (isNews && subject.isUnconfirmed && succeeded) await markUnconfirmed(db, [subject.id], false)
  if (tasks > 0) return wake(db, 'tasks')
  const { isFiction } = subject
  await planNextLooks(db, service, rules, { subjectIds: [subject.id], isFiction, retryAfterMs })
}

/**
 * Records a look that failed through an error of our own. It is tried again later, and a request that still waits for
 * an answer shows the error.
 */
export async function keepFault(
  service: Service,
  { subject, token, error }: LookJob & { readonly error: unknown },
): Promise<void> {
  const recordedAt = journeyNow(service, subject.isFiction)
  await keepAgain(service, async (db) => {
    const isOurs = await finishLook(db, {
      subjectId: subject.id,
      token,
      attemptedAt: recordedAt,
      succeeded: false,
      snapshotId: null,
      nextLookAt: addMs(realNow(service), 60_000 * 2 ** Math.min(subject.failures, 6)),
      isPartlyUnderstood: null,
      requests: 1,
      etag: null,
    })
    if (!isOurs) return
    const id = uuidV7(service.clock.now())
    await recordLook(db, {
      id,
      subjectId: subject.id,
      startedAt: recordedAt,
      attemptedAt: recordedAt,
      endedAt: realNow(service),
      durationMs: 0,
      outcome: 'internal_error',
      statusCode: null,
      detail: error instanceof Error ? error.message.replaceAll('\0', ' ').slice(0, 300) : null,
      snapshotId: null,
      isUnchanged: false,
      credentialId: subject.credentialId,
      events: null,
    })
    const tasks = await enqueueForSubject(db, {
      subjectId: subject.id,
      snapshotId: null,
      payload: { look: id, outcome: 'internal_error' },
      onlyUnresolved: true,
    })
    if (tasks > 0) await wake(db, 'tasks')
  })
}

function etagOf({ subject, result }: FinishedLook): string | null {
  if (result.kind !== 'answered') return null
  return result.isUnchanged === true ? subject.etag : (result.etag ?? null)
}

interface KeptAnswer {
  readonly id: string
  readonly isUnchanged: boolean
  /** Null when the answer is unchanged: the same bytes say the same. */
  readonly read: KeptReading | null
}

async function keep(
  service: Service,
  db: Db,
  subject: DueSubject,
  result: Extract<FetchResult, { kind: 'answered' }>,
  recordedAt: string,
): Promise<KeptAnswer> {
  const { snapshot } = result
  if (result.isUnchanged === true && subject.lastSnapshotId !== null)
    return { id: subject.lastSnapshotId, isUnchanged: true, read: null }
  const contentHash = createHash('sha256').update(`${snapshot.status}\n`).update(snapshot.body).digest()
  const last = subject.lastSnapshotId === null ? null : await getSnapshotHash(db, subject.lastSnapshotId)
  if (subject.lastSnapshotId !== null && last?.equals(contentHash) === true) {
    return { id: subject.lastSnapshotId, isUnchanged: true, read: null }
  }
  const kept = {
    id: uuidV7(service.clock.now()),
    subjectId: subject.id,
    contentHash,
    status: snapshot.status,
    contentType: snapshot.contentType,
    body: snapshot.body,
    recordedAt,
  }
  const id = await keepSnapshot(db, kept)
  return { id, isUnchanged: false, read: readKeptSnapshot({ findSource }, kept, subject, subject) }
}
