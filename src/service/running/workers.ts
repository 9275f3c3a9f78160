/** The workers of a process: looks, tasks, mails, timers, numbering and deliveries, woken by the database or by a poll. */

import type { Queue } from '../../store/ground/due-work.ts'
import { forgetMails } from '../documents/mail-in/forget-mails.ts'
import { workSubmissions } from '../documents/mail-in/work-submissions.ts'
import { takeDocuments } from '../documents/reading/work-documents.ts'
import { tidyDocuments } from '../documents/tidy-documents.ts'
import { keptBeside } from '../ground/kept-beside.ts'
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
import { movePack } from '../hearing/packing/move-packs.ts'
import { packSnapshots } from '../hearing/packing/pack-snapshots.ts'
import { followPositions } from '../hearing/positions/follow-positions.ts'
import type { World } from '../hearing/positions/worlds.ts'
import { dropOldPredictions } from '../inference/note-prediction.ts'
import { numberOutcomes } from '../inference/number-outcomes.ts'
import { foldBy } from '../ledger/fold.ts'
import { readRules } from '../ledger/rules.ts'
import { tidyOauth } from '../people/oauth/tidy-oauth.ts'
import { makeDueRoot } from '../proving/evidence/make-roots.ts'
import { watchLines } from '../proving/issues/watch-lines.ts'
import type { Service } from '../service.ts'
import { sendMessages } from '../telling/alerts/send-messages.ts'
import { tidyAlerts } from '../telling/alerts/tidy-alerts.ts'
import { watchAccounts } from '../telling/alerts/watch-accounts.ts'
import { numberEvents } from '../telling/events/number-events.ts'
import { tidyEvents } from '../telling/events/tidy-events.ts'
import { workMails } from '../telling/mail/work-mails.ts'
import { cleanUp } from '../telling/webhooks/clean-up.ts'
import { type DeliveryOptions, deliverDue, startDeliveries } from '../telling/webhooks/deliver.ts'
import { tidyDeliveries } from '../telling/webhooks/tidy-deliveries.ts'
import { workQueue } from '../tracking/batches/work-queue.ts'
import { tallyBoxes } from '../tracking/charges/tally-boxes.ts'
import { askTold } from '../tracking/requests/ask-told.ts'
import { foldingCrews, mendingCrews } from './folding/crews.ts'
import { type FoldingPlace, runFoldThreads } from './folding/fold-threads.ts'
import { type Crew, dueWork, resting, runCrews, stepping } from './run-crews.ts'

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
      queue: 'looks',
      topic: 'looks',
      pollMs: 500,
      hands: workers * 2,
      take: async (free) => (await takeLooks(service, free)).map((job) => lookAt(service, rules, job)),
      nextMs: () => msUntilSlot(service),
    },
    {
      queue: 'askings',
      pollMs: 1_000,
      hands: workers,
      take: async (free) => (await takeAskings(service, free)).map((job) => askChannel(service, job)),
      nextMs: () => msUntilAsking(service),
    },
    { queue: 'mentions', topic: 'mentions', pollMs: 500, ...stepping(() => matchMentions(service)) },
    { queue: 'joins', topic: 'mentions', pollMs: 500, ...stepping(() => joinWaiting(service)) },
    { queue: 'wanted', pollMs: 1_000, ...stepping(() => makeWanted(service)) },
    { queue: 'told', topic: 'looks', pollMs: 5_000, ...stepping(() => askTold(service, fold)) },
    { queue: 'mails', topic: 'mails', pollMs: 2_000, hands: 4, take: (free) => workMails(service, free) },
    {
      queue: 'emails',
      topic: 'emails',
      pollMs: 1_000,
      hands: 2,
      take: (free) => workSubmissions(service, free),
    },
    { queue: 'events', topic: 'events', pollMs: 500, ...stepping(() => numberEvents(service)) },
    { queue: 'outcomes', pollMs: 1_000, ...stepping(() => numberOutcomes(service)) },
    { queue: 'imports', pollMs: 1_000, ...stepping(() => workImports(service)) },
    {
      queue: 'documents',
      topic: 'documents',
      pollMs: 1_000,
      hands: service.config.documents.readAtOnce,
      take: (free) => takeDocuments(service, free),
    },
    { queue: 'alerts', pollMs: 2_000, ...stepping(() => watchAccounts(service)) },
    {
      queue: 'alert_messages',
      topic: 'alerts',
      pollMs: 2_000,
      hands: 8,
      take: (free) => sendMessages(service, free),
    },
    { queue: 'charges', pollMs: 500, ...stepping(() => tallyBoxes(service)) },
    { queue: 'batches', pollMs: 1_000, ...stepping(() => workQueue(service)) },
    { queue: 'folders', pollMs: 2_000, ...stepping(() => watchFolders(service)) },
    { pollMs: 60_000, ...stepping(() => watchLines(service)) },
    { pollMs: 60_000, ...stepping(() => makeDueRoot(service)) },
    { pollMs: 600_000, ...stepping(() => cleanUp(service)) },
    { pollMs: 600_000, ...stepping(() => forgetOldKeys(service)) },
    { pollMs: 600_000, ...stepping(() => expireWaiting(service)) },
    { pollMs: 600_000, ...stepping(() => tidyOauth(service)) },
    { pollMs: 600_000, ...stepping(() => forgetMails(service)) },
    { pollMs: 600_000, ...stepping(() => tidyAlerts(service)) },
    { pollMs: 600_000, ...stepping(() => tidyDocuments(service)) },
    { pollMs: 600_000, ...stepping(() => dropOldPredictions(service, 5_000)) },
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
    { pollMs: 600_000, ...resting(() => tidyLooks(service)) },
    { pollMs: 600_000, ...resting(() => packSnapshots(service)) },
    { pollMs: 600_000, ...resting(() => movePack(service)) },
    { pollMs: 600_000, ...resting(() => tidyDeliveries(service)) },
    { pollMs: 600_000, ...resting(() => tidyEvents(service)) },
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

