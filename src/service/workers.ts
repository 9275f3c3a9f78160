/** The workers of a process: looks, tasks, mails, timers, numbering and deliveries, woken by the database or by a poll. */

import { askChannel } from './asking/ask-channel.ts'
import { msUntilAsking, takeAskings } from './asking/take-askings.ts'
import { workQueue } from './batches/work-queue.ts'
import { numberEvents } from './events/number-events.ts'
import { foldingCrews, mendingCrews } from './folding/crews.ts'
import { type FoldingPlace, runFoldThreads } from './folding/fold-threads.ts'
import { forgetOldKeys } from './idempotency/run-once.ts'
import { workImports } from './imports/work-imports.ts'
import { dropOldPredictions } from './inference/note-prediction.ts'
import { numberOutcomes } from './inference/number-outcomes.ts'
import { expireWaiting } from './intake/expire-waiting.ts'
import { makeWanted } from './intake/make-wanted.ts'
import { joinWaiting, matchMentions } from './intake/match.ts'
import { watchFolders } from './intake/watch-folders.ts'
import { watchLines } from './issues/watch-lines.ts'
import { foldBy } from './ledger/fold.ts'
import { readRules } from './ledger/rules.ts'
import { lookAt, msUntilSlot, takeLooks } from './looking/take-looks.ts'
import { tidyLooks } from './looking/tidy-looks.ts'
import { takeMails } from './mail/work-mails.ts'
import { tidyOauth } from './oauth/tidy-oauth.ts'
import { followPositions } from './positions/follow-positions.ts'
import type { World } from './positions/worlds.ts'
import { type Crew, resting, runCrews, stepping } from './run-crews.ts'
import type { Service } from './service.ts'
import { askTold } from './tracking/ask-told.ts'
import { cleanUp } from './webhooks/clean-up.ts'
import { type DeliveryOptions, deliverDue, startDeliveries } from './webhooks/deliver.ts'

export interface WorkerOptions {
  /** Feeds of ships' positions; without any, nothing listens. */
  readonly worlds?: readonly World[]
  /** Where threads of their own fold, as many as are set; without it this one does. */
  readonly folding?: FoldingPlace
}

export interface Workers {
  /** Lets jobs under way end, takes no more. */
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
    { topic: 'mails', pollMs: 2_000, hands: 4, take: (free) => takeMails(service, free) },
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

/** Starts every crew; a crew whose database is away waits and goes on. */
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

/** Works everything off that is due now, for tests and tools: no polling, no waiting. Not what an upgrade leaves to do. */
export async function drainWorkers(service: Service, options: DeliveryOptions): Promise<void> {
  const crews = [...crewsOf(service), ...foldingCrews(service, service.config.server.workers)]
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
