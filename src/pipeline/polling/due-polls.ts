/** Leases poll targets that are due, polls their lines, and stores the answers. */

import type { FetchResult } from '../../connectors/source.ts'
import { findSource } from '../../connectors/source-registry.ts'
import { inTransaction } from '../../db/database.ts'
import { consumeTrace } from '../../db/trace-notices.ts'
import { dealRoundRobin } from '../../domain/polling/deal-round-robin.ts'
import { addMs } from '../../domain/values/time.ts'
import { journeyNow, realNow, type Service } from '../../modules/service.ts'
import { decryptSecrets } from '../../platform/encryption.ts'
import { kindOfError, type SpanHandle } from '../../platform/live-span.ts'
import { withSpan } from '../../platform/traces.ts'
import { leaseToken } from '../jobs/holder.ts'
import type { Rules } from '../ledger/rules.ts'
import { noteRequests } from './channel-usage-sql.ts'
import { countRequests } from './count-requests.ts'
import { type DuePollTarget, lockReadyPolls, type PollTargetSubqueue, type ReadyPolls } from './due-poll-targets-sql.ts'
import { postponeContainerPolls } from './postpone-container-polls-sql.ts'
import { type LeasedPolls, leaseFromReady, leaseUpTo, msUntilReady, type OpenChannel } from './ready-channels.ts'
import { type PollJob, storePoll, storePollFault } from './store-poll.ts'

/** Longer than any fetch may take (time-outs, pages and waits included), so that a lease outlives its poll. */
const leaseMs = 180_000

/** Leases up to `limit` due poll targets, of each line only as many as its limits allow now. */
export async function takeDuePolls(service: Service, limit: number): Promise<readonly PollJob[]> {
  const token = leaseToken(service)
  const now = realNow(service)
  const until = addMs(now, leaseMs)
  const jobs: PollJob[] = []
  await leaseUpTo(limit, async (free) => {
    const before = jobs.length
    const held = await inTransaction(
      service.pool,
      (db) =>
        leaseFromReady(service, db, {
          now,
          until,
          limit: free,
          hold: lockReadyPolls,
          limitsOf: ({ source, profile }) => findSource(source)?.limitsOf(profile) ?? null,
          take: async (channels) => leaseFromChannels(channels, { token, now, limit, jobs }),
          lease: () => ({ ids: jobs.slice(before).map(({ pollTarget }) => pollTarget.id), token }),
        }),
      'once',
    )
    return { leasedCount: jobs.length - before, held }
  })
  return jobs
}

function leaseFromChannels(
  channels: readonly OpenChannel<ReadyPolls>[],
  of: {
    readonly token: string
    readonly now: string
    readonly limit: number
    readonly jobs: PollJob[]
  },
): ReadonlyMap<string, LeasedPolls> {
  const { token, now, jobs } = of
  const leasedByChannel = new Map<string, LeasedPolls>()
  for (const channel of channels) {
    const {
      picks,
      spending: usage,
      waits,
    } = dealRoundRobin({
      ...channel,
      queues: channel.subqueues.map((subqueue) => ({ ...subqueue, items: subqueue.pollTargets })),
      capacity: Math.min(channel.capacity, of.limit - jobs.length),
      nowMs: Date.parse(now),
      // A poll target that was never polled is assumed to need as many requests as the channel's last poll.
      requestsOf: ({ requests, lastSnapshotId }) => (lastSnapshotId === null ? channel.requests : requests),
    })
    const { source, profile, encryptedSecret, isSandbox, refusals, limits } = channel
    const access = { credentialId: channel.id, source, profile, encryptedSecret, isSandbox, refusals }
    jobs.push(...picks.map(({ item, requests }) => ({ pollTarget: { ...item, ...access }, token, requests, limits })))
    const placeOf = (subqueue: PollTargetSubqueue): number =>
      1 +
      picks.findLastIndex(
        (pick) => pick.queue.urgency === subqueue.urgency && pick.queue.accountId === subqueue.accountId,
      )
    const subqueues = channel.subqueues.map((subqueue) => ({ ...subqueue, place: placeOf(subqueue) }))
    leasedByChannel.set(channel.id, { leasedCount: picks.length, usage, waits, subqueues })
  }
  return leasedByChannel
}

/** Milliseconds until the next line becomes ready that is not ready now. Null when nothing is planned. */
export function msUntilDuePoll(service: Service): Promise<number | null> {
  return msUntilReady(service, 'looks')
}

/** Never rejects: what goes wrong is logged, counted and tried again. */
export function pollCarrier(service: Service, rules: Rules, job: PollJob): Promise<void> {
  const { id, scac, kind, credentialId } = job.pollTarget
  return withSpan(
    'look',
    () => ({
      kind: 'client',
      attributes: {
        'landfall.who': scac,
        'landfall.channel_id': credentialId,
        'landfall.subject_id': id,
        'landfall.kind': kind,
      },
      parent: consumeTrace(id),
    }),
    (pollSpan) => pollInSpan(service, rules, job, pollSpan),
  )
}

