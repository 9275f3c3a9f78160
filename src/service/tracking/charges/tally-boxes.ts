/**
 * Tallies the charges of boxes anew where something was said, where a day begins that matters, and after new terms; tells
 * what changed, and keeps the issues of last free days that differ. One account at a time, locked, and in one transaction
 * with what is told: several workers, a crash or a second drain tell nothing twice (docs/decisions/0034).
 */

import { readCharges } from '../../../core/charges/charges.ts'
import { daysRead, ringOf, tallyOf } from '../../../core/charges/tally.ts'
import { tallyChange } from '../../../core/charges/tally-changes.ts'
import { addDays, addMs, compareInstants, localDateIn } from '../../../core/values/time.ts'
import { type Db, inTransaction } from '../../../store/database.ts'
import { wake } from '../../../store/ground/wake.ts'
import { type DomainEvent, insertEvents } from '../../../store/journeys/domain-events.ts'
import { chargedRowsOf } from '../../../store/read/charged-boxes.ts'
import { settleChargeIssues } from '../../../store/tracking/charge-issues.ts'
import {
  askNextTallies,
  type ChargeBook,
  type DueTally,
  lockChargeBook,
  lockDueTallies,
  type MadeTally,
  noteBookWorked,
  putTallies,
} from '../../../store/tracking/charge-tallies.ts'
import { journeyNow, realNow, type Service } from '../../service.ts'
import { readBook } from './charge-book.ts'
import { chargedBoxes } from './charged-box.ts'
import { type DifferenceIssue, issuesOf } from './difference-issues.ts'
import { chargeEvent } from './tell-charges.ts'

/** Boxes of one transaction: whoever writes one of them waits for it. Some 30 ms. */
const tallied = 200
const sweptAtOnce = 2_000
/** Longer than any transaction that writes boxes. */
const sweepAgainMs = 60_000

/** Works on one account; returns how many boxes it tallied, or asked for. */
export async function tallyBoxes(service: Service): Promise<number> {
  return inTransaction(service.pool, async (db) => {
    const now = realNow(service)
    const book = await lockChargeBook(db, {
      now,
      journeyNow: journeyNow(service, false),
      fictionNow: journeyNow(service, true),
    })
    if (book === null) return 0
    const sweep = book.isSweepDue ? await sweepOn(db, book, now) : null
    const { accountId } = book
    const at = journeyNow(service, book.isFiction)
    const due = await lockDueTallies(db, { accountId, journeyNow: at, limit: tallied })
    if (due.length > 0) await tallyDue(db, { accountId, at, due })
    await noteBookWorked(db, { accountId, now, sweep })
    return due.length + (sweep === null ? 0 : 1)
  })
}

async function sweepOn(db: Db, { accountId, sweepAfter }: ChargeBook, now: string) {
  const after = await askNextTallies(db, { accountId, after: sweepAfter, limit: sweptAtOnce })
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
  const book = await readBook(db, { accountId, until: null })
  const horizon = addDays(localDateIn(at, null), daysRead)
  const rows = await chargedRowsOf(db, { accountId, ids: due.map(({ containerId }) => containerId) })
  const before = new Map(due.map(({ containerId, tally }) => [containerId, tally]))
  const made: MadeTally[] = []
  const over: string[] = []
  const events: DomainEvent[] = []
  const issues: DifferenceIssue[] = []
  for (const box of await chargedBoxes(db, { accountId, rows })) {
    const charges = readCharges(box, book, { now: at, until: horizon })
    const tally = tallyOf(charges, { now: at, horizon })
    const was = before.get(box.id) ?? null
    const change = tallyChange(was, tally, box.createdAt)
    if (change !== null) events.push(chargeEvent(box, change, at))
    issues.push(...issuesOf(box, charges))
    if (tally.terms.length === 0 && !tally.isUndecided) over.push(box.id)
    else made.push({ containerId: box.id, tally, ...momentsOf(box.id, tally) })
  }
  await putTallies(db, { accountId, made, over })
  await settleChargeIssues(db, { accountId, containerIds: [...before.keys()], issues, at })
  if (events.length === 0) return
  await insertEvents(db, { accountId, events, at })
  await wake(db, 'events')
}

/** The days of many boxes begin at one midnight, so each rings a little later, always by the same time. */
const jitterMsMax = 10 * 60_000

function momentsOf(containerId: string, tally: MadeTally['tally']): Pick<MadeTally, 'ringsAt' | 'costsFrom'> {
  const rings = ringOf(tally)
  const jitterMs = Number.parseInt(containerId.slice(-6), 16) % jitterMsMax
  const begins = tally.terms
    .flatMap(({ phase, chargedFrom }) =>
      chargedFrom !== null && (phase === 'free' || phase === 'charged') ? [chargedFrom.at] : [],
    )
    .toSorted(compareInstants)
  return { ringsAt: rings === null ? null : addMs(rings, jitterMs), costsFrom: begins[0] ?? null }
}