/**
 * For tests and tools: does everything that is due now, without polling or waiting. Leaves out the work of an upgrade.
 * Crews without a queue work last, and only when their time has come since the last drain. `only` = `queues` leaves them
 * out.
 */
export async function drainWorkers(
  service: Service,
  options: DeliveryOptions & { readonly only?: 'queues' },
): Promise<void> {
  const crews = [...crewsOf(service), ...foldingCrews(service, service.config.server.workers)]
  const deliveries = { queue: 'deliveries' as const, work: () => deliverDue(service, options) }
  const ofQueues = [...crews.flatMap((crew) => (crew.queue === undefined ? [] : [stepOf(crew)])), deliveries]
  const ofClock = crews.filter(({ queue }) => queue === undefined)
  const drained = drainedOf(service)
  const nowMs = service.clock.now()
  const due = ofClock.filter((crew, place) => {
    if (options.only === 'queues') return false
    const lastMs = drained.get(place)
    return lastMs === undefined || nowMs - lastMs >= crew.pollMs
  })
  for (const crew of due) drained.set(ofClock.indexOf(crew), nowMs)
  do await workUntilIdle(ofQueues, () => dueWork(service))
  while (await workUntilIdle(due.map(stepOf), null))
}

/** When each crew without a queue last worked in a drain, by its place. */
const drainedOf = keptBeside<Service, Map<number, number>>(() => new Map())

interface Step {
  readonly queue: Queue | undefined
  readonly work: () => Promise<number>
}

function stepOf({ queue, hands, take }: Crew): Step {
  const work = async (): Promise<number> => {
    const jobs = await take(hands)
    await Promise.all(jobs)
    return jobs.length
  }
  return { queue, work }
}

/**
 * Steps take turns until each of them has found nothing since the last work was done. A step whose queue has no work is
 * passed over. Returns whether there was anything to do.
 */
async function workUntilIdle(
  steps: readonly Step[],
  findDue: (() => Promise<ReadonlySet<Queue>>) | null,
): Promise<boolean> {
  let hasWorked = false
  let due = await findDue?.()
  for (let turn = 0, idle = 0; turn < turnsMax; turn += 1) {
    const step = steps[turn % steps.length]
    const isDue = step?.queue === undefined || due === undefined || due.has(step.queue)
    const worked = isDue ? ((await step?.work()) ?? 0) : 0
    if (worked > 0) due = await findDue?.()
    hasWorked ||= worked > 0
    idle = worked > 0 ? 0 : idle + 1
    if (idle >= steps.length) return hasWorked
  }
  throw new Error('there is no end to the work: something makes itself due again at once')
}

const turnsMax = 100_000
