/**
 * Decides what should happen next to a container and until when: after each statement about it, and when its time has
 * come. An event that is overdue by then is told once, and once more when it is overdue no longer. What is told and what
 * is stored are written in one transaction, under the lock of the row: several workers or a restart tell nothing twice.
 */

import type { Db } from '../../db/database.ts'
import { inTransaction } from '../../db/database.ts'
import { acquirePerAccount } from '../../db/distributed/acquire-per-account.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { addDays, compareInstants } from '../../domain/values/time.ts'
import { overdueDaysMax } from '../../domain/view/attention-reasons.ts'
import {
  type Expectation,
  expect,
  isSameExpectation,
  type NextStep,
  nextStepOf,
  sourceStateOf,
  type UsualTime,
  usualTimeOf,
} from '../../domain/view/expectation.ts'
import { type Move, movesOf, stepTimesOf } from '../../domain/view/expected-steps.ts'
import { type DomainEvent, insertEvents } from '../../pipeline/projection/domain-events-sql.ts'
import { priorTimes } from '../../reference/step-times.ts'
import { journeyNow, type Service } from '../service.ts'
import {
  type DecidedRow,
  type ExpectedRow,
  findDueExpectations,
  lockExpectations,
  type PastTimes,
  putExpectations,
  putStepTimes,
  readExpectedRows,
  readLastAnswers,
  readPastTimes,
} from './expectations-sql.ts'
import { type Ending, overdueEvent } from './overdue-event.ts'

/** Containers of one transaction. */
const decidedAtOnce = 200

/** Returns how many containers it decided. */
export async function decideExpectations(service: Service): Promise<number> {
  const found = await findDueExpectations(service.pool, {
    journeyNow: journeyNow(service, false),
    sandboxNow: journeyNow(service, true),
    limit: decidedAtOnce,
  })
  const decided = await acquirePerAccount(found, (accountId, ids) =>
    inTransaction(service.pool, async (db) => {
      const locked = await lockExpectations(db, { accountId, ids })
      if (locked.length > 0) await decideLocked(db, service, { accountId, ids: locked })
      return locked
    }),
  )
  return decided.length
}

interface Followed extends ExpectedRow {
  readonly moves: readonly Move[]
  readonly next: NextStep | null
}

async function decideLocked(
  db: Db,
  service: Service,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<void> {
  const { accountId } = of
  const rows = (await readExpectedRows(db, of)).map((row): Followed => {
    const moves = movesOf(row.container, row.told)
    const isFollowed = row.isTracked && !row.container.isTerminated
    return { ...row, moves, next: isFollowed ? nextStepOf(row.container, moves) : null }
  })
  const now = journeyNow(service, rows[0]?.isSandbox ?? false)
  await putStepTimes(db, {
    accountId,
    containerIds: of.ids,
    times: rows.flatMap(({ id, scac, container, moves }) =>
      stepTimesOf(container, moves).map((time, ordinal) => ({ ...time, containerId: id, scac, ordinal })),
    ),
  })
  const expected = await expectAll(db, accountId, rows)
  const decided = rows.flatMap((row) => decide(row, expected.get(row.id) ?? null, now) ?? [])
  const kept = new Set(decided.map(({ id }) => id))
  await putExpectations(db, { accountId, decided, over: of.ids.filter((id) => !kept.has(id)) })
  const events = await writeEvents(db, { accountId, rows, decided, now })
  if (events.length === 0) return
  await insertEvents(db, { accountId, events, at: now })
  wakeWorkers(db, 'events')
}

/** By the account's own past where it has enough of it, else by the shipped table. */
async function expectAll(
  db: Db,
  accountId: string,
  rows: readonly Followed[],
): Promise<ReadonlyMap<string, Expectation>> {
  const steps = new Map(
    rows.flatMap(({ next, scac }) => (next === null ? [] : [[`${scac} ${next.step}`, { next, scac }]])),
  )
  const wanted = [...steps.values()]
  const past = await readPastTimes(db, {
    accountId,
    steps: wanted.map(({ next }) => next.step),
    scacs: wanted.map(({ scac }) => scac),
  })
  const pastOf = new Map(past.map((each) => [`${each.scac} ${each.step}`, each]))
  return new Map(
    rows.flatMap(({ id, scac, next }) => {
      const usual = next === null ? null : findUsualTime(next, pastOf.get(`${scac} ${next.step}`))
      return next === null || usual === null ? [] : [[id, expect(next, usual)] as const]
    }),
  )
}

/** Of the same place if there are enough, else of the line, else of the table. Null when nobody can say. */
function findUsualTime({ step, place, isOfPlaceAlone }: NextStep, past: PastTimes | undefined): UsualTime | null {
  const { hours = [], places = [] } = past ?? {}
  const own =
    (place === null ? null : usualTimeOf(hours.filter((_, index) => places[index] === place))) ??
    (isOfPlaceAlone ? null : usualTimeOf(hours))
  return own === null ? (priorTimes().get(step) ?? null) : { by: 'own', ...own }
}

/** Null when nothing is expected. What was told as overdue stays as it was told. */
function decide(
  { id, before, overdueAt, next }: Followed,
  expected: Expectation | null,
  now: string,
): DecidedRow | null {
  if (before !== null && overdueAt !== null && next !== null && isSameExpectation(before, next))
    return { id, expected: before, dueAt: before.dueAt, overdueAt }
  if (expected === null) return null
  const isLong = compareInstants(addDays(expected.dueAt, overdueDaysMax), now) < 0
  const isOverdue = !isLong && compareInstants(expected.dueAt, now) <= 0
  return { id, expected, dueAt: isLong ? null : expected.dueAt, overdueAt: isOverdue ? expected.dueAt : null }
}

async function writeEvents(
  db: Db,
  of: {
    readonly accountId: string
    readonly rows: readonly Followed[]
    readonly decided: readonly DecidedRow[]
    readonly now: string
  },
): Promise<readonly DomainEvent[]> {
  const { accountId, rows, decided, now } = of
  const after = new Map(decided.map((each) => [each.id, each]))
  const started = rows.flatMap((row) => {
    const is = after.get(row.id)
    const isNew = is !== undefined && is.overdueAt !== null && (row.overdueAt === null || hasEnded(row, is))
    return isNew ? [{ row, expected: is.expected }] : []
  })
  const ended = rows.filter((row) => hasEnded(row, after.get(row.id)))
  const answers =
    started.length === 0
      ? new Map<string, string>()
      : await readLastAnswers(db, { accountId, shipmentIds: [...new Set(started.map(({ row }) => row.shipmentId))] })
  return [
    ...ended.flatMap((row) =>
      row.before === null ? [] : [overdueEvent(row, row.before, { kind: 'ended', ending: endingOf(row) }, now)],
    ),
    ...started.map(({ row, expected }) => {
      const lastAnswerAt = answers.get(row.shipmentId) ?? null
      const state = sourceStateOf(lastAnswerAt, now)
      return overdueEvent(row, expected, { kind: 'started', state, lastAnswerAt }, now)
    }),
  ]
}

/** It was told as overdue, and now is not, or something else is. */
function hasEnded({ before, overdueAt }: Followed, is: DecidedRow | undefined): boolean {
  if (before === null || overdueAt === null) return false
  return is === undefined || is.overdueAt === null || !isSameExpectation(before, is.expected)
}

function endingOf({ before, moves, isTracked }: Followed): Ending {
  const from = moves.findIndex(({ name, callKey }) => name === before?.after && callKey === before.afterCall)
  if (from >= 0 && from < moves.length - 1) return 'reported'
  return isTracked ? 'changed' : 'not_tracked'
}
