/** Looks: asks the line about a subject that is due, keeps what it answered, and passes news on as tasks. */

import { createHash } from 'node:crypto'
import { leaveAloneMs } from '../../core/schedule.ts'
import { addMs } from '../../core/time.ts'
import { isPartlyUnderstood } from '../../core/understanding.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { findSource } from '../../sources/registry.ts'
import type { FetchResult } from '../../sources/source.ts'
import { inTransaction } from '../../store/database.ts'
import { getSnapshotHash, keepSnapshot, recordLook } from '../../store/snapshots.ts'
import {
  askLineAgain,
  type DueSubject,
  finishLook,
  leaseDueSubjects,
  leaveLineAlone,
  markUnconfirmed,
  nextSlotAt,
  releaseSubjects,
  takeSlot,
} from '../../store/subjects.ts'
import { enqueueForSubject } from '../../store/tasks.ts'
import { wake } from '../../store/wake.ts'
import { journeyNow, realNow, type Service } from '../service.ts'
import { planNextLook } from './plan-next-look.ts'
import { type ReadSnapshot, readSnapshot } from './read-snapshot.ts'
import type { Rules } from './rules.ts'

/** Longer than any fetch may take (time-outs and pages included), so that a lease outlives its look. */
const leaseMs = 180_000
/** When a look cannot even be tried, and as a fallback while its tasks are under way. */
const fallbackGapMs = 6 * 3_600_000

/** A subject that is due, under our lease. */
export interface LookJob {
  readonly subject: DueSubject
  readonly token: string
}

/** Takes up to `limit` due subjects, those due longest first, each with its line's leave to be asked now. */
export async function takeLooks(service: Service, limit: number): Promise<readonly LookJob[]> {
  const token = uuidV7(service.clock.now())
  const now = realNow(service)
  return inTransaction(service.pool, async (db) => {
    const due = await leaseDueSubjects(db, { token, now, until: addMs(now, leaseMs), limit })
    const closed = new Set<string>()
    const jobs: LookJob[] = []
    const unasked: string[] = []
    for (const subject of due) {
      const pace = closed.has(subject.credentialId) ? null : rateOf(subject)
      const slot = { credentialId: subject.credentialId, now }
      if (pace !== null && !(await takeSlot(db, { ...slot, ...pace }))) closed.add(subject.credentialId)
      if (closed.has(subject.credentialId)) unasked.push(subject.id)
      else jobs.push({ subject, token })
    }
    await releaseSubjects(db, { subjectIds: unasked, token })
    return jobs
  })
}

/** Milliseconds until a line opens whose subjects wait for its rate limit; null when none waits. */
export async function msUntilSlot(service: Service): Promise<number | null> {
  const at = await nextSlotAt(service.pool, realNow(service))
  return at === null ? null : Math.max(1, Date.parse(at) - service.clock.now())
}

/** Never rejects: what goes wrong is logged, counted and tried again. */
export async function lookAt(service: Service, rules: Rules, { subject, token }: LookJob): Promise<void> {
  try {
    const startedAt = journeyNow(service, subject.isFiction)
    const result = await ask(service, subject)
    await record(service, rules, { subject, token, startedAt, result })
  } catch (error) {
    service.metrics.jobFailed({ job: 'look', subject: subject.id, scac: subject.scac, error })
    await recordFault(service, { subject, token, error }).catch((cause: unknown) => {
      // The database is gone as well: the lease runs out by itself.
      service.log.warn('database.unreachable', { subject: subject.id, error: cause })
    })
  }
}

