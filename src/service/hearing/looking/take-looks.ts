/** Takes subjects that are due, asks their lines, and keeps what the lines answer. */

import { deal } from '../../../core/looking/dealing.ts'
import { addMs } from '../../../core/values/time.ts'
import { kindOfError, type ToldSpan } from '../../../platform/live-span.ts'
import { span } from '../../../platform/traces.ts'
import { findSource } from '../../../sources/registry.ts'
import { noteRequests } from '../../../store/channels/channel-spending.ts'
import { inTransaction } from '../../../store/database.ts'
import { takeTrace } from '../../../store/ground/trace-notices.ts'
import { lockReadyLooks, type ReadyLooks, type SubjectTurn } from '../../../store/looks/due-subjects.ts'
import { putOffBoxes } from '../../../store/looks/spared-boxes.ts'
import { leaseToken } from '../../ground/holder.ts'
import type { Rules } from '../../ledger/rules.ts'
import { journeyNow, realNow, type Service } from '../../service.ts'
import { countRequests } from '../pacing/count-requests.ts'
import { msUntilReady, type Open, type TakenOf, takeEnough, takeOfReady } from '../pacing/ready-channels.ts'
import { ask } from './ask.ts'
import { keepFault, keepLook, type LookJob } from './keep.ts'

/** Longer than any fetch may take (time-outs, pages and waits included), so that a lease outlives its look. */
const leaseMs = 180_000

/** Leases up to `limit` due subjects, of each line only as many as its limits allow now. */
export async function takeLooks(service: Service, limit: number): Promise<readonly LookJob[]> {
  const token = leaseToken(service)
  const now = realNow(service)
  const until = addMs(now, leaseMs)
  const jobs: LookJob[] = []
  await takeEnough(limit, async (free) => {
    const before = jobs.length
    const held = await inTransaction(
      service.pool,
      (db) =>
        takeOfReady(service, db, {
          now,
          until,
          limit: free,
          hold: lockReadyLooks,
          limitsOf: ({ source, profile }) => findSource(source)?.limitsOf(profile) ?? null,
          take: async (channels) => takeOf(channels, { token, now, limit, jobs }),
          lease: () => ({ ids: jobs.slice(before).map(({ subject }) => subject.id), token }),
        }),
      'once',
    )
    return { taken: jobs.length - before, held }
  })
  return jobs
}

function takeOf(
  channels: readonly Open<ReadyLooks>[],
  of: {
    readonly token: string
    readonly now: string
    readonly limit: number
    readonly jobs: LookJob[]
  },
): ReadonlyMap<string, TakenOf> {
  const { token, now, jobs } = of
  const taken = new Map<string, TakenOf>()
  for (const channel of channels) {
    const { picks, spending, waits } = deal({
      ...channel,
      turns: channel.turns.map((turn) => ({ ...turn, items: turn.subjects })),
      room: Math.min(channel.room, of.limit - jobs.length),
      nowMs: Date.parse(now),
      // A subject that was never asked about is taken to need as many requests as the last question to the channel.
      requestsOf: ({ requests, lastSnapshotId }) => (lastSnapshotId === null ? channel.requests : requests),
    })
    const { source, profile, secretSealed, isFiction, refusals, limits } = channel
    const access = { credentialId: channel.id, source, profile, secretSealed, isFiction, refusals }
    jobs.push(
      ...picks.map(({ item, requests }) => ({ subject: { ...item, ...access }, token, requests, limits })),
    )
    const placeOf = (turn: SubjectTurn): number =>
      1 +
      picks.findLastIndex(
        (pick) => pick.turn.urgency === turn.urgency && pick.turn.accountId === turn.accountId,
      )
    const turns = channel.turns.map((turn) => ({ ...turn, place: placeOf(turn) }))
    taken.set(channel.id, { taken: picks.length, spending, waits, turns })
  }
  return taken
}

/** Milliseconds until the next line becomes ready that is not ready now. Null when nothing is planned. */
export function msUntilSlot(service: Service): Promise<number | null> {
  return msUntilReady(service, 'looks')
}

/** Never rejects: what goes wrong is logged, counted and tried again. */
export function lookAt(service: Service, rules: Rules, job: LookJob): Promise<void> {
  const { id, scac, kind, credentialId } = job.subject
  return span(
    'look',
    () => ({
      kind: 'client',
      attributes: {
        'landfall.who': scac,
        'landfall.channel_id': credentialId,
        'landfall.subject_id': id,
        'landfall.kind': kind,
      },
      parent: takeTrace(id),
    }),
    (told) => lookWithin(service, rules, job, told),
  )
}

async function lookWithin(service: Service, rules: Rules, job: LookJob, told: ToldSpan): Promise<void> {
  const { subject, limits } = job
  try {
    const startedAt = journeyNow(service, subject.isFiction)
    const { credentialId: channelId, scac: code } = subject
    const counted = countRequests(service, { channelId, code, limits, taken: job.requests })
    const result = await ask(service, subject, counted.leave)
    await counted.close()
    await noteRequests(service.pool, subject.credentialId, counted.needed())
    const kept = await keepLook(service, rules, { ...job, startedAt, result, needed: counted.needed() })
    told.set({ 'landfall.outcome': kept.outcome })
    if (!kept.succeeded) told.fail(kept.outcome)
    tell(service, job, {
      ...kept,
      durationMs: Math.round(result.durationMs),
      askedMs: result.retryAfterMs ?? 0,
    })
    if (kept.outcome === 'unchanged') await spareBoxes(service, rules, subject)
  } catch (error) {
    told.fail(kindOfError(error))
    service.metrics.jobFailed({ job: 'look', subject: subject.id, scac: subject.scac, error })
    await keepFault(service, { ...job, error }).catch((cause: unknown) => {
      // The database cannot be reached either. The lease runs out by itself.
      service.log.warn('database.unreachable', { subject: subject.id, error: cause })
    })
  }
}

/**
 * A line that says the same as before of a document says the same of the document's boxes. So boxes of which we know
 * nothing more are not looked at by their own numbers before the next look at the document. Nothing is put off when a
 * look at the document fails or brings something new, or when its tracking stops. Not in the sandbox: its days may last
 * a second.
 */
async function spareBoxes(service: Service, { looks }: Rules, subject: LookJob['subject']): Promise<void> {
  const { id: subjectId, kind, isFiction } = subject
  if (kind === 'container' || isFiction) return
  const plan = { subjectId, now: realNow(service), marginMs: looks.gapMinMs }
  await putOffBoxes(service.pool, plan).catch((error: unknown) => {
    // The boxes are looked at as planned before.
    service.log.warn('database.unreachable', { subject: subjectId, error })
  })
}

function tell(
  { metrics }: Service,
  { subject }: LookJob,
  look: Awaited<ReturnType<typeof keepLook>> & { readonly durationMs: number; readonly askedMs: number },
): void {
  const { scac } = subject
  const fields = { subject: subject.id, durationMs: look.durationMs }
  if (look.succeeded) metrics.lookFinished({ scac, outcome: look.outcome, ...fields })
  else metrics.lookFailed({ scac, reason: look.outcome, ...fields })
  for (const [kind, issues] of Map.groupBy(look.issues, (issue) => issue.kind))
    metrics.issueRaised({ scac, kind, subject: subject.id, times: issues.length })
  const { leftAloneUntil: until, askedMs } = look
  if (until !== null) metrics.lineLeftAlone({ scac, askedMs, until })
}
