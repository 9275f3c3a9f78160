/**
 * Executes the tasks of documents: one after the other for each worker slot, the accounts in turn. A task that was
 * begun and not ended may have ended its process. So it runs alone, and is given up after some attempts.
 */

import { addMs } from '../../../domain/values/time.ts'
import { leaseToken } from '../../../pipeline/jobs/holder.ts'
import { networkIsolation } from '../../../platform/jail.ts'
import { memoizePerOwner } from '../../../platform/memoize-per-owner.ts'
import { ServiceError } from '../../errors.ts'
import { realNow, type Service } from '../../service.ts'
import { type DocumentTask, leaseDocumentTask, postponeDocumentTask } from '../document-tasks-sql.ts'
import { storeFailure } from './store-reading.ts'
import { workTask } from './work-task.ts'

const warningsOf = memoizePerOwner<Service, { isolation: boolean }>(() => ({ isolation: false }))
/** Longer than a reading may take. */
const leaseMs = 900_000
const attemptsMax = 5
const firstRetryMs = 10_000
const lastRetryMs = 3_600_000

interface WorkerState {
  busy: number
  /** The account that was served last. */
  after: string | null
}
const workerStateOf = memoizePerOwner<Service, WorkerState>(() => ({ busy: 0, after: null }))

/** Leases up to `free` tasks and starts them. Each promise ends with its task and never rejects. */
export async function startDocumentTasks(service: Service, free: number): Promise<readonly Promise<void>[]> {
  const worker = workerStateOf(service)
  const begun: Promise<void>[] = []
  while (begun.length < free) {
    const now = realNow(service)
    const task = await leaseDocumentTask(service.pool, {
      token: leaseToken(service),
      now,
      until: addMs(now, leaseMs),
      after: worker.after,
      isAlone: worker.busy === 0,
    })
    if (task === null) break
    worker.after = task.accountId
    worker.busy += 1
    begun.push(runTask(service, task).finally(() => (worker.busy -= 1)))
    if (task.attempts > 1) break
  }
  return begun
}

async function runTask(service: Service, task: DocumentTask): Promise<void> {
  try {
    if (task.attempts > attemptsMax) await giveUp(service, task)
    else {
      await warnIfNotIsolated(service)
      await workTask(service, task)
    }
  } catch (error) {
    await postponeTask(service, task, error).catch((second: unknown) =>
      service.metrics.jobFailed({ job: 'documents', document: task.documentId, error: second }),
    )
  }
}

/** Warns the operator once when the process that reads files cannot be separated from the network. */
async function warnIfNotIsolated(service: Service): Promise<void> {
  const warnings = warningsOf(service)
  if (warnings.isolation) return
  warnings.isolation = true
  if (!(await networkIsolation()).isCut)
    service.log.warn('document.network_open', { action: 'allow this program to use unshare' })
}

/** A file that cannot be fetched shows nothing about the document: it is tried until it can. */
async function postponeTask(service: Service, task: DocumentTask, error: unknown): Promise<void> {
  const isUnavailable = error instanceof ServiceError && error.code === 'unavailable'
  if (!isUnavailable) service.metrics.jobFailed({ job: 'documents', document: task.documentId, error })
  const waitMs = Math.min(lastRetryMs, firstRetryMs * 4 ** (task.attempts - 1))
  await postponeDocumentTask(service.pool, {
    ...task,
    dueAt: addMs(realNow(service), isUnavailable ? 60_000 : waitMs),
    error: error instanceof Error ? error.message.slice(0, 500) : 'unknown',
    isCounted: !isUnavailable,
  })
}

async function giveUp(service: Service, task: DocumentTask): Promise<void> {
  await storeFailure(service, task, {
    reason: 'exhausted',
    detail: `The task was tried ${attemptsMax} times and never finished.`,
    fileId: null,
  })
}
