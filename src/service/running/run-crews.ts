/**
 * The crews of a process. Each takes jobs from the database, a limited number at a time, when the database wakes it or
 * when its own poll is due.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { hearWakes, type WakeTopic } from '../../store/ground/wake.ts'
import type { Service } from '../service.ts'

/** Takes jobs from the database and works on as many at a time as there are hands. */
export interface Crew {
  readonly topic: WakeTopic | null
  readonly pollMs: number
  readonly hands: number
  /** Takes up to `free` jobs and starts them; each promise ends with its job and never rejects. */
  readonly take: (free: number) => Promise<readonly Promise<void>[]>
  /** In how many milliseconds work is due, when that is before the next poll. */
  readonly nextMs?: () => Promise<number | null>
}

/**
 * Makes the `take` of a crew that does one piece after the other. The next piece starts at once when the last one found
 * work.
 */
export function stepping(work: () => Promise<number>): Crew['take'] {
  return async () => {
    const done = await work()
    return Array.from({ length: Math.min(done, 1) }, () => Promise.resolve())
  }
}

/**
 * The same for work that can wait: after each piece it pauses for as long as the piece took, so that live work has half
 * of the time.
 */
export function resting(work: () => Promise<number>): Crew['take'] {
  return async () => {
    const startedMs = performance.now()
    if ((await work()) === 0) return []
    return [pause(Math.min(performance.now() - startedMs, restMsMax))]
  }
}

const restMsMax = 5_000

type Bells = Map<WakeTopic, Set<() => void>>

/**
 * Runs until the signal. Then running jobs end, and no more are taken. A crew that cannot reach the database waits and
 * tries again.
 */
export async function runCrews(
  service: Service,
  crews: readonly Crew[],
  { signal, heard }: { readonly signal: AbortSignal; readonly heard?: (topic: WakeTopic) => void },
): Promise<void> {
  const bells: Bells = new Map()
  const listening = hearWakes(service.pool, {
    signal,
    heard: (topic) => {
      heard?.(topic)
      for (const ring of bells.get(topic) ?? []) ring()
    },
    // The crews go on polling until the connection works again.
    broken: (error) => service.log.warn('database.unreachable', { error }),
  })
  await Promise.all([listening, ...crews.map((crew) => runCrew(service, crew, signal, bells))])
}

async function runCrew(service: Service, crew: Crew, signal: AbortSignal, bells: Bells): Promise<void> {
  const busy = new Set<Promise<void>>()
  let ring: () => void = () => {}
  if (crew.topic !== null) {
    const set = bells.get(crew.topic) ?? new Set()
    bells.set(
      crew.topic,
      set.add(() => ring()),
    )
  }
  while (!signal.aborted) {
    let rung = false
    const bell = new Promise<void>((resolve) => {
      ring = () => {
        rung = true
        resolve()
      }
    })
    const taken = busy.size < crew.hands ? await takeSafely(service, crew, crew.hands - busy.size) : []
    for (const job of taken) {
      busy.add(job)
      void job.finally(() => {
        busy.delete(job)
        ring()
      })
    }
    if (taken.length > 0 && busy.size < crew.hands) continue
    const restMs = rung || busy.size >= crew.hands ? crew.pollMs : await restOf(service, crew)
    if (!rung && !signal.aborted) await firstOf(bell, restMs, signal)
  }
  await Promise.all(busy)
}

async function takeSafely(service: Service, crew: Crew, free: number): Promise<readonly Promise<void>[]> {
  try {
    return await crew.take(free)
  } catch (error) {
    service.metrics.jobFailed({ job: crew.topic ?? 'timers', error })
    return []
  }
}

/** How long the crew may rest: until work is due, but not longer than the poll. */
async function restOf(service: Service, crew: Crew): Promise<number> {
  try {
    return Math.min(crew.pollMs, (await crew.nextMs?.()) ?? crew.pollMs)
  } catch (error) {
    service.log.warn('database.unreachable', { error })
    return crew.pollMs
  }
}

/** Waits until the crew is woken, its poll is due or the signal aborts, whichever comes first. */
async function firstOf(bell: Promise<void>, pollMs: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  const end = (): void => over.abort()
  signal.addEventListener('abort', end, { once: true })
  try {
    await Promise.race([bell, pause(pollMs, undefined, { signal: over.signal }).catch(() => {})])
  } finally {
    over.abort()
    signal.removeEventListener('abort', end)
  }
}
