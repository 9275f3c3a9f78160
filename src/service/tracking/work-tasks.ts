/** Works off the tasks that looks left: each is one ledger entry, applied and done in one transaction. */

import { rulesVersion } from '../../core/projection-rules.ts'
import { addMs } from '../../core/time.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Db, inTransaction } from '../../store/database.ts'
import { tablesOf } from '../../store/fold-tables.ts'
import { settleInitialFields } from '../../store/initial-custom-fields.ts'
import { appendEntry } from '../../store/ledger.ts'
import { lockLiveRequest } from '../../store/live-requests.ts'
import { isOvertaken, lockShipment } from '../../store/shipments.ts'
import { getSnapshotWithAccess } from '../../store/snapshots.ts'
import { lockSubjects, markUnconfirmed } from '../../store/subjects.ts'
import { type AbsorbTask, leaseTasks, postponeTask } from '../../store/tasks.ts'
import {
  type AskingRequest,
  endTaskOfRequest,
  holdSubject,
  requestsOfShipment,
  type TrackedRequest,
  type TrackingRequestRow,
} from '../../store/tracking-requests.ts'
import { wake, wakeAfterwards } from '../../store/wake.ts'
import { labelOutcome } from '../inference/label-outcome.ts'
import { journeyNow, realNow, type Service } from '../service.ts'
import { applyLook, type LookMaterial } from './apply-look.ts'
import { asAsked, askedType, isDetecting } from './asked-request.ts'
import type { Fold } from './fold.ts'
import { hear, recordHeard } from './heard.ts'
import { lockForEntry, notBefore } from './lock-for-entry.ts'
import { kindsToTry } from './other-kinds.ts'
import { planNextLook } from './plan-next-look.ts'
import type { LockedShipment } from './project-shipment.ts'
import { readSnapshot } from './read-snapshot.ts'
import { testScac } from './request-tracking.ts'
import { isTripOver } from './trip-over.ts'

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

const tasksPerHand = 4

/**
 * Takes tasks and works on them with so many hands; a promise for each hand that has something to do, none rejects.
 * Each takes a few at once, for taking is a commit of its own.
 */
export async function workTasks(
  service: Service,
  fold: Fold,
  hands: number,
): Promise<readonly Promise<void>[]> {
  const jobs = await takeTasks(service, hands * tasksPerHand)
  return jobs.slice(0, hands).map(async (first, hand) => {
    await workTask(service, fold, first)
    for (let next = hand + hands; next < jobs.length; next += hands) {
      const job = jobs[next]
      if (job !== undefined) await workTask(service, fold, job)
    }
  })
}

/** Never rejects: a task that throws stays and is tried again. */
export async function workTask(service: Service, fold: Fold, { task, token }: TaskJob): Promise<void> {
  try {
    const work = (joins: string | null): Promise<void> =>
      inTransaction(service.pool, async (db) => {
        const request = await endTaskOfRequest(db, { id: task.id, token })
        if (request !== null) await absorbTask(db, service, fold, { task, request, joins })
      })
    await work(null).catch((error: unknown) => {
      if (error instanceof Overtaken) return work(error.shipmentId)
      throw error
    })
    await wakeAfterwards(service.pool, 'events').catch((error: unknown) => {
      service.log.warn('database.unreachable', { task: task.id, error })
    })
  } catch (error) {
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
    await postponeTask(service.pool, { id: task.id, token, notBefore, error: message }).catch(
      (cause: unknown) => {
        service.log.warn('database.unreachable', { task: task.id, error: cause })
      },
    )
  }
}

