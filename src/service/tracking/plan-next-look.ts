/** When a subject is looked at next: as soon as the most eager of its live requests wants it. */

import { jitterOf, lookGapMs } from '../../core/schedule.ts'
import { addMs, compareInstants, msBetween } from '../../core/time.ts'
import type { Db } from '../../store/database.ts'
import { type LookPlanRow, planRows, setNextLook } from '../../store/look-plan.ts'
import { lockSubjects } from '../../store/subjects.ts'
import { journeyNow, realNow, type Service } from '../service.ts'
import { lookFacts } from '../ledger/journey-facts.ts'
import type { Rules } from '../ledger/rules.ts'

/** The sandbox's days may last a second: looks at it keep at least this far apart in real time. */
const fictionGapMinMs = 500
const fictionNewsGapMinMs = 2_000

export async function planNextLook(
  db: Db,
  service: Service,
  rules: Rules,
  of: { readonly subjectId: string; readonly isFiction: boolean; readonly retryAfterMs: number },
): Promise<void> {
  const now = journeyNow(service, of.isFiction)
  const jitter = jitterOf(of.subjectId)
  // A request that is being made for this subject holds the lock: it is seen, and its wish for a look is not lost.
  await lockSubjects(db, [of.subjectId])
  let gapMs: number | null = null
  for (const row of await planRows(db, of.subjectId)) {
    const gap = wantedGapMs(row, rules, now, jitter)
    const wanted = gap !== null && of.isFiction ? Math.min(gap, fictionGapMs(service, row, now)) : gap
    if (wanted !== null && (gapMs === null || wanted < gapMs)) gapMs = wanted
  }
  const nextLookAt = gapMs === null ? null : addMs(realNow(service), realGapMs(service, of, gapMs))
  await setNextLook(db, of.subjectId, nextLookAt)
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

function realGapMs(
  service: Service,
  of: { readonly isFiction: boolean; readonly retryAfterMs: number },
  gapMs: number,
): number {
  const realMs = Math.ceil(gapMs / service.journeyClock(of.isFiction).pace())
  return Math.max(realMs, of.retryAfterMs, of.isFiction ? fictionGapMinMs : 0)
}

/** Null when the request needs no look: it has ended. */
function wantedGapMs(row: LookPlanRow, rules: Rules, now: string, jitter: number): number | null {
  if (row.status !== 'created') {
    const { nextLookAt } = row.lifecycle
    if (nextLookAt === null) return null
    return compareInstants(nextLookAt, now) <= 0 ? 0 : msBetween({ from: now, to: nextLookAt })
  }
  const facts = row.containers.map((container) => lookFacts(container, row.changedAt))
  // Every box is back and the request is tracked all the same: its user resumed it, until a window ends.
  return lookGapMs(facts, { now, jitter }, rules.looks) ?? rules.looks.outGapMs
}
