/** A killed program and clients that repeat their requests: each request with a key is executed once and answered. */

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTestDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { authorize } from './newcomer.ts'
import { freePorts, makeDataFolder, startProgram, withoutSandbox } from './program.ts'

const lock = 4_711
const tracked = (request_number: string) => ({
  type: 'tracking_request',
  attributes: { request_type: 'bill_of_lading', request_number, scac: 'TEST' },
})
const posts = [
  {
    path: '/v2/webhooks',
    table: 'webhooks',
    body: {
      data: {
        type: 'webhook',
        attributes: { url: 'https://example.com/hook', events: ['container.created'] },
      },
    },
  },
  {
    path: '/v2/parties',
    table: 'parties',
    body: { data: { type: 'party', attributes: { company_name: 'Example' } } },
  },
  { path: '/v2/tracking_requests', table: 'tracking_requests', body: { data: tracked('TEST-TR-SUCCEEDED') } },
  {
    path: '/v2/tracking_requests/batch',
    table: 'request_batches',
    body: { data: [tracked('TEST-TR-SUCCEEDED'), tracked('TEST-TR-SUCCEEDED')] },
  },
] as const

test('after a kill while answers are stored, repeated requests get answers without being executed twice', async (t) => {
  const database = await openTestDatabase()
  t.after(() => database.close())
  const own = makeDataFolder()
  t.after(() => own.remove())
  const env = { ...withoutSandbox, DATABASE_URL: database.url }
  const first = startProgram({ dataFolder: own.path, ports: await freePorts(), env })
  const key = await first.up
  assert.ok(!existsSync(join(own.path, 'postgres')), 'it starts no database of its own')
  const ask = (apiUrl: string) =>
    posts.map(async ({ path, body }) => {
      const response = await fetch(apiUrl + path, {
        method: 'POST',
        headers: { ...authorize(key), 'content-type': 'application/json', 'idempotency-key': 'killed' },
        body: JSON.stringify(body),
      })
      return { status: response.status, text: await response.text() }
    })

  const holder = await database.pool.connect()
  await holder.query(`
    create function hold() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock(${lock});
      return new; end $$;
    create trigger hold before update on idempotency_keys for each row
      when (old.status is null and new.status is not null) execute function hold()`)
  await holder.query('select pg_advisory_lock($1)', [lock])
  const firstAnswers = Promise.allSettled(ask(first.apiUrl))
  await eventually(
    async () => {
      const { rows } = await database.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
      )
      return rows.length === posts.length
    },
    { late: () => `not all are about to keep their answers\n${first.stdout()}` },
  )
  await first.kill('SIGKILL')
  assert.deepEqual(new Set((await firstAnswers).map(({ status }) => status)), new Set(['rejected']))
  await holder.query('select pg_advisory_unlock($1)', [lock])
  await holder.query('drop function hold() cascade')
  holder.release()

  const second = startProgram({ dataFolder: own.path, ports: await freePorts(), env })
  assert.equal(await second.up, key)
  // The keys are free once the leases of the killed one have run out, for which the requests wait.
  const [answers, others] = [await Promise.all(ask(second.apiUrl)), await Promise.all(ask(second.apiUrl))]
  assert.deepEqual(
    answers.map(({ status }) => status),
    posts.map(() => 201),
    JSON.stringify(answers),
  )
  assert.deepEqual(others, answers)
  for (const [index, { table, path }] of posts.entries()) {
    const { rows } = await database.pool.query<{ id: string }>(`select id from ${table}`)
    const { data } = JSON.parse(answers[index]?.text ?? '') as { readonly data: { readonly id: string } }
    // Two of the tracking requests are those of the batch.
    assert.equal(rows.length, table === 'tracking_requests' ? 3 : 1, path)
    assert.ok(
      rows.some(({ id }) => id === data.id),
      path,
    )
  }
  const { rows } = await database.pool.query('select distinct scac from tracking_requests')
  assert.deepEqual(rows, [{ scac: 'TEST' }])
  assert.equal(await second.kill('SIGTERM'), 0)
  assert.ok(!existsSync(join(own.path, 'postgres')))
})
