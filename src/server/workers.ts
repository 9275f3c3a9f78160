/**
 * The workers of a process: polls, tasks, mails, timers, numbering and deliveries. The database wakes them, or they
 * check their queue at intervals.
 */

import type { Queue } from '../db/due-work.ts'
import { tallyContainers } from '../modules/charges/tally-containers.ts'
import { pruneDocuments } from '../modules/documents/prune-documents.ts'
import { startDocumentTasks } from '../modules/documents/reading/start-document-tasks.ts'
import { forgetMails, workSubmissions } from '../modules/email-submissions/work-submissions.ts'
import { makeDueRoot } from '../modules/evidence/make-due-root.ts'
import { workImports } from '../modules/imports/work-imports.ts'
import { dropOldPredictions } from '../modules/inference/note-prediction.ts'
import { numberOutcomes } from '../modules/inference/number-outcomes.ts'
import { watchLines } from '../modules/issues/watch-lines.ts'
import { pruneOauth } from '../modules/oauth-apps/prune-oauth.ts'
import { decideExpectations } from '../modules/overdue/decide-expectations.ts'
import { forgetOldKeys } from '../modules/run-once.ts'
import { scoreDueEtas } from '../modules/scorecards/score-etas.ts'
import type { Service } from '../modules/service.ts'
import { watchShapes } from '../modules/sources/watch-shapes.ts'
import { workBatchQueue } from '../modules/tracking-requests/work-queue.ts'
import { cleanUp, pruneDeliveries } from '../pipeline/delivery/prune-deliveries.ts'
import { type DeliveryOptions, deliverDue, startDeliveries } from '../pipeline/delivery/start-deliveries.ts'
import { numberEvents } from '../pipeline/event-sequence/number-events.ts'
import { makeWantedRequests } from '../pipeline/ingestion/create-wanted-requests.ts'
import { expireWaiting } from '../pipeline/ingestion/expire-waiting.ts'
import { matchMentions, matchWaitingMentions } from '../pipeline/ingestion/match-mentions.ts'
import { watchFolders } from '../pipeline/ingestion/watch-folders.ts'
import {
  listDueQueues,
  runWorkerGroups,
  toBackgroundWorker,
  toSteppingWorker,
  type WorkerGroup,
} from '../pipeline/jobs/run-worker-groups.ts'
import { foldBy } from '../pipeline/ledger/fold.ts'
import { readRules } from '../pipeline/ledger/rules.ts'
import { pruneAlerts } from '../pipeline/notifications/prune-alerts.ts'
import { sendMessages } from '../pipeline/notifications/send-messages.ts'
import { watchAccounts } from '../pipeline/notifications/watch-accounts.ts'
import { workMails } from '../pipeline/notifications/work-mails.ts'
import { pollPushedRequests } from '../pipeline/polling/poll-pushed-requests.ts'
import { prunePolls } from '../pipeline/polling/prune-polls.ts'
import type { FeedEnvironment } from '../pipeline/positions/feed-environments.ts'
import { forgetFeeds } from '../pipeline/positions/forget-feeds.ts'
import { movePack } from '../pipeline/response-archive/move-pack.ts'
import { packSnapshots } from '../pipeline/response-archive/pack-snapshots.ts'
import { msUntilChannelPoll, takeDueChannelPolls } from '../pipeline/terminal-polling/due-channel-polls.ts'
import { pollChannel } from '../pipeline/terminal-polling/poll-channel.ts'
import { memoizePerOwner } from '../platform/memoize-per-owner.ts'
import { type FoldThreadSetup, runFoldThreads } from './fold-threads.ts'
import { createFoldingGroups, createPollingGroup, createRepairGroups } from './worker-groups.ts'

export interface WorkerOptions {
  /** Feeds of ships' positions. Without any, nothing listens for positions. */
  readonly environments?: readonly FeedEnvironment[]
  /** What threads that poll and fold need; there are as many as the settings define. Without it this thread does it. */
  readonly folding?: FoldThreadSetup
}

export interface Workers {
  /** Lets running jobs end, and starts no more. */
  readonly stop: () => Promise<void>
}