async function absorbTask(
  db: Db,
  service: Service,
  fold: Fold,
  /** `joins`: the shipment that a request without one turned out to belong to. */
  {
    task,
    request: found,
    joins,
  }: { readonly task: AbsorbTask; readonly request: TrackingRequestRow; readonly joins: string | null },
): Promise<void> {
  const { accountId, subjectId } = task
  // A stop that came while the look was under way stands: what was heard is not folded in.
  if (found.status === 'failed' || (found.status === 'tracking_stopped' && !isContestable(found))) return
  const request = asAsked(found)
  // A line that answers once more, when another one is being asked by now, has had its say.
  if (request === null || request.subjectId !== subjectId) return
  if (isDetecting(found)) await lockLiveRequest(db, request)
  if (request.scac === testScac) await holdSubject(db, { accountId, subjectId })
  const shipmentId = request.shipmentId ?? joins
  const now = journeyNow(service, task.isFiction)
  const locked = shipmentId === null ? null : await lockWhole(db, fold, { accountId, shipmentId, now })
  // A clock that was set back must not turn the ledger's order around.
  const floor = locked === null ? request.updatedAt : notBefore(lastUpdateOf(locked), request.updatedAt)
  const recordedAt = notBefore(now, floor)
  const { material, reader } = await readMaterial(db, fold, { task, request, recordedAt })
  const { isFiction, payload } = task
  const about = { request, outcome: material.outcome, isFiction, now: recordedAt }
  const kinds = await kindsToTry(db, service, about)
  const isOver =
    isDetecting(found) && (await isTripOver(tablesOf(db), fold, { request, material, recordedAt }))
  const entry = await appendEntry(db, {
    accountId,
    kind: 'look',
    trackingRequestId: request.id,
    shipmentId: request.shipmentId,
    subjectId,
    snapshotId: task.snapshotId,
    reader,
    recordedAt,
    payload: {
      outcome: material.outcome?.kind ?? null,
      ...(kinds.length > 0 && { kinds }),
      ...(isOver && { isTripOver: true }),
      ...(payload.look !== undefined && { look: payload.look }),
      ...(material.kind === 'reading' && recordHeard(material.heard)),
    },
  })
  const opened = request.shipmentId === null ? null : locked
  const applied = await applyLook(tablesOf(db), fold, { entry, request, material, opened })
  if (applied.shipmentId !== null && applied.shipmentId !== shipmentId) {
    // Which shipment it is was not known before: another entry of it may have come in between.
    const joined = { ...entry, shipmentId: applied.shipmentId }
    if (await isOvertaken(db, joined)) throw new Overtaken(applied.shipmentId)
  }
  // Beside the fold: what users set is no part of it, so a rebuild neither makes it again nor brings it back.
  if (request.hasInitialFields && applied.shipmentId !== null)
    await settleInitialFields(db, {
      accountId,
      trackingRequestId: request.id,
      shipmentId: applied.shipmentId,
    })
  if (applied.isUnconfirmed) await markUnconfirmed(db, subjectId, true)
  const asked = { ...request, requestType: askedType(request) }
  await labelOutcome(db, { entry, request: asked, applied, known: locked?.containers ?? [] })
  const next = applied.subjectId === subjectId ? null : applied.subjectId
  if (next !== null) await lockSubjects(db, [subjectId, next])
  for (const each of next === null ? [subjectId] : [subjectId, next]) {
    await planNextLook(db, service, fold.rules, {
      subjectId: each,
      isFiction: task.isFiction,
      retryAfterMs: 0,
    })
  }
  if (next !== null) await wake(db, 'looks')
}

interface WholeShipment extends LockedShipment {
  readonly requests: readonly AskingRequest[]
}

/** The shipment with all that was ever written of it, locked: read once, for the floor and for the fold. */
async function lockWhole(
  db: Db,
  fold: Fold,
  of: { readonly accountId: string; readonly shipmentId: string; readonly now: string },
): Promise<WholeShipment | null> {
  const key = { accountId: of.accountId, id: of.shipmentId }
  const locked = await lockShipment(db, key)
  if (locked === null) return null
  if (locked.shipment.rules !== rulesVersion) {
    await lockForEntry(db, fold, of)
    return lockWhole(db, fold, of)
  }
  return { ...locked, requests: await requestsOfShipment(db, of) }
}

function lastUpdateOf({ shipment, containers, requests }: WholeShipment): string {
  return [...containers, ...requests].reduce(
    (last, { updatedAt }) => notBefore(last, updatedAt),
    shipment.updatedAt,
  )
}

/** The entry would stand in the ledger before one that was folded already: rolled back, and done anew at once. */
class Overtaken extends Error {
  readonly shipmentId: string
  constructor(shipmentId: string) {
    super(`overtaken at shipment ${shipmentId}`)
    this.shipmentId = shipmentId
  }
}

/** Tracking ended because the boxes are back: what is heard afterwards may contradict that. */
function isContestable({ lifecycle }: TrackingRequestRow): boolean {
  return lifecycle.stoppedReason === 'all_containers_terminated'
}

async function readMaterial(
  db: Db,
  fold: Fold,
  {
    task,
    request,
    recordedAt,
  }: { readonly task: AbsorbTask; readonly request: TrackedRequest; readonly recordedAt: string },
): Promise<{ readonly material: LookMaterial; readonly reader: string | null }> {
  const { accountId, subjectId, snapshotId } = task
  const { scac, shipmentId } = request
  if (snapshotId === null) {
    const outcome = { kind: task.payload.outcome ?? 'unreachable' }
    return { material: { kind: 'no_answer', outcome }, reader: null }
  }
  const { snapshot, access } = await getSnapshotWithAccess(db, snapshotId)
  const question = { scac, kind: access.kind, number: access.number }
  const { reading, outcome, reader } = readSnapshot(fold, snapshot, question, access)
  const heard = await hear(tablesOf(db), reading, {
    accountId,
    subjectId,
    scac,
    snapshotId,
    recordedAt,
    shipmentId,
  })
  return { material: { kind: 'reading', heard, outcome }, reader }
}
