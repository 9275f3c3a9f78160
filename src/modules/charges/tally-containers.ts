/**
 * Tallies the charges of containers again after a new statement, at the beginning of a day that matters, and after new
 * terms; sends events of what changed, and stores the issues of last free days that differ. One account at a time,
 * locked, and in one transaction with the events: several workers, a crash or a second drain send nothing twice
 * (docs/decisions/0034).
 */

import { type Db, inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { calculateCharges } from '../../domain/charges/read-charges.ts'
import { type ContainerTally, daysRead, findNextTallyTime, tallyOf } from '../../domain/charges/tally.ts'
import { diffTallies } from '../../domain/charges/tally-changes.ts'
import { addDays, addMs, compareInstants, localDateIn } from '../../domain/values/time.ts'
import { freeDaysOfTerms, hasLeftByRail } from '../../domain/view/free-time.ts'
import type { ContainerProjection } from '../../domain/view/projection.ts'
import { type DomainEvent, insertEvents } from '../../pipeline/projection/domain-events-sql.ts'
import { journeyNow, realNow, type Service } from '../service.ts'
import { readTermsBook } from './charge-book.ts'
import { chargeEvent } from './charge-event.ts'
import { replaceChargeIssues } from './charge-issues-sql.ts'
import {
  type ChargeBook,
  type DueTally,
  lockChargeBook,
  lockDueTallies,
  markNextTallies,
  type NewTally,
  putTallies,
  recordBookProgress,
} from './charge-tallies-sql.ts'
import { readChargedContainers } from './charged-containers.ts'
import { readChargedRows } from './charged-containers-sql.ts'
import { buildDifferenceIssues, type DifferenceIssue } from './difference-issues.ts'

/** Containers of one transaction: whoever writes one of them waits for it. Some 30 ms. */
const tallied = 200
const sweptAtOnce = 2_000
/** Longer than any transaction that writes containers. */
const sweepAgainMs = 60_000

/** Works on one account; returns how many containers it tallied, or marked. */
export async function tallyContainers(service: Service): Promise<number> {
  return inTransaction(service.pool, async (db) => {
    const now = realNow(service)
    const book = await lockChargeBook(db, {
      now,
      journeyNow: journeyNow(service, false),
      sandboxNow: journeyNow(service, true),
    })
    if (book === null) return 0
    const sweep = book.isSweepDue ? await continueSweep(db, book, now) : null
    const { accountId } = book
    const at = journeyNow(service, book.isSandbox)
    const due = await lockDueTallies(db, { accountId, journeyNow: at, limit: tallied })
    if (due.length > 0) await tallyDue(db, { accountId, at, due })
    await recordBookProgress(db, { accountId, now, sweep })
    return due.length + (sweep === null ? 0 : 1)
  })
}

async function continueSweep(db: Db, { accountId, sweepAfter }: ChargeBook, now: string) {
  const after = await markNextTallies(db, { accountId, after: sweepAfter, limit: sweptAtOnce })
  return { after, again: addMs(now, sweepAgainMs) }
}

async function tallyDue(
  db: Db,
  of: {
    readonly accountId: string
    /** Now on the clock of the account's journeys. */
    readonly at: string
    readonly due: readonly DueTally[]
  },
): Promise<void> {
  const { accountId, at, due } = of
  const book = await readTermsBook(db, { accountId, until: null })
  const horizon = addDays(localDateIn(at, null), daysRead)
  const rows = await readChargedRows(db, { accountId, ids: due.map(({ containerId }) => containerId) })
  const before = new Map(due.map(({ containerId, tally }) => [containerId, tally]))
  const made: NewTally[] = []
  const over: string[] = []
  const events: DomainEvent[] = []
  const issues: DifferenceIssue[] = []
  for (const container of await readChargedContainers(db, { accountId, rows })) {
    const charges = calculateCharges(container, book, { now: at, until: horizon })
    const tally = tallyOf(charges, { now: at, horizon })
    const was = before.get(container.id) ?? null
    const change = diffTallies(was, tally, container.createdAt)
    if (change !== null) events.push(chargeEvent(container, change, at))
    issues.push(...buildDifferenceIssues(container, charges))
    if (tally.terms.length === 0 && !tally.isUndecided) over.push(container.id)
    else {
      const freeOn = findFreeDay(container.container, tally)
      made.push({ containerId: container.id, tally, ...computeTallyTimes(container.id, tally), freeOn })
    }
  }
  await putTallies(db, { accountId, made, over })
  await replaceChargeIssues(db, { accountId, containerIds: [...before.keys()], issues, at })
  if (events.length === 0) return
  await insertEvents(db, { accountId, events, at })
  wakeWorkers(db, 'events')
}

function findFreeDay({ status, milestones }: ContainerProjection, { terms }: ContainerTally): string | null {
  const happened = milestones.filter(({ kind }) => kind === 'actual').map(({ name }) => name)
  const days = terms.map(({ slot, lastFreeDay, code, phase }) => [slot, lastFreeDay?.day ?? null, code, phase] as const)
  return freeDaysOfTerms(days, hasLeftByRail(status, happened))[0]?.on ?? null
}

/**
 * The days of many containers begin at one midnight, so each timer ends a little later, for one container always by the
 * same delay.
 */
const jitterMsMax = 10 * 60_000

function computeTallyTimes(containerId: string, tally: NewTally['tally']): Pick<NewTally, 'ringsAt' | 'costsFrom'> {
  const rings = findNextTallyTime(tally)
  const jitterMs = Number.parseInt(containerId.slice(-6), 16) % jitterMsMax
  const begins = tally.terms
    .flatMap(({ phase, chargedFrom }) =>
      chargedFrom !== null && (phase === 'free' || phase === 'charged') ? [chargedFrom.at] : [],
    )
    .toSorted(compareInstants)
  return { ringsAt: rings === null ? null : addMs(rings, jitterMs), costsFrom: begins[0] ?? null }
}
