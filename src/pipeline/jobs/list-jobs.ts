/**
 * What of an account's work waits, how far the running work is, how fast it goes, and what was tried in vain and why.
 */

import { type Context, requireScope } from '../../modules/access/context.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { unfinished } from '../ingestion/ingest-tasks-sql.ts'
import {
  countedMax,
  type JobFailure,
  type ProgressRow,
  type QueueKind,
  type QueueRow,
  queueKinds,
  readProgressRows,
  readQueues,
} from './list-jobs-sql.ts'

export const jobKinds = [...queueKinds, 'batch', 'import', 'readers', 'rules'] as const
export const jobStates = ['idle', 'waiting', 'working', 'failing'] as const
/** What is reported of a failure. The text of an error of the program is for its log. */
export const failureReasons = ['fault', 'unfinished', 'receiver'] as const

export interface JobStatus {
  readonly type: 'job'
  readonly id: string
  readonly kind: QueueKind | ProgressRow['kind']
  readonly state: (typeof jobStates)[number]
  readonly name: string | null
  readonly waiting: number | null
  /** There is more than `waiting`. */
  readonly isMore: boolean
  readonly oldestAt: string | null
  readonly done: number | null
  readonly total: number | null
  readonly perMinute: number | null
  readonly remainingS: number | null
  readonly startedAt: string | null
  readonly failing: number
  readonly failures: readonly (Omit<JobFailure, 'error'> & {
    readonly reason: (typeof failureReasons)[number]
    /** Of a receiver: its status, or how it could not be reached. */
    readonly detail: string | null
  })[]
}

export async function listJobs(service: Service, context: Context): Promise<readonly JobStatus[]> {
  requireScope(context, 'read')
  const { id: accountId } = context.account
  const [queues, courses] = await Promise.all([
    readQueues(service.pool, accountId),
    readProgressRows(service.pool, accountId),
  ])
  const now = Date.parse(realNow(service))
  return [...courses.map((row) => toProgressJob(row, now)), ...queues.map(toQueueJob)]
}

function toQueueJob({ kind, waiting, oldestAt, failing, failures }: QueueRow): JobStatus {
  return {
    ...none,
    id: kind,
    kind,
    state: failing > 0 ? 'failing' : waiting > 0 ? 'waiting' : 'idle',
    waiting: Math.min(waiting, countedMax),
    isMore: waiting > countedMax,
    oldestAt,
    failing: Math.min(failing, countedMax),
    failures: failures.map(({ error, ...rest }) => ({ ...rest, ...reasonOf(kind, error) })),
  }
}

function reasonOf(kind: QueueKind, error: string) {
  if (kind === 'deliveries') return { reason: 'receiver', detail: error === '' ? null : error } as const
  return { reason: error === unfinished ? 'unfinished' : 'fault', detail: null } as const
}

const minuteMs = 60_000

function toProgressJob({ kind, id, name, done, total, failed, startedAt, dueAt }: ProgressRow, now: number): JobStatus {
  const minutes = Math.max(0, now - Date.parse(startedAt)) / minuteMs
  const perMinute = done > 0 && minutes > 0 ? done / minutes : null
  return {
    ...none,
    id: id === null ? kind : `${kind}.${id}`,
    kind,
    state: failed > 0 ? 'failing' : 'working',
    name,
    waiting: total === null ? null : total - done,
    done,
    total,
    perMinute: perMinute === null ? null : Math.round(perMinute * 10) / 10,
    remainingS: remainingS({ left: total === null ? null : total - done, perMinute, dueAt, now }),
    startedAt,
    failing: failed,
  }
}

/** A planned time counts before one that is computed from the rate so far; null when neither is known. */
function remainingS(of: {
  readonly left: number | null
  readonly perMinute: number | null
  readonly dueAt: string | null
  readonly now: number
}): number | null {
  if (of.dueAt !== null) return Math.max(0, Math.round((Date.parse(of.dueAt) - of.now) / 1_000))
  if (of.left === null || of.perMinute === null) return null
  return Math.round((of.left / of.perMinute) * 60)
}

const none = {
  type: 'job',
  name: null,
  waiting: null,
  isMore: false,
  oldestAt: null,
  done: null,
  total: null,
  perMinute: null,
  remainingS: null,
  startedAt: null,
  failing: 0,
  failures: [],
} as const