function createWorkerGroups(service: Service): readonly WorkerGroup[] {
  const fold = foldBy(readRules(service.config))
  const { workers } = service.config.server
  return [
    {
      queue: 'askings',
      pollMs: 1_000,
      concurrency: workers,
      take: async (free) => (await takeDueChannelPolls(service, free)).map((job) => pollChannel(service, job)),
      nextMs: () => msUntilChannelPoll(service),
    },
    { queue: 'mentions', topic: 'mentions', pollMs: 500, ...toSteppingWorker(() => matchMentions(service)) },
    {
      queue: 'joins',
      topic: 'mentions',
      pollMs: 500,
      ...toSteppingWorker(() => matchWaitingMentions(service)),
    },
    { queue: 'wanted', pollMs: 1_000, ...toSteppingWorker(() => makeWantedRequests(service)) },
    {
      queue: 'told',
      topic: 'looks',
      pollMs: 5_000,
      ...toSteppingWorker(() => pollPushedRequests(service, fold)),
    },
    {
      queue: 'mails',
      topic: 'mails',
      pollMs: 2_000,
      concurrency: 4,
      take: (free) => workMails(service, free),
    },
    {
      queue: 'emails',
      topic: 'emails',
      pollMs: 1_000,
      concurrency: 2,
      take: (free) => workSubmissions(service, free),
    },
    { queue: 'events', topic: 'events', pollMs: 500, ...toSteppingWorker(() => numberEvents(service)) },
    { queue: 'outcomes', pollMs: 1_000, ...toSteppingWorker(() => numberOutcomes(service)) },
    { queue: 'imports', pollMs: 1_000, ...toSteppingWorker(() => workImports(service)) },
    {
      queue: 'documents',
      topic: 'documents',
      pollMs: 1_000,
      concurrency: service.config.documents.readAtOnce,
      take: (free) => startDocumentTasks(service, free),
    },
    { queue: 'alerts', pollMs: 2_000, ...toSteppingWorker(() => watchAccounts(service)) },
    {
      queue: 'alert_messages',
      topic: 'alerts',
      pollMs: 2_000,
      concurrency: 8,
      take: (free) => sendMessages(service, free),
    },
    { queue: 'charges', pollMs: 500, ...toSteppingWorker(() => tallyContainers(service)) },
    { queue: 'scorecards', pollMs: 1_000, ...toSteppingWorker(() => scoreDueEtas(service)) },
    { queue: 'overdue', pollMs: 500, ...toSteppingWorker(() => decideExpectations(service)) },
    { queue: 'batches', pollMs: 1_000, ...toSteppingWorker(() => workBatchQueue(service)) },
    { queue: 'folders', pollMs: 2_000, ...toSteppingWorker(() => watchFolders(service)) },
    { pollMs: 60_000, ...toSteppingWorker(() => watchLines(service)) },
    { pollMs: 600_000, ...toSteppingWorker(() => watchShapes(service)) },
    { pollMs: 60_000, ...toSteppingWorker(() => makeDueRoot(service)) },
    { pollMs: 600_000, ...toSteppingWorker(() => cleanUp(service)) },
    { pollMs: 600_000, ...toSteppingWorker(() => forgetOldKeys(service)) },
    { pollMs: 600_000, ...toSteppingWorker(() => expireWaiting(service)) },
    { pollMs: 600_000, ...toSteppingWorker(() => pruneOauth(service)) },
    { pollMs: 600_000, ...toSteppingWorker(() => forgetMails(service)) },
    { pollMs: 600_000, ...toSteppingWorker(() => pruneAlerts(service)) },
    { pollMs: 600_000, ...toSteppingWorker(() => pruneDocuments(service)) },
    { pollMs: 600_000, ...toSteppingWorker(() => dropOldPredictions(service, 5_000)) },
  ]
}

