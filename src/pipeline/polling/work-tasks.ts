/**
 * Works on the tasks that polls have made, in sets of one account: the answers are ingested and folded, for many
 * shipments at once.
 */

import { findTrace } from '../../db/trace-notices.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { addMs } from '../../domain/values/time.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { isErrorCode } from '../../platform/error-code.ts'
import type { SpanStart } from '../../platform/live-span.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import { withSpan } from '../../platform/traces.ts'
import { failTask, type IngestTask, leaseTasks, unfinished } from '../ingestion/ingest-tasks-sql.ts'
import { leaseToken } from '../jobs/holder.ts'
import type { Fold } from '../ledger/fold.ts'
import { retryOnConflict } from '../ledger/retry-on-conflict.ts'
import { ingestTasks, type TaskSet } from './ingest-tasks.ts'

const leaseMs = 60_000
const backoffMs = 5_000
const backoffDoublingsMax = 8
const tasksMax = 16
/** For one task, after a set with this task has waited for a lock without success. */
const lockMsAlone = 100
/** Maximum accounts to try when other workers have leased the tasks of an account first. */
const triesMax = 4
/**
 * Maximum claims in memory and under locks at a time. Their number is estimated, because it is known only when they are
 * loaded.
 */
const claimsMax = 20_000
/**
 * Maximum claims that are folded in one transaction, which is some seconds of work. The claims of a shipment count once
 * for each of its entries.
 */
const foldedMax = 160_000

interface TaskSchedule {
  /** The account that was served last. */
  after: string | null
  /** Sets that this process is working on. */
  readonly underWay: Set<Promise<void>>
  /** By shipment: ends with the last transaction of this process that works on the shipment or waits for it. */
  readonly atShipment: Map<string, Promise<void>>
  /** True while a set is worked on that may end the process. No other set is begun meanwhile. */
  isAlone: boolean
}

/** What this process knows of the sets that it works on, so that they do not block each other. One for each pool. */
const taskScheduleOf = memoizePerOwner<Service['pool'], TaskSchedule>(() => ({
  after: null,
  underWay: new Set(),
  atShipment: new Map(),
  isAlone: false,
}))

/**
 * Leases tasks of the account that is next in order. Null when no account has anything to do. A few tasks are leased at
 * once, without waiting for more.
 */
export async function leaseTaskSet(service: Service): Promise<TaskSet | null> {
  const token = leaseToken(service)
  const now = realNow(service)
  const schedule = taskScheduleOf(service.pool)
  const lease = { token, now, until: addMs(now, leaseMs), max: tasksMax }
  for (let tries = 0; tries < triesMax; tries += 1) {
    const set = await leaseTasks(service.pool, { ...lease, after: schedule.after })
    if (set === null) return null
    schedule.after = set.accountId
    // Empty when another worker leased the tasks first. Then the next account is tried.
    if (set.tasks.length === 0) continue
    for (const task of set.tasks) if (task.lastError === unfinished) reportUnfinished(service, task)
    return { tasks: set.tasks, token }
  }
  return null
}

/** Leases up to `concurrency` sets and works on them. Returns a promise for each set; none of them rejects. */
export async function workTasks(service: Service, fold: Fold, concurrency: number): Promise<readonly Promise<void>[]> {
  const schedule = taskScheduleOf(service.pool)
  const works: Promise<void>[] = []
  while (works.length < concurrency && !schedule.isAlone) {
    const set = await leaseTaskSet(service)
    if (set === null) break
    const isAlone = set.tasks.some(mayEndProcess)
    schedule.isAlone = isAlone
    const others = isAlone ? [...schedule.underWay] : []
    const work = Promise.all(others).then(() => workTaskSet(service, fold, set))
    schedule.underWay.add(work)
    works.push(
      work.finally(() => {
        schedule.underWay.delete(work)
        if (isAlone) schedule.isAlone = false
      }),
    )
  }
  return works
}

/** A worker leased the task and ended without a result, so the task may have ended the worker. */
function mayEndProcess({ attempts, lastError }: IngestTask): boolean {
  return attempts > 1 && (lastError === null || lastError === unfinished)
}

/** Never rejects: a task that throws stays and is tried again. */
export async function workTaskSet(service: Service, fold: Fold, set: TaskSet): Promise<void> {
  for (const tasks of splitTaskSet(set.tasks)) await workBatch(service, fold, { ...set, tasks })
  wakeWorkers(service.pool, 'events')
}

