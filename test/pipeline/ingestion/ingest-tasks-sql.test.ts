/** Tasks are leased one account at a time, in rotation, and a task that was tried before comes alone. */

import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { addMs } from '../../../src/domain/values/time.ts'
import {
  completeTasks,
  failTask,
  leaseTasks,
  type TasksOfAccount,
  unfinished,
} from '../../../src/pipeline/ingestion/ingest-tasks-sql.ts'
import { uuidV7 } from '../../../src/platform/ids.ts'
import { openTestDatabase, type TestDatabase } from '../../support/database.ts'
import { listenTo, rowsVisited } from '../../support/plans.ts'
import * as made from '../../support/state-rows.ts'

let database: TestDatabase | undefined
const now = '2026-03-10T00:00:00.000Z'
const leaseMs = 60_000
const muchLater = '2026-03-10T01:00:00.000Z'
const idle = '00000000-0000-7000-8000-000000000000'

beforeEach(async () => {
  await database?.close()
  database = await openTestDatabase({ isServing: true })
})
after(() => database?.close())

function pool(): TestDatabase['pool'] {
  assert.ok(database !== undefined)
  return database.pool
}

/** A task for each of the requests, by name, in this order; returns their ids. */
async function enqueue(accountId: string, requests: readonly string[]): Promise<readonly number[]> {
  const { rows } = await pool().query<{ id: number }>({
    text: `insert into tasks (account_id, tracking_request_id, kind, subject_id, payload)
           select $1, r.id, 'absorb', r.id, '{}' from unnest($2::uuid[]) with ordinality as r (id, place) order by place
           returning id`,
    values: [accountId, requests.map(made.idOf)],
  })
  return rows.map(({ id }) => id)
}

function take(
  of: { after?: string | null; max?: number; at?: string; token?: string } = {},
): Promise<TasksOfAccount | null> {
  const { after = null, max = 16, at = now, token = uuidV7(Date.now()) } = of
  return leaseTasks(pool(), { token, now: at, until: addMs(at, leaseMs), after, max })
}

const idsOf = (set: TasksOfAccount | null): readonly number[] => (set?.tasks ?? []).map(({ id }) => id)

async function accounts(count: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let one = 0; one < count; one += 1) ids.push(await made.makeAccount(pool()))
  return ids.toSorted()
}

test('serves accounts in rotation and starts again after the last one', async () => {
  const [a = '', b = '', c = ''] = await accounts(3)
  for (const id of [a, c]) await enqueue(id, ['1', '2', '3', '4', '5', '6'])
  await enqueue(b, ['1'])
  const turns: string[] = []
  let last: string | null = null
  for (let turn = 0; turn < 5; turn += 1) {
    const set: TasksOfAccount | null = await take({ after: last, max: 3 })
    assert.ok(set !== null)
    last = set.accountId
    turns.push(`${[a, b, c].indexOf(last)}: ${set.tasks.length}`)
  }
  assert.deepEqual(turns, ['0: 3', '1: 1', '2: 3', '0: 3', '2: 3'])
  assert.equal(await take({ after: last }), null)
  assert.equal(await take(), null)
  assert.equal((await take({ after: idle, at: muchLater }))?.accountId, a)
})

test('leases only the oldest task of each request, and the next one when that is done', async () => {
  const [a = ''] = await accounts(1)
  const [first = 0, second = 0, third = 0] = await enqueue(a, ['1', '1', '2'])
  const token = uuidV7(Date.now())
  assert.deepEqual(idsOf(await take({ token })), [first, third])
  assert.equal(await take(), null)
  assert.deepEqual(await completeTasks(pool(), { accountId: a, ids: [first, third], token, lockMs: 1_000 }), [
    first,
    third,
  ])
  assert.deepEqual(idsOf(await take()), [second])
})

test('leases a task that was tried before separately from new tasks', async () => {
  const [a = ''] = await accounts(1)
  const [tried = 0, fresh = 0, other = 0, last = 0] = await enqueue(a, ['1', '2', '3', '4'])
  const token = uuidV7(Date.now())
  assert.deepEqual(idsOf(await take({ token, max: 1 })), [tried])
  const notBefore = addMs(now, 5_000)
  await failTask(pool(), { accountId: a, id: tried, token, notBefore, error: 'it threw' })
  assert.deepEqual(idsOf(await take({ max: 2 })), [fresh, other])
  const [alone] = (await take({ at: muchLater }))?.tasks ?? []
  assert.deepEqual([alone?.id, alone?.attempts, alone?.lastError], [tried, 2, 'it threw'])
  // Their leases have run out by then: nobody knows which of them it was.
  assert.deepEqual(idsOf(await take({ at: muchLater })), [fresh])
  assert.deepEqual(idsOf(await take({ at: muchLater })), [other])
  assert.deepEqual(idsOf(await take({ at: muchLater })), [last])
})

