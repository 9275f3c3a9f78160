/** Works off the tasks that looks left, in sets of one account: what came is heard and folded, many shipments at once. */

import { addMs } from '../../../core/time.ts'
import { uuidV7 } from '../../../platform/ids.ts'
import { isLockTimeout } from '../../../store/database.ts'
import { failTask, type HearTask, takeTasks, unfinished } from '../../../store/tasks.ts'
import { wakeAfterwards } from '../../../store/wake.ts'
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
/** Of one task, after a set with it has waited in vain. */
const lockMsAlone = 100
/** Accounts that others were at first. */
const triesMax = 4

/** The next account's turn; null when no account has anything to do. With few due, what is there is taken at once. */
export async function takeTaskSet(service: Service): Promise<TaskSet | null> {
  const token = uuidV7(service.clock.now())
  const now = realNow(service)
  const turns = turnsOf(service.pool)
  const lease = { token, now, until: addMs(now, leaseMs), max: tasksMax }
  for (let tries = 0; tries < triesMax; tries += 1) {
    const set = await takeTasks(service.pool, { ...lease, after: turns.after })
    if (set === null) return null
    turns.after = set.accountId
    // None where another worker was there first: then it is the next account's turn.
    if (set.tasks.length === 0) continue
    for (const task of set.tasks) if (task.lastError === unfinished) tellUnfinished(service, task)
    return { tasks: set.tasks, token }
  }
  return null
}

/** Takes as many sets as there are hands and works on them; a promise for each set, none rejects. */
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

/** A worker took it and was never heard of again. */
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
 * What goes wrong with a set is done one by one: then each goes wrong by itself. Where somebody else held what the set
 * needs, each waits for it a short time only: all of them together have one lease.
 */
async function workPart(service: Service, fold: Fold, set: TaskSet): Promise<void> {
  const [task] = set.tasks
  if (task === undefined) return
  const shipmentIds = [...new Set(set.tasks.flatMap(({ shipmentId }) => shipmentId ?? []))]
  try {
    await inTurn(turnsOf(service.pool), shipmentIds, () =>
      takeAgain((also) => hearTasks(service, fold, set, also)),
    )
  } catch (error) {
    if (set.tasks.length === 1) return postpone(service, { task, token: set.token, error })
    const alone = isLockTimeout(error) ? { ...set, lockMs: lockMsAlone } : set
    for (const each of set.tasks) await workPart(service, fold, { ...alone, tasks: [each] })
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

/** Nobody was left to tell of it when it happened. */
function tellUnfinished({ metrics }: Service, task: HearTask): void {
  metrics.jobFailed({
    job: 'absorb',
    task: task.id,
    request: task.trackingRequestId,
    attempts: task.attempts,
    error: new Error(unfinished),
  })
}
