/** Plans when each subject is looked at next: as early as any of its live requests wants it. */

import type { Urgency } from '../../../core/looking/request-budget.ts'
import { jitterOf, lookGapMs, lookUrgency, stretchedGapMs } from '../../../core/looking/schedule.ts'
import { addMs, compareInstants, msBetween } from '../../../core/values/time.ts'
import type { Db } from '../../../store/database.ts'
import type { JourneyState } from '../../../store/journey-state/state.ts'
import {
  type LookPlanRow,
  planRowsOf,
  type SubjectPlanRow,
  setNextLooks,
} from '../../../store/looks/look-plan.ts'
import { lockSubjects } from '../../../store/looks/subjects.ts'
import { lookFacts } from '../../ledger/journey-facts.ts'
import type { Rules } from '../../ledger/rules.ts'
import { journeyNow, realNow, type Service } from '../../service.ts'

/** The sandbox's days may last a second: looks at it keep at least this far apart in real time. */
const fictionGapMinMs = 500
const fictionNewsGapMinMs = 2_000

interface PlanOf {
  readonly subjectIds: readonly string[]
  readonly isFiction: boolean
  readonly retryAfterMs: number
  /**
   * The state that the caller has in memory and will save. Its requests and boxes are not read from the database again.
   */
  readonly held?: JourneyState
}

export async function planNextLooks(db: Db, service: Service, rules: Rules, of: PlanOf): Promise<void> {
  const subjectIds = [...new Set(of.subjectIds)].toSorted()
  if (subjectIds.length === 0) return
  const now = journeyNow(service, of.isFiction)
  // A transaction that makes a request for a subject holds this lock. We wait for it, so that its wish for a look is
  // seen.
  await lockSubjects(db, subjectIds)
  const heldRequestIds = heldIds(of.held)
  const rows = Map.groupBy(await planRowsOf(db, { subjectIds, heldRequestIds }), (row) => row.subjectId)
  const looks = subjectIds.map((subjectId) => {
    const wanted = (rows.get(subjectId) ?? []).flatMap((row): readonly WantedLook[] => {
      const known = readRow(row) ?? heldRow(of.held, row.requestId)
      const look = known === null ? null : wantedLook(known, rules, now, jitterOf(subjectId))
      if (known === null || look === null) return []
      const { accountId, failures } = row
      const usualMs = of.isFiction ? Math.min(look.gapMs, fictionGapMs(service, known, now)) : look.gapMs
      const gapMs = known.status === 'created' ? stretchedGapMs(usualMs, failures, rules.looks) : usualMs
      return [{ gapMs, urgency: look.urgency, accountId }]
    })
    const [first] = wanted.toSorted((a, b) => a.gapMs - b.gapMs)
    if (first === undefined) return { subjectId, at: null }
    const { urgency, accountId } = first
    return { subjectId, at: addMs(realNow(service), realGapMs(service, of, first.gapMs)), urgency, accountId }
  })
  await setNextLooks(db, looks, realNow(service))
}

/** Requests whose boxes are in memory as well. */
function heldIds(held: JourneyState | undefined): readonly string[] {
  const requests = [...(held?.requests.values() ?? [])]
  return requests
    .filter(({ shipmentId }) => shipmentId === null || held?.shipments.has(shipmentId))
    .map(({ id }) => id)
}

function readRow({ lifecycle, containers, ...row }: SubjectPlanRow): LookPlanRow | null {
  return lifecycle === null || containers === null ? null : { ...row, lifecycle, containers }
}

function heldRow(held: JourneyState | undefined, requestId: string): LookPlanRow | null {
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
 * which journey. So a shipment that has just changed is looked at again at once, and more and more seldom while nothing
 * changes.
 */
function fictionGapMs(service: Service, row: LookPlanRow, now: string): number {
  if (row.status !== 'created') return Number.POSITIVE_INFINITY
  const leastMs = fictionNewsGapMinMs * service.journeyClock(true).pace()
  return Math.max(leastMs, msBetween({ from: row.changedAt, to: now }) / 4)
}

function realGapMs(service: Service, of: PlanOf, gapMs: number): number {
  const realMs = Math.ceil(gapMs / service.journeyClock(of.isFiction).pace())
  return Math.max(realMs, of.retryAfterMs, of.isFiction ? fictionGapMinMs : 0)
}

interface WantedLook {
  readonly gapMs: number
  readonly urgency: Urgency
  readonly accountId: string
}

/** Null when the request needs no look: it has ended. */
function wantedLook(
  row: LookPlanRow,
  rules: Rules,
  now: string,
  jitter: number,
): Omit<WantedLook, 'accountId'> | null {
  if (row.status !== 'created') {
    const { nextLookAt } = row.lifecycle
    if (nextLookAt === null) return null
    // A request that was never answered is new. One that was answered, with a number that its line does not know yet,
    // has already had its turn before others.
    const gapMs = compareInstants(nextLookAt, now) <= 0 ? 0 : msBetween({ from: now, to: nextLookAt })
    return { gapMs, urgency: gapMs === 0 ? 'new' : 'near' }
  }
  const facts = row.containers.map((container) => lookFacts(container, row.changedAt))
  // Null when every box is back. The request is still tracked, because a user resumed it, until a window ends.
  const gapMs = lookGapMs(facts, { now, jitter }, rules.looks) ?? rules.looks.outGapMs
  return { gapMs, urgency: lookUrgency(facts, addMs(now, gapMs), rules.looks) }
}
