/** Looks: takes subjects that are due, has their lines asked and what they answer kept. */

import { deal } from '../../../core/dealing.ts'
import { addMs } from '../../../core/time.ts'
import { uuidV7 } from '../../../platform/ids.ts'
import { findSource } from '../../../sources/registry.ts'
import { noteRequests } from '../../../store/channel-spending.ts'
import { inTransaction } from '../../../store/database.ts'
import { lockReadyLooks, type ReadyLooks, type SubjectTurn } from '../../../store/due-subjects.ts'
import { putOffBoxes } from '../../../store/spared-boxes.ts'
import type { Rules } from '../../ledger/rules.ts'
import { journeyNow, realNow, type Service } from '../../service.ts'
import { countRequests } from '../pacing/count-requests.ts'
import { msUntilReady, type Open, type TakenOf, takeEnough, takeOfReady } from '../pacing/ready-channels.ts'
import { ask } from './ask.ts'
import { keepFault, keepLook, type LookJob } from './keep.ts'

/** Longer than any fetch may take (time-outs, pages and waits included), so that a lease outlives its look. */
const leaseMs = 180_000

/** Takes up to `limit` due subjects, each with its line's leave to be asked now. */
export async function takeLooks(service: Service, limit: number): Promise<readonly LookJob[]> {
  const token = uuidV7(service.clock.now())
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
      // What was never asked takes as many as what was asked last.
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

/** Milliseconds until a line may have something to ask that has nothing now; null when nothing is planned. */
export function msUntilSlot(service: Service): Promise<number | null> {
  return msUntilReady(service, 'looks')
}

/** Never rejects: what goes wrong is logged, counted and tried again. */
export async function lookAt(service: Service, rules: Rules, job: LookJob): Promise<void> {
  const { subject, limits } = job
  try {
    const startedAt = journeyNow(service, subject.isFiction)
    const { credentialId: channelId, scac: code } = subject
    const counted = countRequests(service, { channelId, code, limits, taken: job.requests })
    const result = await ask(service, subject, counted.leave)
    await counted.close()
    await noteRequests(service.pool, subject.credentialId, counted.needed())
    const kept = await keepLook(service, rules, { ...job, startedAt, result, needed: counted.needed() })
    tell(service, job, {
      ...kept,
      durationMs: Math.round(result.durationMs),
      askedMs: result.retryAfterMs ?? 0,
    })
    if (kept.outcome === 'unchanged') await spareBoxes(service, rules, subject)
  } catch (error) {
    service.metrics.jobFailed({ job: 'look', subject: subject.id, scac: subject.scac, error })
    await keepFault(service, { ...job, error }).catch((cause: unknown) => {
      // The database is gone as well: the lease runs out by itself.
      service.log.warn('database.unreachable', { subject: subject.id, error: cause })
    })
  }
}

/**
 * What says of a document what it said before says it of its boxes as well: those of which that is all that is known are
 * not asked about by their own numbers before the document has been asked once more. What fails, stops or says something else
 * puts nothing off, and they are asked about themselves. The sandbox is asked as ever: its days may last a second.
 */
async function spareBoxes(service: Service, { looks }: Rules, subject: LookJob['subject']): Promise<void> {
  const { id: subjectId, kind, isFiction } = subject
  if (kind === 'container' || isFiction) return
  const plan = { subjectId, now: realNow(service), marginMs: looks.gapMinMs }
  await putOffBoxes(service.pool, plan).catch((error: unknown) => {
    // They are asked about when they were to be.
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
