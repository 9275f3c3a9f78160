/**
 * Does what is to be done with documents: one task after the other for each hand, the accounts in turn. A task that was
 * begun and not ended may have ended its process, so it is done while nothing else is, and given up after some times.
 */

import { addMs } from '../../../core/values/time.ts'
import { networkIsolation } from '../../../sources/documents/pages/jail.ts'
import {
  type DocumentTask,
  postponeDocumentTask,
  takeDocumentTask,
} from '../../../store/inbound/document-tasks.ts'
import { ServiceError } from '../../errors.ts'
import { leaseToken } from '../../ground/holder.ts'
import { keptBeside } from '../../ground/kept-beside.ts'
import { realNow, type Service } from '../../service.ts'
import { keepFailure } from './keep-reading.ts'
import { workTask } from './work-task.ts'

const toldOf = keptBeside<Service, { isolation: boolean }>(() => ({ isolation: false }))
/** Longer than a reading may take. */
const leaseMs = 900_000
const attemptsMax = 5
const firstRetryMs = 10_000
const lastRetryMs = 3_600_000

interface Hands {
  busy: number
  /** The account whose turn was last. */
  after: string | null
}
const handsOf = keptBeside<Service, Hands>(() => ({ busy: 0, after: null }))

/** Takes up to `free` tasks and begins with them. Each promise ends with its task and never rejects. */
export async function takeDocuments(service: Service, free: number): Promise<readonly Promise<void>[]> {
  const hands = handsOf(service)
  const begun: Promise<void>[] = []
  while (begun.length < free) {
    const now = realNow(service)
    const task = await takeDocumentTask(service.pool, {
      token: leaseToken(service),
      now,
      until: addMs(now, leaseMs),
      after: hands.after,
      isAlone: hands.busy === 0,
    })
    if (task === null) break
    hands.after = task.accountId
    hands.busy += 1
    begun.push(work(service, task).finally(() => (hands.busy -= 1)))
    if (task.attempts > 1) break
  }
  return begun
}

async function work(service: Service, task: DocumentTask): Promise<void> {
  try {
    if (task.attempts > attemptsMax) await giveUp(service, task)
    else {
      await tellIsolation(service)
      await workTask(service, task)
    }
  } catch (error) {
    await postpone(service, task, error).catch((second: unknown) =>
      service.metrics.jobFailed({ job: 'documents', document: task.documentId, error: second }),
    )
  }
}

/** Warns the operator once when the process that reads files cannot be separated from the network. */
async function tellIsolation(service: Service): Promise<void> {
  const told = toldOf(service)
  if (told.isolation) return
  told.isolation = true
  if (!(await networkIsolation()).isCut)
    service.log.warn('document.network_open', { action: 'allow unshare to this program' })
}

/** A file that cannot be fetched says nothing of the document: it is tried until it can. */
async function postpone(service: Service, task: DocumentTask, error: unknown): Promise<void> {
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
  await keepFailure(service, task, {
    reason: 'exhausted',
    detail: `It was tried ${attemptsMax} times, and never came to an end.`,
    fileId: null,
  })
}
