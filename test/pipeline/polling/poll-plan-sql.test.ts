/** The next polls of many poll targets are planned in one statement as they are for each alone. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { planRowsOf, setNextPolls } from '../../../src/pipeline/polling/poll-plan-sql.ts'
import { saveStates } from '../../../src/pipeline/projection/save-states-sql.ts'
import { openTestDatabase, type TestDatabase } from '../../support/database.ts'
import * as made from '../../support/state-rows.ts'

let database: TestDatabase

before(async () => {
  database = await openTestDatabase({ isServing: true })
})
after(() => database.close())

test('loads planning data of several poll targets, but only the status of a request that the caller holds', async () => {
  const { pool } = database
  const [one, other] = [await made.seedState(pool), await made.seedState(pool)]
  const [waiting, busy, over] = ['waiting', 'busy', 'over'].map((number) =>
    made.requestRow({
      accountId: one.accountId,
      number,
      subjectId: one.subjectId,
      status: number === 'over' ? 'failed' : 'pending',
    }),
  )
  assert.ok(waiting !== undefined && busy !== undefined && over !== undefined)
  const empty = { state: made.emptyState(one.accountId), locked: new Set<string>() }
  const state = made.emptyState(one.accountId, { requests: made.byId(waiting, busy, over) })
  await saveStates(pool, { before: empty, after: state, yields: [] })
  await pool.query({
    text: `insert into tasks (account_id, tracking_request_id, kind, payload) values ($1, $2, 'absorb', '{}')`,
    values: [one.accountId, busy.id],
  })
  const subjectIds = [one.subjectId, other.subjectId]
  const rows = await planRowsOf(pool, { subjectIds, heldRequestIds: [waiting.id] })
  assert.deepEqual(
    rows.map(({ subjectId, requestId }) => `${subjectId} ${requestId}`),
    [
      `${one.subjectId} ${one.requestId}`,
      `${one.subjectId} ${waiting.id}`,
      `${other.subjectId} ${other.requestId}`,
    ].toSorted(),
  )
  const beside = rows.find(({ subjectId }) => subjectId === other.subjectId)
  assert.equal(beside?.containers?.length, 2)
  assert.equal(beside?.lifecycle?.status, beside?.status)
  const held = rows.find(({ requestId }) => requestId === waiting.id)
  assert.deepEqual([held?.status, held?.lifecycle, held?.containers], ['pending', null, null])
})

test('sets or clears the next poll of each poll target', async () => {
  const { pool } = database
  const ids = [await made.makeSubject(pool, 'first'), await made.makeSubject(pool, 'second')]
  const [first = '', second = ''] = ids
  const now = '2000-01-01T00:00:00.000Z'
  const plan = { urgency: 'near', accountId: ids[0] ?? '' } as const
  await setNextPolls(
    pool,
    [
      { subjectId: second, at: made.changedAt, ...plan },
      { subjectId: first, at: made.madeAt, ...plan },
    ],
    now,
  )
  await setNextPolls(pool, [{ subjectId: first, at: null }], now)
  await setNextPolls(pool, [], now)
  // Due by now, and not looked at: what is planned otherwise does not put it off.
  await setNextPolls(pool, [{ subjectId: second, at: '2030-01-01T00:00:00.000Z', ...plan }], '2029-01-01T00:00:00.000Z')
  const { rows } = await pool.query('select id, next_look_at as at from subjects where id = any($1)', [ids])
  assert.deepEqual(
    new Map(rows.map(({ id, at }) => [id, at])),
    new Map([
      [first, null],
      [second, made.changedAt],
    ]),
  )
})
