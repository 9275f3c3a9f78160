import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inTransaction, type Pool } from '../../src/db/database.ts'
import type { Context } from '../../src/modules/access/context.ts'
import { createParty } from '../../src/modules/parties/create-party.ts'
import { type IdempotentRun, runOnce, type StoredAnswer } from '../../src/modules/run-once.ts'
import { releaseAllLeases } from '../../src/pipeline/jobs/release-leases.ts'
import { eventually } from '../support/eventually.ts'
import { openTestService, type TestService } from '../support/service.ts'

let running: TestService
let context: Context
before(async () => {
  running = await openTestService()
  context = await running.newAccount()
})
after(() => running.close())

const asked = (key: string) => ({
  route: 'POST /v2/webhooks',
  key,
  content: '/v2/webhooks\n{}',
  isInSteps: false,
})
const answer: StoredAnswer = {
  status: 201,
  headers: { 'content-type': 'x' },
  body: Buffer.from([0, 255, 10]),
}
const start = async (key: string): Promise<IdempotentRun> => {
  const run = await runOnce(running.service, context, asked(key))
  assert.equal(run.kind, 'run')
  return run as IdempotentRun
}

test('a repeated request that waits too long for the first one gets 409 with Retry-After', async () => {
  const first = await start('slow')
  await assert.rejects(runOnce(running.service, context, asked('slow'), 60), {
    code: 'conflict',
    retryAfterSeconds: 5,
  })
  await first.storeAnswer(answer)
  assert.deepEqual(await runOnce(running.service, context, asked('slow')), { kind: 'replay', answer })
})

test('a repeated request that waits is executed when the first one fails', async () => {
  const first = await start('failing')
  const second = runOnce(running.service, context, asked('failing'))
  await first.forget('refused')
  assert.equal((await second).kind, 'run')
  await ((await second) as IdempotentRun).forget('refused')
})

test('a process whose lease expired does not overwrite the answer of the process that took over', async () => {
  const ask = () => runOnce(running.service, context, { ...asked('frozen'), isInSteps: true })
  const frozen = (await ask()) as IdempotentRun
  running.clock.advance(10_000)
  const next = (await ask()) as IdempotentRun
  assert.equal(next.id, frozen.id, 'both make the same thing')
  await next.storeAnswer(answer)
  await frozen.storeAnswer({ ...answer, body: Buffer.from('stale') })
  assert.deepEqual(await ask(), { kind: 'replay', answer })
  assert.ok(running.logged().some(({ event }) => event === 'idempotency.answer_lost'))
})

const makeParty = ({ service }: IdempotentRun, companyName: string) => createParty(service, context, { companyName })
const parties = async (companyName: string): Promise<number> => {
  const { rows } = await running.service.pool.query('select from parties where company_name = $1', [companyName])
  return rows.length
}

test('a process whose lease expired rolls back its changes if another process made the same changes', async () => {
  const frozen = await start('thawed')
  await makeParty(frozen, 'Thawed')
  running.clock.advance(10_000)
  const next = await start('thawed')
  await makeParty(next, 'Thawed')
  await next.storeAnswer(answer)
  await assert.rejects(frozen.storeAnswer(answer), { code: 'conflict', retryAfterSeconds: 5 })
  assert.equal(await parties('Thawed'), 1)
})

test('a request that takes over an idempotency key waits for an answer that is being stored', async () => {
  const slow = await start('slow to keep')
  await makeParty(slow, 'Slow')
  const { pool } = running.service
  // Every process that stores an answer waits for this lock.
  await pool.query(`
    create function hold() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock(4711);
      return new; end $$;
    create trigger hold after update on idempotency_keys for each row when (new.status is not null)
      execute function hold()`)
  const holder = await pool.connect()
  await holder.query('select pg_advisory_lock(4711)')
  const keeping = slow.storeAnswer(answer)
  await waitingFor(pool, 1)
  running.clock.advance(10_000)
  const taking = runOnce(running.service, context, asked('slow to keep'))
  await waitingFor(pool, 2)
  await holder.query('select pg_advisory_unlock(4711)')
  holder.release()
  await keeping
  assert.deepEqual(await taking, { kind: 'replay', answer })
  assert.equal(await parties('Slow'), 1)
  await pool.query('drop function hold() cascade')
})

test('a change with an idempotency key is invisible until its answer is stored, and a failure rolls it back', async () => {
  const run = await start('unseen')
  await makeParty(run, 'Unseen')
  assert.equal(await parties('Unseen'), 0)
  await run.forget('refused')
  assert.equal(await parties('Unseen'), 0)
  const again = await start('unseen')
  await makeParty(again, 'Unseen')
  await again.storeAnswer(answer)
  assert.equal(await parties('Unseen'), 1)
})

test('only the failed part of a request is rolled back', async () => {
  const run = await start('in parts')
  await makeParty(run, 'Kept')
  const refused = inTransaction(run.service.pool, async (db) => {
    await db.query({ text: 'delete from parties' })
    await db.query({ text: 'select 1 / 0' })
  })
  await assert.rejects(refused, /division by zero/)
  await run.storeAnswer(answer)
  assert.equal(await parties('Kept'), 1)
})

test('a request repeated with an idempotency key creates the same id after a failure, and a new id after a refusal', async () => {
  const ask = () => runOnce(running.service, context, { ...asked('on the way'), isInSteps: true })
  const failed = (await ask()) as IdempotentRun
  await failed.forget('failed')
  running.clock.advance(1)
  const again = (await ask()) as IdempotentRun
  assert.equal(again.id, failed.id)
  await again.forget('refused')
  running.clock.advance(1)
  const anew = (await ask()) as IdempotentRun
  assert.notEqual(anew.id, failed.id)
  await anew.forget('refused')
})

test('an idempotency key that is used again after a day creates another id', async () => {
  const ask = () => runOnce(running.service, context, { ...asked('daily'), isInSteps: true })
  const first = (await ask()) as IdempotentRun
  await first.storeAnswer(answer)
  running.clock.advance(24 * 3_600_000)
  const next = (await ask()) as IdempotentRun
  assert.notEqual(next.id, first.id)
  assert.ok(next.id > first.id)
  await next.forget('refused')
})

test('the idempotency keys of a crashed process can be used at once after its restart', async () => {
  const dead = await start('dead')
  await releaseAllLeases(running.service)
  const next = await start('dead')
  await next.forget('refused')
  await dead.forget('refused')
})

/** Until so many statements wait for a lock. */
async function waitingFor(pool: Pool, count: number): Promise<void> {
  let waiting = 0
  await eventually(
    async () => {
      const { rows } = await pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      waiting = rows.length
      return waiting === count
    },
    { late: () => `${waiting} wait` },
  )
}