/** Our own fault: the look is tried again later, and a request that still waits for an answer shows it. */
async function recordFault(
  service: Service,
  { subject, token, error }: LookJob & { readonly error: unknown },
): Promise<void> {
  const recordedAt = journeyNow(service, subject.isFiction)
  await inTransaction(service.pool, async (db) => {
    const isOurs = await finishLook(db, {
      subjectId: subject.id,
      token,
      attemptedAt: recordedAt,
      succeeded: false,
      snapshotId: null,
      nextLookAt: addMs(realNow(service), 60_000 * 2 ** Math.min(subject.failures, 6)),
      isPartlyUnderstood: null,
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

function rateOf(subject: DueSubject): { readonly intervalMs: number; readonly burst: number } | null {
  const source = findSource(subject.source)
  return source?.rateOf(subject.profile) ?? null
}

async function ask(service: Service, subject: DueSubject): Promise<FetchResult> {
  const source = findSource(subject.source)
  if (source === null) throw new Error(`no source is called ${subject.source}`)
  const profile = source.parseProfile(subject.profile)
  if (!profile.ok) throw new Error(`the profile of ${subject.scac} is none: ${profile.reason}`)
  const secrets =
    subject.secretSealed === null
      ? {}
      : (JSON.parse(service.vault.open(subject.secretSealed)) as Record<string, string>)
  return source.fetch(
    { scac: subject.scac, kind: subject.kind, number: subject.number, firstAskedAt: subject.createdAt },
    { profile: profile.value, secrets },
    { egress: service.carrierEgress(subject.isFiction), now: () => service.clock.now() },
  )
}

interface FinishedLook {
  readonly subject: DueSubject
  readonly token: string
  readonly startedAt: string
  readonly result: FetchResult
}

/** One transaction: the snapshot, the log of the look, the tasks that follow from it, the next look. */
async function record(service: Service, rules: Rules, look: FinishedLook): Promise<void> {
  const { subject, token, startedAt, result } = look
  const recordedAt = journeyNow(service, subject.isFiction)
  const askedMs = result.retryAfterMs ?? 0
  const retryAfterMs = leaveAloneMs({ askedMs, refusals: subject.refusals })
  const finished = await inTransaction(service.pool, async (db) => {
    const kept = result.kind === 'answered' ? await keep(service, db, subject, result, recordedAt) : null
    const outcome = kept === null ? 'unreachable' : (kept.read?.outcome.kind ?? 'unchanged')
    const succeeded = outcome !== 'unreachable' && outcome !== 'unrecognized' && outcome !== 'internal_error'
    const isUnchanged = kept?.isUnchanged ?? false
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
    })
    // The lease ran out and another worker looked: what it wrote stands, this answer is dropped with the transaction.
    if (!isDue) throw new Error('the lease of the look ran out')
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
      isUnchanged,
      credentialId: subject.credentialId,
      events,
    })
    // The line wants to be left alone, whatever it was asked for: none of its numbers is looked at until then.
    const now = realNow(service)
    const leftAloneUntil = !succeeded && retryAfterMs > 0 ? addMs(now, retryAfterMs) : null
    if (leftAloneUntil !== null)
      await leaveLineAlone(db, { credentialId: subject.credentialId, now, until: leftAloneUntil })
    else if (succeeded && subject.refusals > 0) await askLineAgain(db, subject.credentialId)
    const isNews = !isUnchanged || subject.isUnconfirmed
    // Requests that are still searching live by every look, also by one that brought nothing new.
    const tasks = await enqueueForSubject(db, {
      subjectId: subject.id,
      snapshotId: kept?.id ?? null,
      payload: kept === null ? { look: id, outcome: 'unreachable' } : { look: id },
      onlyUnresolved: !isNews || !succeeded,
    })
    if (isNews && subject.isUnconfirmed && succeeded) await markUnconfirmed(db, subject.id, false)
    if (tasks > 0) await wake(db, 'tasks')
    // With tasks under way the plan is made when they are done and know more.
    else
      await planNextLook(db, service, rules, {
        subjectId: subject.id,
        isFiction: subject.isFiction,
        retryAfterMs,
      })
    return { outcome, succeeded, leftAloneUntil, issues: reading?.issues ?? [] }
  })
  const fields = { subject: subject.id, durationMs: Math.round(result.durationMs) }
  if (finished.succeeded)
    service.metrics.lookFinished({ scac: subject.scac, outcome: finished.outcome, ...fields })
  else service.metrics.lookFailed({ scac: subject.scac, reason: finished.outcome, ...fields })
  for (const [kind, issues] of Map.groupBy(finished.issues, (issue) => issue.kind))
    service.metrics.issueRaised({ scac: subject.scac, kind, subject: subject.id, times: issues.length })
  const { leftAloneUntil } = finished
  if (leftAloneUntil !== null)
    service.metrics.lineLeftAlone({ scac: subject.scac, askedMs, until: leftAloneUntil })
}

interface KeptAnswer {
  readonly id: string
  readonly isUnchanged: boolean
  /** Read only when it is new: the same bytes say the same. */
  readonly read: ReadSnapshot | null
}

async function keep(
  service: Service,
  db: Parameters<typeof keepSnapshot>[0],
  subject: DueSubject,
  result: Extract<FetchResult, { kind: 'answered' }>,
  recordedAt: string,
): Promise<KeptAnswer> {
  const { snapshot } = result
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
  return { id, isUnchanged: false, read: readSnapshot({ findSource }, kept, subject, subject) }
}
