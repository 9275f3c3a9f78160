/** Work is taken one account at a time, in turn, and what was tried before comes alone. */

import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { uuidV7 } from '../../src/platform/ids.ts'
import { endTasks, leaseTaskSet, postponeTask, type TaskSet } from '../../src/store/tasks.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import * as made from '../support/state-rows.ts'

let database: TestDatabase | undefined
const now = '2026-03-10T00:00:00.000Z'
const until = '2026-03-10T00:01:00.000Z'
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
): Promise<TaskSet | null> {
  const { after = null, max = 16, at = now, token = uuidV7(Date.now()) } = of
  return leaseTaskSet(pool(), { token, now: at, until, after, max })
}

const idsOf = (set: TaskSet | null): readonly number[] => (set?.tasks ?? []).map(({ id }) => id)

async function accounts(count: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let one = 0; one < count; one += 1) ids.push(await made.makeAccount(pool()))
  return ids.toSorted()
}

test('accounts take turns, and after the last one comes the first', async () => {
  const [a = '', b = '', c = ''] = await accounts(3)
  for (const id of [a, c]) await enqueue(id, ['1', '2', '3', '4', '5', '6'])
  await enqueue(b, ['1'])
  const turns: string[] = []
  let last: string | null = null
  for (let turn = 0; turn < 5; turn += 1) {
    const set: TaskSet | null = await take({ after: last, max: 3 })
    assert.ok(set !== null)
    last = set.accountId
    turns.push(`${[a, b, c].indexOf(last)}: ${set.tasks.length}`)
  }
  assert.deepEqual(turns, ['0: 3', '1: 1', '2: 3', '0: 3', '2: 3'])
  assert.equal(await take({ after: last }), null)
  assert.equal(await take(), null)
  assert.equal((await take({ after: idle, at: muchLater }))?.accountId, a)
})

test('of each request only the oldest is taken, and its next one when that is done', async () => {
  const [a = ''] = await accounts(1)
  const [first = 0, second = 0, third = 0] = await enqueue(a, ['1', '1', '2'])
  const token = uuidV7(Date.now())
  assert.deepEqual(idsOf(await take({ token })), [first, third])
  assert.equal(await take(), null)
  assert.deepEqual(await endTasks(pool(), { accountId: a, ids: [first, third], token, lockMs: 1_000 }), [
    first,
    third,
  ])
  assert.deepEqual(idsOf(await take()), [second])
})

test('what was tried before comes alone, and what is fresh without it', async () => {
  const [a = ''] = await accounts(1)
  const [tried = 0, fresh = 0, other = 0, last = 0] = await enqueue(a, ['1', '2', '3', '4'])
  const token = uuidV7(Date.now())
  assert.deepEqual(idsOf(await take({ token, max: 1 })), [tried])
  await postponeTask(pool(), { accountId: a, id: tried, token, notBefore: until, error: 'it threw' })
  assert.deepEqual(idsOf(await take({ max: 2 })), [fresh, other])
  const [alone] = (await take({ at: muchLater }))?.tasks ?? []
  assert.deepEqual([alone?.id, alone?.attempts], [tried, 2])
  // Its lease has run out by then, so it was tried as well; the one behind it was not, and waits for its turn.
  assert.deepEqual(idsOf(await take({ at: muchLater })), [tried])
  await pool().query({
    text: 'update tasks set leased_until = $1 where id = $2',
    values: ['2026-03-11T00:00:00Z', tried],
  })
  assert.deepEqual(idsOf(await take({ at: muchLater })), [fresh])
  await pool().query({
    text: 'update tasks set attempts = 0, leased_until = null where id = $1',
    values: [fresh],
  })
  await pool().query({ text: 'update tasks set leased_until = null where id = $1', values: [other] })
  assert.deepEqual(idsOf(await take({ at: muchLater })), [fresh, last])
})

test('a lease that was lost leaves the set', async () => {
  const [a = '', b = ''] = await accounts(2)
  const ids = await enqueue(a, ['1', '2', '3'])
  const token = uuidV7(Date.now())
  await take({ token })
  await pool().query({
    text: 'update tasks set lease_token = $1 where id = $2',
    values: [uuidV7(Date.now()), ids[1]],
  })
  assert.deepEqual(await endTasks(pool(), { accountId: b, ids, token, lockMs: 1_000 }), [])
  assert.deepEqual(await endTasks(pool(), { accountId: a, ids, token, lockMs: 1_000 }), [ids[0], ids[2]])
  const { rows } = await pool().query('select id from tasks')
  assert.deepEqual(rows, [{ id: ids[1] }])
})

test('a task weighs by the boxes of its shipment', async () => {
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
