/** Starts the threads that fold, and another one in the place of each that ended by itself. */

import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { SandboxAnchor } from '../../../platform/clock.ts'
import type { Config } from '../../../platform/config.ts'
import { type ThreadNews, tellNews } from '../../../platform/thread-news.ts'
import type { Service } from '../../service.ts'

/** Where a thread works: it opens its own connections there. */
export interface FoldPlace {
  readonly config: Config
  readonly database: string
  readonly anchor: SandboxAnchor | null
  readonly sandboxIsOn: boolean
  /** Sets of tasks that it is at, and its connections. */
  readonly hands: number
  /** One of the threads does what there is once for each process. */
  readonly isFirst: boolean
}

/** What a process tells of itself to threads that are to fold. */
export type FoldingPlace = Pick<FoldPlace, 'database' | 'anchor' | 'sandboxIsOn'>

const againAfterMs = 1_000
const againAfterMsMax = 60_000
/** A thread that lived as long begins anew at once. */
const soundMs = 60_000

/** Until the signal, and until the last of them has ended. */
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

/** Why it ended. */
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
