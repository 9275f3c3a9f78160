/**
 * The path from tasks to events. Everything is read. Then, in one transaction, the tasks end, the rows are locked and
 * loaded, each task is folded as an entry of the ledger, the changes are saved, and the next polls are planned.
 */

import { setImmediate } from 'node:timers/promises'
import { type Db, inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { applyInitialFields } from '../../modules/custom-fields/initial-custom-fields-sql.ts'
import { labelOutcome } from '../../modules/inference/label-outcome.ts'
import { journeyNow, type Service } from '../../modules/service.ts'
import { completeTasks, type IngestTask } from '../ingestion/ingest-tasks-sql.ts'
import { commitEntries } from '../ledger/commit-entries.ts'
import type { Fold } from '../ledger/fold.ts'
import { findPolledType, toPolledRequest } from '../ledger/polled-request.ts'
import type { ShipmentKeyResolver } from '../projection/load-states-sql.ts'
import { copyRolesToShipment } from '../projection/tracking-requests-sql.ts'
import { type IngestedTask, type IngestTransaction, ingestReading, shipmentKeyOf } from './ingest-reading.ts'
import { planNextPolls } from './plan-next-polls.ts'
import { markUnconfirmed } from './poll-targets-sql.ts'
import { type ReadingOf, readTasks } from './read-tasks.ts'

/** Tasks of one account under our lease, one of each request. */
export interface TaskSet {
  readonly tasks: readonly IngestTask[]
  readonly token: string
  /** How long the set waits for rows that another transaction has locked; five seconds when left out. */
  readonly lockMs?: number
}

/** Longer than any other transaction needs for an entry. */
const lockMsMax = 5_000
/** A bill with many containers takes long. After this time, other work of the process continues first. */
const sliceMs = 3

/**
 * `alsoHeld`: requests to lock besides those of the tasks. Throws the errors after which `retryOnConflict` tries once more.
 */
export async function ingestTasks(
  service: Service,
  fold: Fold,
  set: TaskSet,
  alsoHeld: readonly string[],
): Promise<void> {
  const readingOf = await readTasks(service, fold, set.tasks)
  await inTransaction(service.pool, async (db) => {
    const tasks = await endTasks(db, set)
    const [first] = tasks
    if (first === undefined) return
    const { accountId, isSandbox } = first
    const requestIds = [...new Set([...tasks.map((task) => task.trackingRequestId), ...alsoHeld])]
    const now = journeyNow(service, isSandbox)
    const taking = {
      keys: { accountId, requestIds, shipmentIds: [], locksAllRequests: false, isProjected: true },
      opening: createShipmentKeyResolver(fold, tasks, readingOf, now),
      now,
      entriesMax: tasks.length,
      metrics: service.metrics,
    }
    const { result: ingested, after } = await commitEntries(db, fold, taking, (ledger) =>
      ingestInSlices({ db, service, fold, ledger }, tasks, readingOf),
    )
    for (const each of ingested) await applyAfterFold(db, each)
    const unconfirmed = ingested.flatMap(({ request, committedEntry }) =>
      committedEntry.folded.isUnconfirmed ? request.subjectId : [],
    )
    await markUnconfirmed(db, unconfirmed, true)
    // Polls are planned also for tasks that no request ingested: while these tasks were under way, nobody else planned
    // the polls.
    const polled = tasks.flatMap(({ subjectId: pollTargetId, payload }) =>
      payload.mention === undefined ? pollTargetId : [],
    )
    const next = requestIds.flatMap((id) => after.requests.get(id)?.subjectId ?? [])
    const plan = { subjectIds: [...polled, ...next], isSandbox, retryAfterMs: 0, held: after }
    await planNextPolls(db, service, fold.rules, plan)
    if (next.some((id) => !polled.includes(id))) wakeWorkers(db, 'looks')
  })
}

/** Returns the tasks that are still under our lease. */
async function endTasks(db: Db, { tasks, token, lockMs = lockMsMax }: TaskSet): Promise<readonly IngestTask[]> {
  const [first] = tasks
  if (first === undefined) return []
  const ids = tasks.map(({ id }) => id)
  const ours = new Set(await completeTasks(db, { accountId: first.accountId, ids, token, lockMs }))
  return tasks.filter(({ id }) => ours.has(id))
}

/**
 * The shipments that requests without a shipment will ask for. They follow from what is on record and what is read now.
 */
function createShipmentKeyResolver(
  fold: Fold,
  tasks: readonly IngestTask[],
  readingOf: ReadingOf,
  now: string,
): ShipmentKeyResolver {
  const readings = new Map(tasks.map((task) => [task.trackingRequestId, readingOf(task)]))
  return (requests, claimsByTarget) =>
    requests.flatMap((row) => {
      const request = toPolledRequest(row)
      const read = readings.get(row.id)
      if (request === null || read === undefined) return []
      const targetClaims = claimsByTarget.get(request.subjectId)
      return shipmentKeyOf(fold, request, { targetClaims, read, now }) ?? []
    })
}

async function ingestInSlices(
  ingest: IngestTransaction,
  tasks: readonly IngestTask[],
  readingOf: ReadingOf,
): Promise<readonly IngestedTask[]> {
  const ingested: IngestedTask[] = []
  let sliceStartedAt = performance.now()
  for (const task of tasks) {
    const one = await ingestReading(ingest, task, readingOf(task))
    if (one !== null) ingested.push(one)
    if (performance.now() - sliceStartedAt < sliceMs) continue
    await setImmediate()
    sliceStartedAt = performance.now()
  }
  return ingested
}

/**
 * Not part of the fold, which may be repeated: the fold does not know what users set, and each outcome is counted as
 * evidence only once.
 */
async function applyAfterFold(db: Db, { request, committedEntry }: IngestedTask): Promise<void> {
  const { entry, before, folded } = committedEntry
  const { accountId, id: trackingRequestId } = request
  const { shipmentId, lifecycle: state, happened, projection } = folded
  if (request.hasInitialFields && shipmentId !== null)
    await applyInitialFields(db, { accountId, trackingRequestId, shipmentId })
  if (request.shipmentId === null && shipmentId !== null)
    await copyRolesToShipment(db, { accountId, trackingRequestId, shipmentId, roleId: null })
  const known = request.shipmentId === null ? undefined : before.shipments.get(request.shipmentId)
  await labelOutcome(db, {
    entry,
    request: { ...request, requestType: findPolledType(request) },
    applied: { state, happened, projection },
    known: known?.containers ?? [],
  })
}