/**
 * Cuts a set into batches, one transaction each; with very many containers on a bill a batch has fewer tasks. A
 * shipment is loaded once for each batch, however many tasks of the batch are about it.
 */
export function splitTaskSet<Task extends Pick<IngestTask, 'shipmentId' | 'weight'>>(
  tasks: readonly Task[],
): readonly (readonly Task[])[] {
  const batches: Task[][] = []
  let batch: Task[] = []
  for (const task of tasks) {
    if (batch.length === 0 || exceedsBatchLimits([...batch, task])) {
      batch = []
      batches.push(batch)
    }
    batch.push(task)
  }
  return batches
}

function exceedsBatchLimits(tasks: readonly Pick<IngestTask, 'shipmentId' | 'weight'>[]): boolean {
  const read = new Map(tasks.map((task) => [task.shipmentId ?? task, task.weight]))
  return sum(read.values()) > claimsMax || sum(tasks.map(({ weight }) => weight)) > foldedMax
}

function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}

/**
 * When a set fails, its tasks are done one by one, so that only the faulty ones fail. When the set failed because of a
 * lock, each task waits for the lock only a short time, because all tasks of the set share one lease.
 */
async function workBatch(service: Service, fold: Fold, set: TaskSet): Promise<void> {
  const [task] = set.tasks
  if (task === undefined) return
  const shipmentIds = [...new Set(set.tasks.flatMap(({ shipmentId }) => shipmentId ?? []))]
  try {
    await serializeByShipment(taskScheduleOf(service.pool), shipmentIds, () =>
      withSpan(
        'hear',
        () => spanOf(set.tasks),
        () => retryOnConflict((also) => ingestTasks(service, fold, set, also)),
      ),
    )
  } catch (error) {
    if (set.tasks.length === 1) return postponeTask(service, { task, token: set.token, error })
    // Another transaction held a row for longer than this one may wait.
    const alone = isErrorCode(error, '55P03') ? { ...set, lockMs: lockMsAlone } : set
    for (const each of set.tasks) await workBatch(service, fold, { ...alone, tasks: [each] })
  }
}

/**
 * Lets one transaction of this process at a time work on a shipment. A transaction that waits for a row in the database
 * would hold a connection meanwhile, and give up after some seconds.
 */
export async function serializeByShipment(
  { atShipment }: Pick<TaskSchedule, 'atShipment'>,
  shipmentIds: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const before = shipmentIds.flatMap((id) => atShipment.get(id) ?? [])
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const id of shipmentIds) atShipment.set(id, promise)
  try {
    await Promise.all(before)
    await work()
  } finally {
    resolve()
    for (const id of shipmentIds) if (atShipment.get(id) === promise) atShipment.delete(id)
  }
}

/** Part of the trace that made the tasks. A set of several traces has its own trace, with links to them. */
function spanOf(tasks: readonly IngestTask[]): SpanStart {
  const made = tasks.map(({ payload }) => payload.trace ?? findTrace(payload.mention ?? ''))
  const traces = [...new Set(made.filter((trace) => trace !== null))]
  const isOne = traces.length === 1 && !made.includes(null)
  return {
    attributes: { 'landfall.account_id': tasks[0]?.accountId, 'landfall.jobs': tasks.length },
    parent: isOne ? (traces[0] ?? null) : null,
    links: isOne ? [] : traces,
  }
}

async function postponeTask(
  service: Service,
  { task, token, error }: { readonly task: IngestTask; readonly token: string; readonly error: unknown },
): Promise<void> {
  // A fault of ours must not lose what the line stated: the task stays and is tried again, later each time.
  service.metrics.jobFailed({
    job: 'absorb',
    task: task.id,
    request: task.trackingRequestId,
    attempts: task.attempts,
    error,
  })
  const waitMs = backoffMs * 2 ** Math.min(task.attempts - 1, backoffDoublingsMax)
  const notBefore = addMs(realNow(service), waitMs)
  const message = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
  const { accountId, id } = task
  await failTask(service.pool, { accountId, id, token, notBefore, error: message }).catch((storeError: unknown) => {
    service.log.warn('database.unreachable', { task: task.id, error: storeError })
  })
}

/** Reports it now, because the worker that ended could not. */
function reportUnfinished({ metrics }: Service, task: IngestTask): void {
  metrics.jobFailed({
    job: 'absorb',
    task: task.id,
    request: task.trackingRequestId,
    attempts: task.attempts,
    error: new Error(unfinished),
  })
}
