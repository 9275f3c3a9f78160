/** The workers of a process: looks, tasks, mails, timers, numbering and deliveries, woken by the database or by a poll. */

import { setTimeout as pause } from 'node:timers/promises'
import { hearWakes, type WakeTopic } from '../store/wake.ts'
import { workQueue } from './batches/work-queue.ts'
import { numberEvents } from './events/number-events.ts'
import { forgetOldKeys } from './idempotency/run-once.ts'
import { workImports } from './imports/work-imports.ts'
import { dropOldPredictions } from './inference/note-prediction.ts'
import { numberOutcomes } from './inference/number-outcomes.ts'
import { joinWaiting, matchMentions } from './intake/match.ts'
import { watchLines } from './issues/watch-lines.ts'
import { foldBy } from './ledger/fold.ts'
import { mendHistory } from './ledger/mend-history.ts'
import { readRules } from './ledger/rules.ts'
import { fireTimers } from './looking/fire-timers.ts'
import { lookAt, msUntilSlot, takeLooks } from './looking/take-looks.ts'
import { workTasks } from './looking/work-tasks.ts'
import { takeMails } from './mail/work-mails.ts'
import { tidyOauth } from './oauth/tidy-oauth.ts'
import { followPositions } from './positions/follow-positions.ts'
import type { World } from './positions/worlds.ts'
import type { Service } from './service.ts'
import { cleanUp } from './webhooks/clean-up.ts'
import { type DeliveryOptions, deliverDue, startDeliveries } from './webhooks/deliver.ts'

/** Takes jobs from the database and works on as many at a time as there are hands. */
interface Crew {
  readonly topic: WakeTopic | null
  readonly pollMs: number
  readonly hands: number
  /** Takes up to `free` jobs and starts them; each promise ends with its job and never rejects. */
  readonly take: (free: number) => Promise<readonly Promise<void>[]>
  /** When work falls due before the next poll, in how many milliseconds. */
  readonly nextMs?: () => Promise<number | null>
}

export interface WorkerOptions {
  /** Feeds of ships' positions; without any, nothing listens. */
  readonly worlds?: readonly World[]
}

export interface Workers {
  /** Lets jobs under way end, takes no more. */
  readonly stop: () => Promise<void>
}

function crewsOf(service: Service): readonly Crew[] {
  const rules = readRules(service.config)
  const fold = foldBy(rules)
  const { workers } = service.config.server
  const step = async (work: () => Promise<number>): Promise<readonly Promise<void>[]> => {
    const done = await work()
    return Array.from({ length: Math.min(done, 1) }, () => Promise.resolve())
  }
  return [
    {
      topic: 'looks',
      pollMs: 500,
      hands: workers * 2,
      take: async (free) => (await takeLooks(service, free)).map((job) => lookAt(service, rules, job)),
      nextMs: () => msUntilSlot(service),
    },
    {
      topic: 'tasks',
      pollMs: 500,
      hands: workers,
      take: (free) => workTasks(service, fold, free),
    },
    { topic: 'mentions', pollMs: 500, hands: 1, take: () => step(() => matchMentions(service)) },
    { topic: 'mentions', pollMs: 500, hands: 1, take: () => step(() => joinWaiting(service)) },
    { topic: 'mails', pollMs: 2_000, hands: 4, take: (free) => takeMails(service, free) },
    { topic: null, pollMs: 500, hands: 1, take: () => step(() => fireTimers(service, fold, 100)) },
    { topic: 'events', pollMs: 500, hands: 1, take: () => step(() => numberEvents(service)) },
    { topic: null, pollMs: 1_000, hands: 1, take: () => step(() => numberOutcomes(service)) },
    { topic: null, pollMs: 1_000, hands: 1, take: () => step(() => workImports(service)) },
    { topic: null, pollMs: 1_000, hands: 1, take: () => step(() => workQueue(service)) },
    { topic: null, pollMs: 60_000, hands: 1, take: () => step(() => watchLines(service)) },
    { topic: null, pollMs: 600_000, hands: 1, take: () => step(() => cleanUp(service)) },
    { topic: null, pollMs: 600_000, hands: 1, take: () => step(() => forgetOldKeys(service)) },
    { topic: null, pollMs: 600_000, hands: 1, take: () => step(() => tidyOauth(service)) },
    { topic: null, pollMs: 600_000, hands: 1, take: () => step(() => dropOldPredictions(service, 5_000)) },
  ]
}

/** What an upgrade leaves to do. The rest after a piece is part of the job: the next begins when it is over. */
function mendingCrew(service: Service): Crew {
  const fold = foldBy(readRules(service.config))
  const take = async (): Promise<readonly Promise<void>[]> => {
    const mended = await mendHistory(service, fold)
    return mended === null ? [] : [mended.rest]
  }
  return { topic: null, pollMs: 60_000, hands: 1, take }
}

/** Starts every crew; a crew whose database is away waits and goes on. */
export function startWorkers(service: Service, options: DeliveryOptions & WorkerOptions): Workers {
  const deliveries = startDeliveries(service, options)
  const stopping = new AbortController()
  const bells = new Map<WakeTopic, Set<() => void>>()
  const listening = hearWakes(service.pool, {
    signal: stopping.signal,
    heard: (topic) => {
      if (topic === 'deliveries') deliveries.wake()
      for (const ring of bells.get(topic) ?? []) ring()
    },
    // Polling carries on until it is back.
    broken: (error) => service.log.warn('database.unreachable', { error }),
  })
  const crews = [...crewsOf(service), mendingCrew(service)].map((crew) =>
    runCrew(service, crew, stopping.signal, bells),
  )
  const { worlds = [] } = options
  const positions = worlds.length === 0 ? null : followPositions(service, worlds, stopping.signal)
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all([...crews, listening, positions, deliveries.stop()])
    },
  }
}

/** Works everything off that is due now, for tests and tools: no polling, no waiting. Not what an upgrade leaves to do. */
export async function drainWorkers(service: Service, options: DeliveryOptions): Promise<void> {
  const crews = crewsOf(service)
  for (let rounds = 0; rounds < 10_000; rounds += 1) {
    let worked = 0
    for (const crew of crews) {
      const jobs = await crew.take(crew.hands)
      await Promise.all(jobs)
      worked += jobs.length
    }
    worked += await deliverDue(service, options)
    if (worked === 0) return
  }
  throw new Error('there is no end to the work: something makes itself due again at once')
}

async function runCrew(
  service: Service,
  crew: Crew,
  signal: AbortSignal,
  bells: Map<WakeTopic, Set<() => void>>,
): Promise<void> {
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

/** The poll at the latest. */
async function restOf(service: Service, crew: Crew): Promise<number> {
  try {
    return Math.min(crew.pollMs, (await crew.nextMs?.()) ?? crew.pollMs)
  } catch (error) {
    service.log.warn('database.unreachable', { error })
    return crew.pollMs
  }
}

/** Waits for the bell, the poll or the end, whichever comes first. */
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
