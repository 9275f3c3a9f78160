/**
 * The crews of a process. Each takes jobs from the database, a limited number at a time, when the database wakes it, or
 * when the process finds that its queue may have work. One statement looks at all queues, so an idle process asks the
 * database twice a second, however many crews it has.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { kindOfError, within } from '../../platform/live-span.ts'
import { openSpan } from '../../platform/traces.ts'
import { findDueWork, type Queue } from '../../store/ground/due-work.ts'
import { hearWakes, type WakeTopic } from '../../store/ground/wake.ts'
import { journeyNow, realNow, type Service } from '../service.ts'

/** Takes jobs from the database and works on up to `hands` of them at the same time. */
export interface Crew {
  /** What it takes its jobs from. Without one, it looks after each `pollMs`. */
  readonly queue?: Queue
  /** Wakes it at once. */
  readonly topic?: WakeTopic
  /** Unless woken, it looks at its queue at most once in this time. */
  readonly pollMs: number
  readonly hands: number
  /** Takes up to `free` jobs and starts them; each promise ends with its job, its rest by the signal, and never rejects. */
  readonly take: (free: number, signal?: AbortSignal) => Promise<readonly Promise<void>[]>
  /** In how many milliseconds work is due, where that is known. Asked when there is nothing to take. */
  readonly nextMs?: () => Promise<number | null>
}

/**
 * For a crew that does one piece after the other. The next piece starts at once when the last one found work.
 */
export function stepping(work: () => Promise<number>): Pick<Crew, 'hands' | 'take'> {
  const take = async (): Promise<readonly Promise<void>[]> => {
    const done = await work()
    return Array.from({ length: Math.min(done, 1) }, () => Promise.resolve())
  }
  return { hands: 1, take }
}

/**
 * The same for work that can wait: after each piece it pauses for as long as the piece took, so that live work has half
 * of the time.
 */
export function resting(work: () => Promise<number>): Pick<Crew, 'hands' | 'take'> {
  const take: Crew['take'] = async (_, signal) => {
    const startedMs = performance.now()
    if ((await work()) === 0) return []
    const restMs = Math.min(performance.now() - startedMs, restMsMax)
    return [pause(restMs, undefined, signal && { signal }).catch(() => {})]
  }
  return { hands: 1, take }
}

const restMsMax = 5_000

/** How often the queues are looked at. */
const tickMs = 500
/** The longest time for which a timer of the machine is set. */
const napMsMax = 60_000

/** A crew that runs. `wake` makes it look for jobs now, or again after what it does now. */
interface RunningCrew {
  readonly crew: Crew
  readonly wake: () => void
  readonly ended: Promise<void>
}

/** The queues that may have work at this moment. */
export function dueWork(service: Service): Promise<ReadonlySet<Queue>> {
  const [journey, fiction] = [journeyNow(service, false), journeyNow(service, true)]
  return findDueWork(service.pool, { now: realNow(service), journeyNow: journey, fictionNow: fiction })
}

/**
 * Runs until the signal. Then running jobs end, and no more are taken. A crew that cannot reach the database waits and
 * tries again.
 */
export async function runCrews(
  service: Service,
  crews: readonly Crew[],
  { signal, heard }: { readonly signal: AbortSignal; readonly heard?: (topic: WakeTopic) => void },
): Promise<void> {
  const running = crews.map((crew) => runCrew(service, crew, signal))
  const listening = hearWakes(service.pool, {
    signal,
    heard: (topic) => {
      heard?.(topic)
      for (const { crew, wake } of running) if (crew.topic === topic) wake()
    },
    // The queues are still looked at until the connection works again.
    broken: (error) => service.log.warn('database.unreachable', { error }),
  })
  await Promise.all([listening, watchQueues(service, running, signal), ...running.map(({ ended }) => ended)])
}

/** Wakes each crew whose queue may have work, or that has none and whose time has come. */
async function watchQueues(
  service: Service,
  crews: readonly RunningCrew[],
  signal: AbortSignal,
): Promise<void> {
  const nextMs = new Map(crews.map((each) => [each, performance.now() + each.crew.pollMs - tickMs / 2]))
  while (!signal.aborted) {
    try {
      const due = await dueWork(service)
      const nowMs = performance.now()
      for (const each of crews) {
        const { queue, pollMs } = each.crew
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

function runCrew(service: Service, crew: Crew, signal: AbortSignal): RunningCrew {
  const waker = { wake: (): void => {} }
  return { crew, wake: () => waker.wake(), ended: runWhenWoken(service, crew, waker, signal) }
}

async function runWhenWoken(
  service: Service,
  crew: Crew,
  waker: { wake: () => void },
  signal: AbortSignal,
): Promise<void> {
  const busy = new Set<Promise<void>>()
  while (!signal.aborted) {
    let isWoken = false
    const wakened = new Promise<void>((resolve) => {
      waker.wake = () => {
        isWoken = true
        resolve()
      }
    })
    const taken =
      busy.size < crew.hands ? await takeSafely(service, crew, { free: crew.hands - busy.size, signal }) : []
    for (const job of taken) {
      busy.add(job)
      void job.finally(() => {
        busy.delete(job)
        waker.wake()
      })
    }
    if (taken.length > 0 && busy.size < crew.hands) continue
    const napMs = isWoken || busy.size >= crew.hands ? null : await napOf(service, crew)
    if (!isWoken && !signal.aborted) await firstOf(wakened, napMs, signal)
  }
  await Promise.all(busy)
}

async function takeSafely(
  service: Service,
  crew: Crew,
  { free, signal }: { readonly free: number; readonly signal: AbortSignal },
): Promise<readonly Promise<void>[]> {
  const queue = crew.queue ?? 'timers'
  try {
    return await takeInSpan(queue, () => crew.take(free, signal))
  } catch (error) {
    service.metrics.jobFailed({ job: queue, error })
    return []
  }
}

/** The span lasts until the last of the jobs has ended. */
async function takeInSpan(queue: string, take: () => ReturnType<Crew['take']>): ReturnType<Crew['take']> {
  const span = openSpan(`work ${queue}`, () => ({ attributes: { 'landfall.queue': queue }, parent: null }))
  if (span === null) return take()
  try {
    const jobs = await within(span, take)
    span.set({ 'landfall.jobs': jobs.length })
    void Promise.all(jobs).finally(() => span.end())
    return jobs
  } catch (error) {
    span.fail(kindOfError(error))
    span.end()
    throw error
  }
}

/** How long the crew may wait if nothing wakes it: until work is due. Null when that is not known. */
async function napOf(service: Service, crew: Crew): Promise<number | null> {
  try {
    const ms = (await crew.nextMs?.()) ?? null
    return ms === null ? null : Math.min(napMsMax, ms)
  } catch (error) {
    service.log.warn('database.unreachable', { error })
    return null
  }
}

/** Waits until something wakes the crew, its wait is over or the signal aborts, whichever comes first. */
async function firstOf(wakened: Promise<void>, restMs: number | null, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  const aborted = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()))
  const end = (): void => over.abort()
  signal.addEventListener('abort', end, { once: true })
  const rested = restMs === null ? aborted : pause(restMs, undefined, { signal: over.signal }).catch(() => {})
  try {
    await Promise.race([wakened, rested])
  } finally {
    over.abort()
    signal.removeEventListener('abort', end)
  }
}
