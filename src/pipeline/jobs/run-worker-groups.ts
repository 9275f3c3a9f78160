/**
 * The worker groups of a process. Each leases jobs from the database, a limited number at a time, when the database
 * wakes it, or when the process finds that its queue may have work. One statement checks all queues, so an idle process
 * queries the database twice a second, however many worker groups it has.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { findDueWork, type Queue } from '../../db/due-work.ts'
import { listenForWakes, type WakeTopic } from '../../db/wake-workers.ts'
import { journeyNow, realNow, type Service } from '../../modules/service.ts'
import { kindOfError, runInSpan } from '../../platform/live-span.ts'
import { openSpan } from '../../platform/traces.ts'

/** Leases jobs from the database and works on up to `concurrency` of them at the same time. */
export interface WorkerGroup {
  /** Where its jobs come from. Without a queue, it checks for work after each `pollMs`. */
  readonly queue?: Queue
  /** Wakes it at once. */
  readonly topic?: WakeTopic
  /** Unless woken, it checks its queue at most once in this time. */
  readonly pollMs: number
  readonly concurrency: number
  /**
   * Leases up to `free` jobs and starts them. Each promise ends with its job and never rejects; the signal ends a pause
   * after the job.
   */
  readonly take: (free: number, signal?: AbortSignal) => Promise<readonly Promise<void>[]>
  /** In how many milliseconds work is due, where that is known. Called when there is no job to lease. */
  readonly nextMs?: () => Promise<number | null>
}

/**
 * For a worker group that does one piece after the other. The next piece starts at once when the last one found work.
 */
export function toSteppingWorker(work: () => Promise<number>): Pick<WorkerGroup, 'concurrency' | 'take'> {
  const take = async (): Promise<readonly Promise<void>[]> => {
    const done = await work()
    return Array.from({ length: Math.min(done, 1) }, () => Promise.resolve())
  }
  return { concurrency: 1, take }
}

/**
 * The same for work that can wait: after each piece it pauses for as long as the piece took, so that live work has half
 * of the time.
 */
export function toBackgroundWorker(work: () => Promise<number>): Pick<WorkerGroup, 'concurrency' | 'take'> {
  const take: WorkerGroup['take'] = async (_, signal) => {
    const startedMs = performance.now()
    if ((await work()) === 0) return []
    const cooldownMs = Math.min(performance.now() - startedMs, cooldownMsMax)
    return [pause(cooldownMs, undefined, signal && { signal }).catch(() => {})]
  }
  return { concurrency: 1, take }
}

const cooldownMsMax = 5_000

/** How often the queues are checked. */
const tickMs = 500
/** A start has other things to do than the work that the clock starts. */
const firstByClockMs = 3_000
/** The longest time for which a timer of the machine is set. */
const napMsMax = 60_000

/** A worker group that runs. `wake` makes it check for jobs now, or again after its present jobs. */
interface RunningGroup {
  readonly workerGroup: WorkerGroup
  readonly wake: () => void
  readonly ended: Promise<void>
}

/** The queues that may have work at this moment. */
export function listDueQueues(service: Service): Promise<ReadonlySet<Queue>> {
  const [journey, sandbox] = [journeyNow(service, false), journeyNow(service, true)]
  return findDueWork(service.pool, { now: realNow(service), journeyNow: journey, sandboxNow: sandbox })
}

/**
 * Runs until the signal. Then running jobs end, and no more are leased. A worker group that cannot reach the database
 * waits and tries again.
 */
export async function runWorkerGroups(
  service: Service,
  workerGroups: readonly WorkerGroup[],
  { signal, onWake }: { readonly signal: AbortSignal; readonly onWake?: (topic: WakeTopic) => void },
): Promise<void> {
  const running = workerGroups.map((workerGroup) => runWorkerGroup(service, workerGroup, signal))
  const listening = listenForWakes(service.pool, {
    signal,
    onWake: (topic) => {
      onWake?.(topic)
      for (const { workerGroup, wake } of running) if (workerGroup.topic === topic) wake()
    },
    // The queues are still checked until the connection works again.
    broken: (error) => service.log.warn('database.unreachable', { error }),
  })
  await Promise.all([listening, watchQueues(service, running, signal), ...running.map(({ ended }) => ended)])
}