test('a task that never completes is retried at growing intervals with an error, while other tasks continue', async () => {
  const [a = '', b = ''] = await accounts(2)
  const [deadly = 0] = await enqueue(a, ['1'])
  await take()
  let at = addMs(now, leaseMs + 1)
  const errors: (string | null | undefined)[] = []
  for (const seconds of [10, 20, 40, 80, 160, 320, 640, 1280, 1280]) {
    const set = await take({ at })
    assert.deepEqual(idsOf(set), [deadly])
    errors.push(set?.tasks[0]?.lastError)
    const [later = 0] = await enqueue(a, [`after ${at}`])
    const [theirs = 0] = await enqueue(b, ['1'])
    const again = addMs(at, leaseMs + seconds * 1000)
    const justBefore = addMs(again, -1)
    const token = uuidV7(Date.now())
    const idsTaken = [await take({ at: justBefore, token }), await take({ at: justBefore, token, after: a })]
    assert.deepEqual(idsTaken.map(idsOf), [[later], [theirs]])
    assert.equal(await take({ at: justBefore }), null)
    await completeTasks(pool(), { accountId: a, ids: [later], token, lockMs: 1_000 })
    await completeTasks(pool(), { accountId: b, ids: [theirs], token, lockMs: 1_000 })
    at = again
  }
  assert.deepEqual(errors, [null, ...Array.from({ length: 8 }, () => unfinished)])
})

test('a postponed task does not block fresh ones, and postponed tasks are leased in order of their due time', async () => {
  const [a = ''] = await accounts(1)
  const [first = 0, second = 0, fresh = 0] = await enqueue(a, ['1', '2', '3'])
  for (const [id, seconds] of [
    [first, 20],
    [second, 10],
  ] as const) {
    const token = uuidV7(Date.now())
    await take({ token, max: 1 })
    await failTask(pool(), {
      accountId: a,
      id,
      token,
      notBefore: addMs(now, seconds * 1000),
      error: 'it threw',
    })
  }
  assert.deepEqual(idsOf(await take()), [fresh])
  assert.equal(await take(), null)
  const at = addMs(now, 20_000)
  assert.deepEqual(idsOf(await take({ at })), [second])
  assert.deepEqual(idsOf(await take({ at })), [first])
})

test('two workers at the same moment never lease the same task', async () => {
  const [a = ''] = await accounts(1)
  const ids = await enqueue(
    a,
    Array.from({ length: 64 }, (_, one) => String(one)),
  )
  const sets = await Promise.all(Array.from({ length: 8 }, () => take()))
  const taken = sets.flatMap(idsOf)
  assert.equal(new Set(taken).size, taken.length)
  for (let rest = await take(); rest !== null; rest = await take()) taken.push(...idsOf(rest))
  assert.deepEqual(
    taken.toSorted((one, other) => one - other),
    ids,
  )
})

test('finds due tasks without reading other waiting or postponed ones, with and without table statistics', async () => {
  const [a = '', b = ''] = await accounts(2)
  const putIn = (id: string, count: number, notBefore: string): Promise<unknown> =>
    pool().query({
      text: `insert into tasks (account_id, tracking_request_id, kind, payload, not_before)
             select $1, gen_random_uuid(), 'absorb', '{}', $2 from generate_series(1, $3::integer)`,
      values: [id, notBefore, count],
    })
  const { db, sent } = listenTo(pool())
  const leaseNext = async (): Promise<number> => {
    const token = uuidV7(Date.now())
    const from = sent.length
    const set = await leaseTasks(db, { token, now, until: addMs(now, leaseMs), after: idle, max: 16 })
    assert.notEqual(set, null)
    return rowsVisited(pool(), sent.slice(from))
  }
  await putIn(a, 5_000, muchLater)
  await putIn(b, 2, '-infinity')
  assert.ok((await leaseNext()) < 100, 'of another')
  await putIn(a, 5_000, '-infinity')
  assert.ok((await leaseNext()) < 500, 'never analyzed')
  await pool().query({ text: 'analyze tasks' })
  assert.ok((await leaseNext()) < 500, 'analyzed')
})

test('completes only the tasks whose lease is still held', async () => {
  const [a = '', b = ''] = await accounts(2)
  const ids = await enqueue(a, ['1', '2', '3'])
  const token = uuidV7(Date.now())
  await take({ token })
  await pool().query({
    text: 'update tasks set lease_token = $1 where id = $2',
    values: [uuidV7(Date.now()), ids[1]],
  })
  assert.deepEqual(await completeTasks(pool(), { accountId: b, ids, token, lockMs: 1_000 }), [])
  assert.deepEqual(await completeTasks(pool(), { accountId: a, ids, token, lockMs: 1_000 }), [ids[0], ids[2]])
  const { rows } = await pool().query('select id from tasks')
  assert.deepEqual(rows, [{ id: ids[1] }])
})

test('weighs a task by the number of containers of its shipment', async () => {
  const seeded = await made.seedState(pool())
  const { accountId, shipment } = seeded
  await enqueue(accountId, ['nobody'])
  await pool().query({
    text: `insert into tasks (account_id, tracking_request_id, kind, payload) values ($1, $2, 'absorb', '{}')`,
    values: [accountId, seeded.requestId],
  })
  assert.equal(shipment.containers.length, 2)
  assert.deepEqual(
    (await take())?.tasks.map(({ weight }) => weight),
    [40, 80],
  )
})
