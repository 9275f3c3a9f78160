/**
 * Stores the result of a poll, in one transaction: the answer, the log of the poll, the tasks that follow, the next
 * poll.
 */

import type { FetchResult } from '../../connectors/source.ts'
import { afterCommit, type Db, inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { failurePauseMs, type RequestLimits } from '../../domain/polling/request-budget.ts'
import { cooldownMs } from '../../domain/polling/schedule.ts'
import { isPartlyUnderstood } from '../../domain/tracking-requests/event-counts.ts'
import { addMs } from '../../domain/values/time.ts'
import { journeyNow, realNow, type Service } from '../../modules/service.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { liveTraceparent } from '../../platform/live-span.ts'
import { enqueueForPollTarget } from '../ingestion/ingest-tasks-sql.ts'
import type { StoredReading } from '../ledger/read-stored-snapshot.ts'
import { retryOnConflict } from '../ledger/retry-on-conflict.ts'
import type { Rules } from '../ledger/rules.ts'
import { recordPoll } from '../response-archive/snapshots-sql.ts'
import { noteAnswered, noteFailure } from './channel-usage-sql.ts'
import { endCooldown, startCooldown } from './cooldowns-sql.ts'
import type { DuePollTarget } from './due-poll-targets-sql.ts'
import { putFreshReading } from './fresh-readings.ts'
import { planNextPolls } from './plan-next-polls.ts'
import { finishPoll, markUnconfirmed } from './poll-targets-sql.ts'
import { type StoredAnswer, storeAnswer } from './store-answer.ts'

/** Planned as a fallback, until the tasks of the poll have planned the real time of the next poll. */
const fallbackGapMs = 6 * 3_600_000

/** A poll target that is due, under our lease. */
export interface PollJob {
  readonly pollTarget: DuePollTarget
  readonly token: string
  /** Requests that were counted against the limits beforehand. */
  readonly requests: number
  readonly limits: RequestLimits
}

export interface FinishedPoll extends PollJob {
  readonly startedAt: string
  readonly result: FetchResult
  /** Requests to reserve for the next poll of this poll target. */
  readonly needed: number
}

export interface StoredPoll {
  readonly outcome: string
  readonly succeeded: boolean
  /**
   * Until when the line is not polled, because it requested that or failed too often. Null when there is no such
   * cooldown.
   */
  readonly cooldownUntil: string | null
  readonly issues: StoredReading['reading']['issues']
}

export function storePoll(service: Service, rules: Rules, poll: FinishedPoll): Promise<StoredPoll> {
  const { pollTarget, token, result } = poll
  const recordedAt = journeyNow(service, pollTarget.isSandbox)
  const retryAfterMs = cooldownMs({ requestedMs: result.retryAfterMs ?? 0, refusals: pollTarget.refusals })
  return storeWithRetry(service, async (db) => {
    const storedAnswer =
      result.kind === 'answered' ? await storeAnswer(service, db, pollTarget, result, recordedAt) : null
    const outcome = storedAnswer === null ? 'unreachable' : (storedAnswer.read?.outcome.kind ?? 'unchanged')
    const succeeded = outcome !== 'unreachable' && outcome !== 'unrecognized' && outcome !== 'internal_error'
    const reading = storedAnswer?.read?.reading ?? null
    const events = reading?.events ?? null
    const isDue = await finishPoll(db, {
      subjectId: pollTarget.id,
      token,
      attemptedAt: recordedAt,
      succeeded,
      // A login page is stored, but the next valid answer is compared with the last valid one.
      snapshotId: succeeded ? (storedAnswer?.id ?? null) : null,
      nextPollAt: addMs(realNow(service), Math.max(fallbackGapMs, retryAfterMs)),
      isPartlyUnderstood: events === null ? null : isPartlyUnderstood(events),
      requests: poll.needed,
      etag: etagOf(poll),
    })
    // The lease ran out and another worker polled. The rows of that worker stay; this answer is dropped with the
    // transaction.
    if (!isDue) throw new Error('the lease of the poll expired')
    const id = await logPoll(service, db, poll, { recordedAt, outcome, storedAnswer })
    // An answer about another number does not show that the line fails for every number.
    const isOfLine = !succeeded && reading?.outcome !== 'other_number'
    const hasContent = events !== null && events.told > events.aside
    const cooldownUntil = await applyCooldown(service, db, pollTarget, {
      succeeded,
      hasContent,
      isOfLine,
      retryAfterMs,
    })
    await queueFollowUps(service, db, rules, {
      pollTarget,
      storedAnswer,
      succeeded,
      pollId: id,
      retryAfterMs,
    })
    return { outcome, succeeded, cooldownUntil, issues: reading?.issues ?? [] }
  })
}

/**
 * The partition of the log for a new day may be created at this moment. An answer is worth a second try, so it is
 * stored again and the line is not polled again.
 */
function storeWithRetry<Result>({ pool }: Service, work: (db: Db) => Promise<Result>): Promise<Result> {
  return retryOnConflict(() => inTransaction(pool, work))
}

async function logPoll(
  service: Service,
  db: Db,
  { pollTarget, startedAt, result }: FinishedPoll,
  of: { readonly recordedAt: string; readonly outcome: string; readonly storedAnswer: StoredAnswer | null },
): Promise<string> {
  const { recordedAt, outcome, storedAnswer } = of
  const reading = storedAnswer?.read?.reading ?? null
  const id = uuidV7(service.clock.now())
  await recordPoll(db, {
    id,
    subjectId: pollTarget.id,
    startedAt,
    attemptedAt: recordedAt,
    endedAt: realNow(service),
    durationMs: Math.round(result.durationMs),
    outcome,
    statusCode: result.kind === 'answered' ? result.snapshot.status : result.statusCode,
    detail: result.kind === 'answered' ? (reading?.outcome ?? null) : `${result.reason}: ${result.detail}`,
    snapshotId: storedAnswer?.id ?? null,
    isUnchanged: storedAnswer?.isUnchanged ?? false,
    credentialId: pollTarget.credentialId,
    events: reading?.events ?? null,
  })
  return id
}

/**
 * When the line asks us to wait, or fails for every number, none of its numbers is polled for a while, and then one
 * number at a time until it answers. Returns until when; null when there is no such cooldown.
 */
async function applyCooldown(
  service: Service,
  db: Db,
  pollTarget: DuePollTarget,
  {
    succeeded,
    hasContent,
    isOfLine,
    retryAfterMs,
  }: {
    readonly succeeded: boolean
    readonly hasContent: boolean
    readonly isOfLine: boolean
    readonly retryAfterMs: number
  },
): Promise<string | null> {
  const now = realNow(service)
  const failures = succeeded || isOfLine ? await noteFailure(db, pollTarget.credentialId, isOfLine) : 0
  if (succeeded) await noteAnswered(db, pollTarget.credentialId, { at: now, hasContent })
  const pauseMs = succeeded ? 0 : Math.max(retryAfterMs, failurePauseMs(failures) ?? 0)
  const until = pauseMs > 0 ? addMs(now, pauseMs) : null
  if (until !== null) await startCooldown(db, { credentialId: pollTarget.credentialId, now, until })
  else if (succeeded && pollTarget.refusals > 0) await endCooldown(db, pollTarget.credentialId)
  return until
}

/**
 * Makes a task for each request that must ingest the answer. If there are any, they plan the next poll, because they
 * know more; otherwise it is planned here.
 */
async function queueFollowUps(
  service: Service,
  db: Db,
  rules: Rules,
  of: {
    readonly pollTarget: DuePollTarget
    readonly storedAnswer: StoredAnswer | null
    readonly succeeded: boolean
    /** Id of the poll in the log. */
    readonly pollId: string
    readonly retryAfterMs: number
  },
): Promise<void> {
  const { pollTarget, storedAnswer, succeeded, pollId, retryAfterMs } = of
  const isNews = storedAnswer?.isUnchanged !== true || pollTarget.isUnconfirmed
  const trace = liveTraceparent()
  // Requests that are still searching count every poll, also one that brought nothing new.
  const tasks = await enqueueForPollTarget(db, {
    subjectId: pollTarget.id,
    snapshotId: storedAnswer?.id ?? null,
    payload: {
      look: pollId,
      ...(trace !== null && { trace }),
      ...(storedAnswer === null && { outcome: 'unreachable' }),
    },
    onlyUnresolved: !isNews || !succeeded,
  })
  if (isNews && pollTarget.isUnconfirmed && succeeded) await markUnconfirmed(db, [pollTarget.id], false)
  if (tasks > 0) {
    if (storedAnswer !== null) shareFreshReading(service, db, storedAnswer, tasks)
    wakeWorkers(db, 'tasks')
    return
  }
  const { isSandbox } = pollTarget
  await planNextPolls(db, service, rules, { subjectIds: [pollTarget.id], isSandbox, retryAfterMs })
}

/**
 * Records a poll that failed through an error of our own. It is tried again later, and a request that still waits for
 * an answer shows the error.
 */
export async function storePollFault(
  service: Service,
  { pollTarget, token, error }: PollJob & { readonly error: unknown },
): Promise<void> {
  const recordedAt = journeyNow(service, pollTarget.isSandbox)
  await storeWithRetry(service, async (db) => {
    const isOurs = await finishPoll(db, {
      subjectId: pollTarget.id,
      token,
      attemptedAt: recordedAt,
      succeeded: false,
      snapshotId: null,
      nextPollAt: addMs(realNow(service), 60_000 * 2 ** Math.min(pollTarget.failures, 6)),
      isPartlyUnderstood: null,
      requests: 1,
      etag: null,
    })
    if (!isOurs) return
    const id = uuidV7(service.clock.now())
    await recordPoll(db, {
      id,
      subjectId: pollTarget.id,
      startedAt: recordedAt,
      attemptedAt: recordedAt,
      endedAt: realNow(service),
      durationMs: 0,
      outcome: 'internal_error',
      statusCode: null,
      detail: error instanceof Error ? error.message.replaceAll('\0', ' ').slice(0, 300) : null,
      snapshotId: null,
      isUnchanged: false,
      credentialId: pollTarget.credentialId,
      events: null,
    })
    const tasks = await enqueueForPollTarget(db, {
      subjectId: pollTarget.id,
      snapshotId: null,
      payload: { look: id, outcome: 'internal_error' },
      onlyUnresolved: true,
    })
    if (tasks > 0) wakeWorkers(db, 'tasks')
  })
}

function etagOf({ pollTarget, result }: FinishedPoll): string | null {
  if (result.kind !== 'answered') return null
  return result.isUnchanged === true ? pollTarget.etag : (result.etag ?? null)
}

/** Gives the reading to the tasks in memory. If another process leases them, it reads the stored bytes. */
function shareFreshReading(service: Service, db: Db, { id, read, newBytes }: StoredAnswer, uses: number): void {
  if (read === null || newBytes === undefined) return
  afterCommit(db, () => putFreshReading(service, id, { reading: read, bytes: newBytes, uses }))
}