async function pollInSpan(service: Service, rules: Rules, job: PollJob, pollSpan: SpanHandle): Promise<void> {
  const { pollTarget, limits } = job
  try {
    const startedAt = journeyNow(service, pollTarget.isSandbox)
    const { credentialId: channelId, scac: code } = pollTarget
    const counted = countRequests(service, { channelId, code, limits, reserved: job.requests })
    const result = await fetchAnswer(service, pollTarget, counted.requestPermit)
    await counted.close()
    await noteRequests(service.pool, pollTarget.credentialId, counted.needed())
    const storedPoll = await storePoll(service, rules, {
      ...job,
      startedAt,
      result,
      needed: counted.needed(),
    })
    pollSpan.set({ 'landfall.outcome': storedPoll.outcome })
    if (!storedPoll.succeeded) pollSpan.fail(storedPoll.outcome)
    reportPoll(service, job, {
      ...storedPoll,
      durationMs: Math.round(result.durationMs),
      requestedMs: result.retryAfterMs ?? 0,
    })
    if (storedPoll.outcome === 'unchanged') await postponeContainers(service, rules, pollTarget)
  } catch (error) {
    pollSpan.fail(kindOfError(error))
    service.metrics.jobFailed({ job: 'look', pollTarget: pollTarget.id, scac: pollTarget.scac, error })
    await storePollFault(service, { ...job, error }).catch((storeError: unknown) => {
      // The database cannot be reached either. The lease runs out by itself.
      service.log.warn('database.unreachable', { pollTarget: pollTarget.id, error: storeError })
    })
  }
}

/**
 * Polls the line, with the secrets of its credential, through the guarded egress only. Throws when no source has that
 * name, or when the source cannot read the profile.
 */
async function fetchAnswer(
  service: Service,
  pollTarget: DuePollTarget,
  requestPermit: () => Promise<boolean>,
): Promise<FetchResult> {
  const source = findSource(pollTarget.source)
  if (source === null) throw new Error(`no source is called ${pollTarget.source}`)
  const profile = source.parseProfile(pollTarget.profile)
  if (!profile.ok) throw new Error(`the profile of ${pollTarget.scac} is not valid: ${profile.reason}`)
  const { scac, kind, number, lastSnapshotId } = pollTarget
  const etag = lastSnapshotId === null ? null : pollTarget.etag
  const secrets = decryptSecrets(service.encryption, pollTarget.encryptedSecret)
  return source.fetch(
    { scac, kind, number, firstRequestedAt: pollTarget.createdAt, etag },
    { profile: profile.value, secrets },
    { egress: service.carrierEgress(pollTarget.isSandbox), now: () => service.clock.now(), requestPermit },
  )
}

/**
 * When a line states the same as before about a document, it states the same about the document's containers. So
 * containers of which we know nothing more are not polled by their own numbers before the next poll of the document.
 * Nothing is postponed when a poll of the document fails or brings something new, or when its tracking stops. Not in
 * the sandbox: its days may last a second.
 */
async function postponeContainers(
  service: Service,
  { polls: pollRules }: Rules,
  pollTarget: PollJob['pollTarget'],
): Promise<void> {
  const { id: pollTargetId, kind, isSandbox } = pollTarget
  if (kind === 'container' || isSandbox) return
  const plan = { subjectId: pollTargetId, now: realNow(service), marginMs: pollRules.gapMinMs }
  await postponeContainerPolls(service.pool, plan).catch((error: unknown) => {
    // The containers are polled as planned before.
    service.log.warn('database.unreachable', { pollTarget: pollTargetId, error })
  })
}

function reportPoll(
  { metrics }: Service,
  { pollTarget }: PollJob,
  poll: Awaited<ReturnType<typeof storePoll>> & { readonly durationMs: number; readonly requestedMs: number },
): void {
  const { scac } = pollTarget
  const fields = { pollTarget: pollTarget.id, durationMs: poll.durationMs }
  if (poll.succeeded) metrics.lookFinished({ scac, outcome: poll.outcome, ...fields })
  else metrics.lookFailed({ scac, reason: poll.outcome, ...fields })
  for (const [kind, issues] of Map.groupBy(poll.issues, (issue) => issue.kind))
    metrics.issueRaised({ scac, kind, pollTarget: pollTarget.id, times: issues.length })
  const { cooldownUntil: until, requestedMs } = poll
  if (until !== null) metrics.lineLeftAlone({ scac, askedMs: requestedMs, until })
}