/** Starts every worker group. A worker group that cannot reach the database waits and tries again. */
export function startWorkers(service: Service, options: DeliveryOptions & WorkerOptions): Workers {
  const deliveries = startDeliveries(service, options)
  const stopping = new AbortController()
  const { folding = null, environments = [] } = options
  const { foldThreads, workers } = service.config.server
  const hasThreads = folding !== null && foldThreads > 0
  const workerGroups = [
    ...createWorkerGroups(service),
    { pollMs: 600_000, ...toBackgroundWorker(() => prunePolls(service)) },
    { pollMs: 600_000, ...toBackgroundWorker(() => packSnapshots(service)) },
    { pollMs: 600_000, ...toBackgroundWorker(() => movePack(service)) },
    { pollMs: 600_000, ...toBackgroundWorker(() => pruneDeliveries(service)) },
    ...(hasThreads
      ? []
      : [
          createPollingGroup(service, workers),
          ...createFoldingGroups(service, workers),
          ...createRepairGroups(service),
        ]),
  ]
  const running = runWorkerGroups(service, workerGroups, {
    signal: stopping.signal,
    onWake: (topic) => {
      if (topic === 'deliveries') deliveries.wake()
    },
  })
  const threads = hasThreads ? runFoldThreads(service, folding, stopping.signal) : null
  const positions = positionsOf(service, environments, stopping.signal)
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all([running, threads, positions, deliveries.stop()])
    },
  }
}

/**
 * For tests and tools: does everything that is due now, without waiting. Leaves out the work of an upgrade. Worker
 * groups without a queue work last, and only when their time has come since the last drain. `only` = `queues` leaves
 * them out.
 */
export async function drainWorkers(
  service: Service,
  options: DeliveryOptions & { readonly only?: 'queues' },
): Promise<void> {
  const { workers } = service.config.server
  const workerGroups = [
    createPollingGroup(service, workers),
    ...createWorkerGroups(service),
    ...createFoldingGroups(service, workers),
  ]
  const deliveries = { queue: 'deliveries' as const, work: () => deliverDue(service, options) }
  const ofQueues = [
    ...workerGroups.flatMap((workerGroup) => (workerGroup.queue === undefined ? [] : [stepOf(workerGroup)])),
    deliveries,
  ]
  const ofClock = workerGroups.filter(({ queue }) => queue === undefined)
  const drained = drainedOf(service)
  const nowMs = service.clock.now()
  const due = ofClock.filter((workerGroup, place) => {
    if (options.only === 'queues') return false
    const lastMs = drained.get(place)
    return lastMs === undefined || nowMs - lastMs >= workerGroup.pollMs
  })
  for (const workerGroup of due) drained.set(ofClock.indexOf(workerGroup), nowMs)
  do await workUntilIdle(ofQueues, () => listDueQueues(service))
  while (await workUntilIdle(due.map(stepOf), null))
}

/** When each worker group without a queue last worked in a drain, by its place. */
const drainedOf = memoizePerOwner<Service, Map<number, number>>(() => new Map())

interface DrainStep {
  readonly queue: Queue | undefined
  readonly work: () => Promise<number>
}

function stepOf({ queue, concurrency, take }: WorkerGroup): DrainStep {
  const work = async (): Promise<number> => {
    const jobs = await take(concurrency)
    await Promise.all(jobs)
    return jobs.length
  }
  return { queue, work }
}

/**
 * Steps alternate until each of them has found nothing since the last work was done. A step whose queue has no work is
 * skipped. Returns whether there was anything to do.
 */
async function workUntilIdle(
  steps: readonly DrainStep[],
  findDue: (() => Promise<ReadonlySet<Queue>>) | null,
): Promise<boolean> {
  let hasWorked = false
  let due = await findDue?.()
  for (let round = 0, idle = 0; round < roundsMax; round += 1) {
    const step = steps[round % steps.length]
    const isDue = step?.queue === undefined || due === undefined || due.has(step.queue)
    const worked = isDue ? ((await step?.work()) ?? 0) : 0
    if (worked > 0) due = await findDue?.()
    hasWorked ||= worked > 0
    idle = worked > 0 ? 0 : idle + 1
    if (idle >= steps.length) return hasWorked
  }
  throw new Error('the work does not end: a step becomes due again at once')
}

const roundsMax = 100_000

/** The code that reads positions is loaded only where there is a feed. */
async function positionsOf(
  service: Service,
  environments: readonly FeedEnvironment[],
  signal: AbortSignal,
): Promise<void> {
  await forgetFeeds(service, environments)
  if (environments.length === 0) return
  const { followPositions } = await import('../pipeline/positions/follow-positions.ts')
  await followPositions(service, environments, signal)
}