/** Wakes each worker group whose queue may have work, or that has none and whose time has come. */
async function watchQueues(
  service: Service,
  workerGroups: readonly RunningGroup[],
  signal: AbortSignal,
): Promise<void> {
  const startedMs = performance.now()
  const nextMs = new Map(
    workerGroups.map((each) => [each, each.workerGroup.queue === undefined ? startedMs + firstByClockMs : startedMs]),
  )
  while (!signal.aborted) {
    try {
      const due = await listDueQueues(service)
      const nowMs = performance.now()
      for (const each of workerGroups) {
        const { queue, pollMs } = each.workerGroup
        if (nowMs < (nextMs.get(each) ?? 0) || (queue !== undefined && !due.has(queue))) continue
        nextMs.set(each, nowMs + pollMs - tickMs / 2)
        each.wake()
      }
    } catch (error) {
      service.log.warn('database.unreachable', { error })
    }
    await pause(tickMs, undefined, { signal }).catch(() => {})
  }
}

function runWorkerGroup(service: Service, workerGroup: WorkerGroup, signal: AbortSignal): RunningGroup {
  const waker = { wake: (): void => {} }
  return { workerGroup, wake: () => waker.wake(), ended: runWhenWoken(service, workerGroup, waker, signal) }
}

async function runWhenWoken(
  service: Service,
  workerGroup: WorkerGroup,
  waker: { wake: () => void },
  signal: AbortSignal,
): Promise<void> {
  const busy = new Set<Promise<void>>()
  // The first check of the queues shows which have work: most worker groups of an idle process need no query.
  await waitForWake(new Promise<void>((resolve) => (waker.wake = resolve)), null, signal)
  while (!signal.aborted) {
    let isWoken = false
    const wakened = new Promise<void>((resolve) => {
      waker.wake = () => {
        isWoken = true
        resolve()
      }
    })
    const startedJobs =
      busy.size < workerGroup.concurrency
        ? await startJobsSafely(service, workerGroup, { free: workerGroup.concurrency - busy.size, signal })
        : []
    for (const job of startedJobs) {
      busy.add(job)
      void job.finally(() => {
        busy.delete(job)
        waker.wake()
      })
    }
    if (startedJobs.length > 0 && busy.size < workerGroup.concurrency) continue
    const napMs = isWoken || busy.size >= workerGroup.concurrency ? null : await findIdleWaitMs(service, workerGroup)
    if (!isWoken && !signal.aborted) await waitForWake(wakened, napMs, signal)
  }
  await Promise.all(busy)
}

async function startJobsSafely(
  service: Service,
  workerGroup: WorkerGroup,
  { free, signal }: { readonly free: number; readonly signal: AbortSignal },
): Promise<readonly Promise<void>[]> {
  const queue = workerGroup.queue ?? 'timers'
  try {
    return await startJobsInSpan(queue, () => workerGroup.take(free, signal))
  } catch (error) {
    service.metrics.jobFailed({ job: queue, error })
    return []
  }
}

/** The span lasts until the last of the jobs has ended. */
async function startJobsInSpan(
  queue: string,
  startJobs: () => ReturnType<WorkerGroup['take']>,
): ReturnType<WorkerGroup['take']> {
  const span = openSpan(`work ${queue}`, () => ({ attributes: { 'landfall.queue': queue }, parent: null }))
  if (span === null) return startJobs()
  try {
    const jobs = await runInSpan(span, startJobs)
    span.set({ 'landfall.jobs': jobs.length })
    void Promise.all(jobs).finally(() => span.end())
    return jobs
  } catch (error) {
    span.fail(kindOfError(error))
    span.end()
    throw error
  }
}

/** How long the worker group may wait if nothing wakes it: until work is due. Null when that is not known. */
async function findIdleWaitMs(service: Service, workerGroup: WorkerGroup): Promise<number | null> {
  try {
    const ms = (await workerGroup.nextMs?.()) ?? null
    return ms === null ? null : Math.min(napMsMax, ms)
  } catch (error) {
    service.log.warn('database.unreachable', { error })
    return null
  }
}

/** Waits until something wakes the worker group, its wait is over or the signal aborts, whichever comes first. */
async function waitForWake(wakened: Promise<void>, waitMs: number | null, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  const aborted = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()))
  const end = (): void => over.abort()
  signal.addEventListener('abort', end, { once: true })
  const rested = waitMs === null ? aborted : pause(waitMs, undefined, { signal: over.signal }).catch(() => {})
  try {
    await Promise.race([wakened, rested])
  } finally {
    over.abort()
    signal.removeEventListener('abort', end)
  }
}
