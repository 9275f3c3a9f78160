/** When subjects are looked at next: each as soon as the most eager of its live requests wants it. */

import type { Urgency } from '../../../core/request-budget.ts'
import { jitterOf, lookGapMs, lookUrgency, stretchedGapMs } from '../../../core/schedule.ts'
import { addMs, compareInstants, msBetween } from '../../../core/time.ts'
import type { Db } from '../../../store/database.ts'
import type { JourneyState } from '../../../store/journey-state/state.ts'
import { type LookPlanRow, planRowsOf, type SubjectPlanRow, setNextLooks } from '../../../store/look-plan.ts'
import { lockSubjects } from '../../../store/subjects.ts'
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
  /** What the caller holds in memory, as it will be: its requests and their boxes are not read again. */
  readonly held?: JourneyState
}

export async function planNextLooks(db: Db, service: Service, rules: Rules, of: PlanOf): Promise<void> {
  const subjectIds = [...new Set(of.subjectIds)].toSorted()
  if (subjectIds.length === 0) return
  const now = journeyNow(service, of.isFiction)
  // A request that is being made for a subject holds the lock: it is seen, and its wish for a look is not lost.
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

/** Those whose boxes are held with them. */
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
 * The sandbox goes on telling journeys a day a second when its clock has caught up, and no schedule could know which. So
 * what has just changed is looked at again at once, and the longer nothing has, the more seldom.
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
    // One that was never answered is new; one that was, and is not known yet, has had its turn before others.
    const gapMs = compareInstants(nextLookAt, now) <= 0 ? 0 : msBetween({ from: now, to: nextLookAt })
    return { gapMs, urgency: gapMs === 0 ? 'new' : 'near' }
  }
  const facts = row.containers.map((container) => lookFacts(container, row.changedAt))
  // Every box is back and the request is tracked all the same: its user resumed it, until a window ends.
  const gapMs = lookGapMs(facts, { now, jitter }, rules.looks) ?? rules.looks.outGapMs
  return { gapMs, urgency: lookUrgency(facts, addMs(now, gapMs), rules.looks) }
}
