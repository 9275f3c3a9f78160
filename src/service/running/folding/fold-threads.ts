/** Starts the threads that fold, and a new one for each that ended unexpectedly. */

import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { SandboxAnchor } from '../../../platform/clock.ts'
import type { Config } from '../../../platform/config.ts'
import { type ThreadNews, tellNews } from '../../../platform/thread-news.ts'
import type { Service } from '../../service.ts'

/** What a thread needs to work. It opens its own connections. */
export interface FoldPlace {
  readonly config: Config
  readonly database: string
  /** The thread counts its transactions for read replicas. */
  readonly countsChanges: boolean
  readonly anchor: SandboxAnchor | null
  readonly sandboxIsOn: boolean
  /** How many sets of tasks the thread folds at a time, and how many connections it has. */
  readonly hands: number
  /** One of the threads also does the work that is done only once in each process. */
  readonly isFirst: boolean
}

/** What a process gives to the threads that fold. */
export type FoldingPlace = Pick<FoldPlace, 'database' | 'countsChanges' | 'anchor' | 'sandboxIsOn'>

const againAfterMs = 1_000
const againAfterMsMax = 60_000
/** After a thread that lived this long, the next one starts after the shortest wait again. */
const soundMs = 60_000

/** Resolves after the signal, when the last thread has ended. */
export async function runFoldThreads(
  service: Service,
  place: FoldingPlace,
  signal: AbortSignal,
): Promise<void> {
  const { config } = service
  const { foldThreads, workers } = config.server
  const hands = Math.ceil(workers / foldThreads)
  const threads = Array.from({ length: foldThreads }, (_, index) =>
    keepThread(service, { ...place, config, hands, isFirst: index === 0 }, signal),
  )
  await Promise.all(threads)
}

async function keepThread(service: Service, place: FoldPlace, signal: AbortSignal): Promise<void> {
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
function runThread(service: Service, place: FoldPlace, signal: AbortSignal): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const thread = new Worker(new URL('./fold-thread.ts', import.meta.url), { workerData: place })
  let why: unknown = new Error('it ended without a word')
  const stop = (): void => thread.postMessage('stop')
  signal.addEventListener('abort', stop, { once: true })
  thread.on('message', (news: ThreadNews) => tellNews(service, news))
  thread.on('error', (error) => {
    why = error
  })
  thread.on('exit', () => {
    signal.removeEventListener('abort', stop)
    resolve(why)
  })
  return promise
}
