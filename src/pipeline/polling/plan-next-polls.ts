/** Plans when each poll target is polled next: as early as any of its live requests wants it. */

import type { Db } from '../../db/database.ts'
import type { Urgency } from '../../domain/polling/request-budget.ts'
import { jitterOf, pollGapMs, pollUrgency, stretchedGapMs } from '../../domain/polling/schedule.ts'
import { addMs, compareInstants, msBetween } from '../../domain/values/time.ts'
import { journeyNow, realNow, type Service } from '../../modules/service.ts'
import { toPollFacts } from '../ledger/journey-facts.ts'
import type { Rules } from '../ledger/rules.ts'
import type { JourneyState } from '../projection/journey-state-sql.ts'
import { type PollPlanRow, type PollTargetPlanRow, planRowsOf, setNextPolls } from './poll-plan-sql.ts'
import { lockPollTargets } from './poll-targets-sql.ts'

/** The sandbox's days may last a second: two polls of it have at least this gap in real time. */
const sandboxGapMinMs = 500
const sandboxNewsGapMinMs = 2_000

interface PlanPollsInput {
  readonly subjectIds: readonly string[]
  readonly isSandbox: boolean
  readonly retryAfterMs: number
  /**
   * The state that the caller has in memory and will save. Its requests and containers are not read from the database
   * again.
   */
  readonly held?: JourneyState
}

export async function planNextPolls(db: Db, service: Service, rules: Rules, of: PlanPollsInput): Promise<void> {
  const pollTargetIds = [...new Set(of.subjectIds)].toSorted()
  if (pollTargetIds.length === 0) return
  const now = journeyNow(service, of.isSandbox)
  // A transaction that makes a request for a poll target holds this lock. We wait for it, so that the poll that it
  // wants is seen.
  await lockPollTargets(db, pollTargetIds)
  const heldRequestIds = heldIds(of.held)
  const rows = Map.groupBy(await planRowsOf(db, { subjectIds: pollTargetIds, heldRequestIds }), (row) => row.subjectId)
  const plannedPolls = pollTargetIds.map((pollTargetId) => {
    const wanted = (rows.get(pollTargetId) ?? []).flatMap((row): readonly WantedPoll[] => {
      const known = readRow(row) ?? buildPlanRowFromMemory(of.held, row.requestId)
      const wantedPoll = known === null ? null : computeWantedPoll(known, rules, now, jitterOf(pollTargetId))
      if (known === null || wantedPoll === null) return []
      const { accountId, failures } = row
      const usualMs = of.isSandbox ? Math.min(wantedPoll.gapMs, sandboxGapMs(service, known, now)) : wantedPoll.gapMs
      const gapMs = known.status === 'created' ? stretchedGapMs(usualMs, failures, rules.polls) : usualMs
      return [{ gapMs, urgency: wantedPoll.urgency, accountId }]
    })
    const [first] = wanted.toSorted((a, b) => a.gapMs - b.gapMs)
    if (first === undefined) return { subjectId: pollTargetId, at: null }
    const { urgency, accountId } = first
    return {
      subjectId: pollTargetId,
      at: addMs(realNow(service), realGapMs(service, of, first.gapMs)),
      urgency,
      accountId,
    }
  })
  await setNextPolls(db, plannedPolls, realNow(service))
}

/** Requests whose containers are in memory as well. */
function heldIds(held: JourneyState | undefined): readonly string[] {
  const requests = [...(held?.requests.values() ?? [])]
  return requests.filter(({ shipmentId }) => shipmentId === null || held?.shipments.has(shipmentId)).map(({ id }) => id)
}

function readRow({ lifecycle, containers, ...row }: PollTargetPlanRow): PollPlanRow | null {
  return lifecycle === null || containers === null ? null : { ...row, lifecycle, containers }
}

function buildPlanRowFromMemory(held: JourneyState | undefined, requestId: string): PollPlanRow | null {
  const request = held?.requests.get(requestId)
  if (held === undefined || request === undefined) return null
  const shipment = request.shipmentId === null ? undefined : held.shipments.get(request.shipmentId)
  return {
    status: request.status,
    lifecycle: request.lifecycle,
    changedAt: shipment?.row.updatedAt ?? request.updatedAt,
    containers: shipment?.containers.map(({ projection }) => projection) ?? [],
  }
}

/**
 * When its clock has caught up, the sandbox still simulates a day of some journeys each second. No schedule can know of
 * which journey. So a shipment that has just changed is polled again at once, and then less and less often while
 * nothing changes.
 */
function sandboxGapMs(service: Service, row: PollPlanRow, now: string): number {
  if (row.status !== 'created') return Number.POSITIVE_INFINITY
  const leastMs = sandboxNewsGapMinMs * service.journeyClock(true).pace()
  return Math.max(leastMs, msBetween({ from: row.changedAt, to: now }) / 4)
}

function realGapMs(service: Service, of: PlanPollsInput, gapMs: number): number {
  const realMs = Math.ceil(gapMs / service.journeyClock(of.isSandbox).pace())
  return Math.max(realMs, of.retryAfterMs, of.isSandbox ? sandboxGapMinMs : 0)
}

interface WantedPoll {
  readonly gapMs: number
  readonly urgency: Urgency
  readonly accountId: string
}

/** Null when the request needs no poll: it has ended. */
function computeWantedPoll(
  row: PollPlanRow,
  rules: Rules,
  now: string,
  jitter: number,
): Omit<WantedPoll, 'accountId'> | null {
  if (row.status !== 'created') {
    const { nextLookAt: nextPollAt } = row.lifecycle
    if (nextPollAt === null) return null
    // A request that was never answered is new. One that was answered, with a number that its line does not know yet,
    // has already been polled before others.
    const gapMs = compareInstants(nextPollAt, now) <= 0 ? 0 : msBetween({ from: now, to: nextPollAt })
    return { gapMs, urgency: gapMs === 0 ? 'new' : 'near' }
  }
  const facts = row.containers.map((container) => toPollFacts(container, row.changedAt))
  // Null when every container is back. The request is still tracked, because a user resumed it, until a window ends.
  const gapMs = pollGapMs(facts, { now, jitter }, rules.polls) ?? rules.polls.outGapMs
  return { gapMs, urgency: pollUrgency(facts, addMs(now, gapMs), rules.polls) }
}
