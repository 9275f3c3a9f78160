/**
 * Works on the tasks that looks have made, in sets of one account: what came is heard and folded, for many shipments at
 * once.
 */

import { addMs } from '../../../core/values/time.ts'
import type { SpanStart } from '../../../platform/live-span.ts'
import { span } from '../../../platform/traces.ts'
import { isLockTimeout } from '../../../store/database.ts'
import { findTrace } from '../../../store/ground/trace-notices.ts'
import { wakeAfterwards } from '../../../store/ground/wake.ts'
import { failTask, type HearTask, takeTasks, unfinished } from '../../../store/looks/tasks.ts'
import { leaseToken } from '../../ground/holder.ts'
import type { Fold } from '../../ledger/fold.ts'
import { takeAgain } from '../../ledger/take-again.ts'
import { realNow, type Service } from '../../service.ts'
import { hearTasks, type TaskSet } from './hear-tasks.ts'
import { partsOf } from './parts-of-set.ts'
import { inTurn, turnsOf } from './turns.ts'

const leaseMs = 60_000
const backoffMs = 5_000
const backoffDoublingsMax = 8
const tasksMax = 16
/** For one task, after a set with this task has waited for a lock without success. */
const lockMsAlone = 100
/** Maximum accounts to try when other workers have taken the tasks of an account first. */
const triesMax = 4

/**
 * Takes tasks of the account whose turn is next. Null when no account has anything to do. A few tasks are taken at
 * once, without waiting for more.
 */
export async function takeTaskSet(service: Service): Promise<TaskSet | null> {
  const token = leaseToken(service)
  const now = realNow(service)
  const turns = turnsOf(service.pool)
  const lease = { token, now, until: addMs(now, leaseMs), max: tasksMax }
  for (let tries = 0; tries < triesMax; tries += 1) {
    const set = await takeTasks(service.pool, { ...lease, after: turns.after })
    if (set === null) return null
    turns.after = set.accountId
    // Empty when another worker took the tasks first. Then the next account has its turn.
    if (set.tasks.length === 0) continue
    for (const task of set.tasks) if (task.lastError === unfinished) tellUnfinished(service, task)
    return { tasks: set.tasks, token }
  }
  return null
}

/** Takes up to `hands` sets and works on them. Returns a promise for each set; none of them rejects. */
export async function workTasks(
  service: Service,
  fold: Fold,
  hands: number,
): Promise<readonly Promise<void>[]> {
  const turns = turnsOf(service.pool)
  const works: Promise<void>[] = []
  while (works.length < hands && !turns.isAlone) {
    const set = await takeTaskSet(service)
    if (set === null) break
    const isAlone = set.tasks.some(mayEndProcess)
    turns.isAlone = isAlone
    const others = isAlone ? [...turns.underWay] : []
    const work = Promise.all(others).then(() => workSet(service, fold, set))
    turns.underWay.add(work)
    works.push(
      work.finally(() => {
        turns.underWay.delete(work)
        if (isAlone) turns.isAlone = false
      }),
    )
  }
  return works
}

/** A worker took the task and ended without a result, so the task may be what ended it. */
function mayEndProcess({ attempts, lastError }: HearTask): boolean {
  return attempts > 1 && (lastError === null || lastError === unfinished)
}

/** Never rejects: a task that throws stays and is tried again. */
export async function workSet(service: Service, fold: Fold, set: TaskSet): Promise<void> {
  for (const tasks of partsOf(set.tasks)) await workPart(service, fold, { ...set, tasks })
  await wakeAfterwards(service.pool, 'events').catch((error: unknown) => {
    service.log.warn('database.unreachable', { tasks: set.tasks.length, error })
  })
}

/**
 * When a set fails, its tasks are done one by one, so that only the faulty ones fail. When the set failed because of a
 * lock, each task waits for the lock only a short time, because all tasks of the set share one lease.
 */
async function workPart(service: Service, fold: Fold, set: TaskSet): Promise<void> {
  const [task] = set.tasks
  if (task === undefined) return
  const shipmentIds = [...new Set(set.tasks.flatMap(({ shipmentId }) => shipmentId ?? []))]
  try {
    await inTurn(turnsOf(service.pool), shipmentIds, () =>
      span(
        'hear',
        () => spanOf(set.tasks),
        () => takeAgain((also) => hearTasks(service, fold, set, also)),
      ),
    )
  } catch (error) {
    if (set.tasks.length === 1) return postpone(service, { task, token: set.token, error })
    const alone = isLockTimeout(error) ? { ...set, lockMs: lockMsAlone } : set
    for (const each of set.tasks) await workPart(service, fold, { ...alone, tasks: [each] })
  }
}

/** A part of the trace that made the tasks. A set of several traces has its own, with links to them. */
function spanOf(tasks: readonly HearTask[]): SpanStart {
  const made = tasks.map(({ payload }) => payload.trace ?? findTrace(payload.mention ?? ''))
  const traces = [...new Set(made.filter((trace) => trace !== null))]
  const isOne = traces.length === 1 && !made.includes(null)
  return {
    attributes: { 'landfall.account_id': tasks[0]?.accountId, 'landfall.jobs': tasks.length },
    parent: isOne ? (traces[0] ?? null) : null,
    links: isOne ? [] : traces,
  }
}

async function postpone(
  service: Service,
  { task, token, error }: { readonly task: HearTask; readonly token: string; readonly error: unknown },
): Promise<void> {
  // A fault of ours must not lose what the line said: the task stays and is tried again, later each time.
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
  await failTask(service.pool, { accountId, id, token, notBefore, error: message }).catch(
    (cause: unknown) => {
      service.log.warn('database.unreachable', { task: task.id, error: cause })
    },
  )
}

/** Reports it now, because the worker that ended could not. */
function tellUnfinished({ metrics }: Service, task: HearTask): void {
  metrics.jobFailed({
    job: 'absorb',
    task: task.id,
    request: task.trackingRequestId,
    attempts: task.attempts,
    error: new Error(unfinished),
  })
}
