/** Starts the threads that poll and fold, and a new one for each that ended unexpectedly. */

import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Queue } from '../db/due-work.ts'
import type { LeaseHolder, Service } from '../modules/service.ts'
import { listDueQueues } from '../pipeline/jobs/run-worker-groups.ts'
import type { SandboxAnchor } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { applyThreadNews, type ThreadNews } from '../platform/thread-news.ts'
import { createFoldingGroups, createPollingGroup } from './worker-groups.ts'

/** What a thread needs to work. It opens its own connections. */
export interface FoldThreadOptions {
  readonly config: Config
  readonly database: string
  /** The threads acquire their leases for the process. */
  readonly holder: LeaseHolder
  readonly anchor: SandboxAnchor | null
  readonly sandboxIsOn: boolean
  /** How many sets of tasks the thread folds at a time, and how many connections it has. */
  readonly concurrency: number
  /** One of the threads also does the work that is done only once in each process. */
  readonly isFirst: boolean
}

/** What a process gives to the threads that fold. */
export type FoldThreadSetup = Pick<FoldThreadOptions, 'database' | 'anchor' | 'sandboxIsOn'>

const checkEveryMs = 500
/** Then threads start in any case, for the work that an upgrade leaves. */
const neededAfterMs = 30_000

const againAfterMs = 1_000
const againAfterMsMax = 60_000
/** After a thread that lived this long, the next one starts after the shortest wait again. */
const soundMs = 60_000

/**
 * Starts the threads when there is something to poll or fold: each loads half of the program, while a start has other things to do.
 * Resolves after the signal, when the last thread has ended.
 */
export async function runFoldThreads(service: Service, place: FoldThreadSetup, signal: AbortSignal): Promise<void> {
  const { config, holder } = service
  const { foldThreads, workers } = config.server
  await waitUntilThreadsNeeded(service, signal)
  const concurrency = Math.ceil(workers / foldThreads)
  const threads = Array.from({ length: foldThreads }, (_, index) =>
    superviseThread(service, { ...place, config, holder, concurrency, isFirst: index === 0 }, signal),
  )
  await Promise.all(threads)
}

async function waitUntilThreadsNeeded(service: Service, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now()
  const workerGroups = [createPollingGroup(service, 1), ...createFoldingGroups(service, 1)]
  const queues = workerGroups.flatMap(({ queue }) => queue ?? [])
  while (!signal.aborted && performance.now() - startedAt < neededAfterMs) {
    await pause(checkEveryMs, undefined, { signal }).catch(() => {})
    const due = await listDueQueues(service).catch(() => new Set<Queue>())
    if (queues.some((queue) => due.has(queue))) return
  }
}

async function superviseThread(service: Service, place: FoldThreadOptions, signal: AbortSignal): Promise<void> {
  let waitMs = againAfterMs
  while (!signal.aborted) {
    const startedAt = performance.now()
    const error = await runThread(service, place, signal)
    if (signal.aborted) return
    if (performance.now() - startedAt > soundMs) waitMs = againAfterMs
    service.log.error('fold_thread.ended', { error, againAfterMs: waitMs })
    await pause(waitMs, undefined, { signal }).catch(() => {})
    waitMs = Math.min(waitMs * 2, againAfterMsMax)
  }
}

/** Resolves to the reason why the thread ended. */
function runThread(service: Service, place: FoldThreadOptions, signal: AbortSignal): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const thread = new Worker(new URL('./fold-thread.ts', import.meta.url), { workerData: place })
  let why: unknown = new Error('it ended without an error message')
  const stop = (): void => thread.postMessage('stop')
  signal.addEventListener('abort', stop, { once: true })
  thread.on('message', (news: ThreadNews) => applyThreadNews(service, news))
  thread.on('error', (error) => {
    why = error
  })
  thread.on('exit', () => {
    signal.removeEventListener('abort', stop)
    resolve(why)
  })
  return promise
}
