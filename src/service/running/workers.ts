/** The workers of a process: looks, tasks, mails, timers, numbering and deliveries, woken by the database or by a poll. */

import { forgetOldKeys } from '../ground/run-once.ts'
import { askChannel } from '../hearing/asking/ask-channel.ts'
import { msUntilAsking, takeAskings } from '../hearing/asking/take-askings.ts'
import { workImports } from '../hearing/imports/work-imports.ts'
import { expireWaiting } from '../hearing/intake/expire-waiting.ts'
import { makeWanted } from '../hearing/intake/make-wanted.ts'
import { joinWaiting, matchMentions } from '../hearing/intake/match.ts'
import { watchFolders } from '../hearing/intake/watch-folders.ts'
import { lookAt, msUntilSlot, takeLooks } from '../hearing/looking/take-looks.ts'
import { tidyLooks } from '../hearing/looking/tidy-looks.ts'
import { followPositions } from '../hearing/positions/follow-positions.ts'
import type { World } from '../hearing/positions/worlds.ts'
import { dropOldPredictions } from '../inference/note-prediction.ts'
import { numberOutcomes } from '../inference/number-outcomes.ts'
import { foldBy } from '../ledger/fold.ts'
import { readRules } from '../ledger/rules.ts'
import { tidyOauth } from '../people/oauth/tidy-oauth.ts'
import { watchLines } from '../proving/issues/watch-lines.ts'
import type { Service } from '../service.ts'
import { numberEvents } from '../telling/events/number-events.ts'
import { workMails } from '../telling/mail/work-mails.ts'
import { cleanUp } from '../telling/webhooks/clean-up.ts'
import { type DeliveryOptions, deliverDue, startDeliveries } from '../telling/webhooks/deliver.ts'
import { workQueue } from '../tracking/batches/work-queue.ts'
import { askTold } from '../tracking/requests/ask-told.ts'
import { foldingCrews, mendingCrews } from './folding/crews.ts'
import { type FoldingPlace, runFoldThreads } from './folding/fold-threads.ts'
import { type Crew, resting, runCrews, stepping } from './run-crews.ts'

export interface WorkerOptions {
  /** Feeds of ships' positions. Without any, nothing listens for positions. */
  readonly worlds?: readonly World[]
  /** What threads need that fold, as many as the settings say. Without it this thread folds. */
  readonly folding?: FoldingPlace
}

export interface Workers {
  /** Lets running jobs end, and takes no more. */
  readonly stop: () => Promise<void>
}

function crewsOf(service: Service): readonly Crew[] {
  const rules = readRules(service.config)
  const fold = foldBy(rules)
  const { workers } = service.config.server
  return [
    {
      topic: 'looks',
      pollMs: 500,
      hands: workers * 2,
      take: async (free) => (await takeLooks(service, free)).map((job) => lookAt(service, rules, job)),
      nextMs: () => msUntilSlot(service),
    },
    {
      topic: null,
      pollMs: 1_000,
      hands: workers,
      take: async (free) => (await takeAskings(service, free)).map((job) => askChannel(service, job)),
      nextMs: () => msUntilAsking(service),
    },
    { topic: 'mentions', pollMs: 500, hands: 1, take: stepping(() => matchMentions(service)) },
    { topic: 'mentions', pollMs: 500, hands: 1, take: stepping(() => joinWaiting(service)) },
    { topic: null, pollMs: 1_000, hands: 1, take: stepping(() => makeWanted(service)) },
    { topic: 'looks', pollMs: 5_000, hands: 1, take: stepping(() => askTold(service, fold)) },
    { topic: 'mails', pollMs: 2_000, hands: 4, take: (free) => workMails(service, free) },
    { topic: 'events', pollMs: 500, hands: 1, take: stepping(() => numberEvents(service)) },
    { topic: null, pollMs: 1_000, hands: 1, take: stepping(() => numberOutcomes(service)) },
    { topic: null, pollMs: 1_000, hands: 1, take: stepping(() => workImports(service)) },
    { topic: null, pollMs: 1_000, hands: 1, take: stepping(() => workQueue(service)) },
    { topic: null, pollMs: 2_000, hands: 1, take: stepping(() => watchFolders(service)) },
    { topic: null, pollMs: 60_000, hands: 1, take: stepping(() => watchLines(service)) },
    { topic: null, pollMs: 600_000, hands: 1, take: stepping(() => cleanUp(service)) },
    { topic: null, pollMs: 600_000, hands: 1, take: stepping(() => forgetOldKeys(service)) },
    { topic: null, pollMs: 600_000, hands: 1, take: stepping(() => expireWaiting(service)) },
    { topic: null, pollMs: 600_000, hands: 1, take: stepping(() => tidyOauth(service)) },
    { topic: null, pollMs: 600_000, hands: 1, take: stepping(() => dropOldPredictions(service, 5_000)) },
  ]
}

/** Starts every crew. A crew that cannot reach the database waits and tries again. */
export function startWorkers(service: Service, options: DeliveryOptions & WorkerOptions): Workers {
  const deliveries = startDeliveries(service, options)
  const stopping = new AbortController()
  const { folding = null, worlds = [] } = options
  const { foldThreads, workers } = service.config.server
  const hasThreads = folding !== null && foldThreads > 0
  const crews = [
    ...crewsOf(service),
    { topic: null, pollMs: 600_000, hands: 1, take: resting(() => tidyLooks(service)) },
    ...(hasThreads ? [] : [...foldingCrews(service, workers), ...mendingCrews(service)]),
  ]
  const running = runCrews(service, crews, {
    signal: stopping.signal,
    heard: (topic) => {
      if (topic === 'deliveries') deliveries.wake()
    },
  })
  const threads = hasThreads ? runFoldThreads(service, folding, stopping.signal) : null
  const positions = worlds.length === 0 ? null : followPositions(service, worlds, stopping.signal)
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all([running, threads, positions, deliveries.stop()])
    },
  }
}

/** Crews that look this seldom do not depend on what other crews do, but on the clock alone. */
const seldomMs = 60_000

/**
 * For tests and tools: does everything that is due now, without polling or waiting. Leaves out the work of an upgrade.
 * Crews take turns until each of them has found nothing since the last work was done. Asking all crews again after each
 * piece of work took twice as many statements.
 */
export async function drainWorkers(service: Service, options: DeliveryOptions): Promise<void> {
  const crews = [...crewsOf(service), ...foldingCrews(service, service.config.server.workers)]
  const steps = crews.map(({ pollMs, hands, take }) => ({
    isSeldom: pollMs >= seldomMs,
    work: async () => {
      const jobs = await take(hands)
      await Promise.all(jobs)
      return jobs.length
    },
  }))
  const often = steps.flatMap(({ isSeldom, work }) => (isSeldom ? [] : [work]))
  const seldom = steps.flatMap(({ isSeldom, work }) => (isSeldom ? [work] : []))
  do await workUntilIdle([...often, () => deliverDue(service, options)])
  while (await workUntilIdle(seldom))
}

/** Returns whether there was anything to do. */
async function workUntilIdle(steps: readonly (() => Promise<number>)[]): Promise<boolean> {
  let hasWorked = false
  let idle = 0
  for (let turn = 0; turn < 100_000; turn += 1) {
    const worked = (await steps[turn % steps.length]?.()) ?? 0
    hasWorked ||= worked > 0
    idle = worked > 0 ? 0 : idle + 1
    if (idle === steps.length) return hasWorked
  }
  throw new Error('there is no end to the work: something makes itself due again at once')
}
