/** Works off the tasks that looks left: each is one ledger entry, applied and done in one transaction. */

import { addMs, compareInstants } from '../../core/time.ts'
import type { LookOutcome } from '../../core/tracking-request.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Db, inTransaction } from '../../store/database.ts'
import { appendEntry } from '../../store/ledger.ts'
import { getSnapshot } from '../../store/snapshots.ts'
import { getSubjectAccess, markUnconfirmed } from '../../store/subjects.ts'
import { type AbsorbTask, completeTask, leaseTasks, postponeTask } from '../../store/tasks.ts'
import { lockTrackingRequest } from '../../store/tracking-requests.ts'
import { wake } from '../../store/wake.ts'
import { journeyNow, realNow, type Service } from '../service.ts'
import { applyLook, type LookMaterial } from './apply-look.ts'
import type { Fold } from './fold.ts'
import { planNextLook } from './plan-next-look.ts'
import { readSnapshot } from './read-snapshot.ts'

const leaseMs = 60_000
const backoffMs = 5_000
const backoffDoublingsMax = 8

/** A task under our lease. */
export interface TaskJob {
  readonly task: AbsorbTask
  readonly token: string
}

/** Takes up to `limit` tasks, one of each request. */
export async function takeTasks(service: Service, limit: number): Promise<readonly TaskJob[]> {
  const token = uuidV7(service.clock.now())
  const now = realNow(service)
  const tasks = await leaseTasks(service.pool, { token, now, until: addMs(now, leaseMs), limit })
  return tasks.map((task) => ({ task, token }))
}

/** Never rejects: a task that throws stays and is tried again. */
export async function workTask(service: Service, fold: Fold, { task, token }: TaskJob): Promise<void> {
  try {
    await inTransaction(service.pool, async (db) => {
      if (!(await completeTask(db, task.id, token))) return
      await absorbTask(db, service, fold, task)
    })
  } catch (error) {
    // A fault of ours must not lose what the line said: the task stays and is tried again, later each time.
    service.metrics.record(
      'job.failed',
      { job: 'absorb' },
      { task: task.id, request: task.trackingRequestId, attempts: task.attempts, error },
    )
    const waitMs = backoffMs * 2 ** Math.min(task.attempts - 1, backoffDoublingsMax)
    const notBefore = addMs(realNow(service), waitMs)
    const message = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
    await postponeTask(service.pool, { id: task.id, token, notBefore, error: message }).catch((cause: unknown) => {
      service.log.warn('database.unreachable', { task: task.id, error: cause })
    })
  }
}

async function absorbTask(db: Db, service: Service, fold: Fold, task: AbsorbTask): Promise<void> {
  const request = await lockTrackingRequest(db, { accountId: task.accountId, id: task.trackingRequestId })
  if (request === null) return
  // A stop that came while the look was under way stands: what was heard is not folded in.
  if (request.status === 'failed' || request.status === 'tracking_stopped') return
  const { material, reader } = await readMaterial(db, task, request.scac)
  const entry = await appendEntry(db, {
    accountId: task.accountId,
    kind: 'look',
    trackingRequestId: request.id,
    shipmentId: request.shipmentId,
    subjectId: task.subjectId,
    snapshotId: task.snapshotId,
    reader,
    // A clock that was set back must not turn the ledger's order around.
    recordedAt: notBefore(journeyNow(service, task.isFiction), request.updatedAt),
    payload: { outcome: material.outcome.kind },
  })
  const applied = await applyLook(db, fold, entry, request, material)
  if (applied.isUnconfirmed) await markUnconfirmed(db, task.subjectId, true)
  await planNextLook(db, service, fold.rules, { subjectId: task.subjectId, isFiction: task.isFiction, retryAfterMs: 0 })
  await wake(db, 'events')
}

async function readMaterial(
  db: Db,
  task: AbsorbTask,
  scac: string,
): Promise<{ readonly material: LookMaterial; readonly reader: string | null }> {
  if (task.snapshotId === null) {
    const outcome: LookOutcome = { kind: 'unreachable' }
    return { material: { kind: 'no_answer', outcome }, reader: null }
  }
  const access = await getSubjectAccess(db, task.subjectId)
  const snapshot = await getSnapshot(db, task.snapshotId)
  const { reading, outcome, reader } = readSnapshot(snapshot, { scac, kind: access.kind, number: access.number }, access)
  return { material: { kind: 'reading', reading, outcome }, reader }
}

export function notBefore(now: string, floor: string): string {
  return compareInstants(now, floor) < 0 ? floor : now
}
