import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import pg from 'pg'
import { inTransaction } from '../../../src/db/database.ts'
import type { Context } from '../../../src/modules/access/context.ts'
import { type LeasedNotification, leaseNotifications } from '../../../src/pipeline/delivery/due-notifications-sql.ts'
import { readPayloads, storePayloads } from '../../../src/pipeline/delivery/payloads-sql.ts'
import { openRecorder } from '../../../src/pipeline/delivery/record-attempt.ts'
import { deliverDue, startDeliveries } from '../../../src/pipeline/delivery/start-deliveries.ts'
import { finishAttempts, releaseNextInLanes } from '../../../src/pipeline/delivery/webhook-attempts-sql.ts'
import { insertNotifications, lockWaitingLanes } from '../../../src/pipeline/delivery/webhook-notifications-sql.ts'
import { numberEvents } from '../../../src/pipeline/event-sequence/number-events.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestService } from '../../support/service.ts'
import {
  announce,
  arrived,
  attemptRows,
  notificationRows,
  openBench,
  openReceiver,
  type Receiver,
  renderPlain,
  subscribe,
  uuid,
  writeEvents,
} from '../../support/webhooks-harness.ts'

let bench: TestService
const receivers: Receiver[] = []

before(async () => {
  bench = await openBench()
})
after(() => bench.close())
afterEach(async () => {
  await bench.service.pool.query('delete from webhooks')
  for (const receiver of receivers.splice(0)) await receiver.close()
})

async function receive(...answer: Parameters<typeof openReceiver>): Promise<Receiver> {
  const receiver = await openReceiver(...answer)
  receivers.push(receiver)
  return receiver
}

const deliver = (options: Partial<Parameters<typeof deliverDue>[1]> = {}) =>
  deliverDue(bench.service, { render: renderPlain, random: () => 0.5, ...options })

/** Accounts with a webhook each, at one receiver. */
async function openAccounts(count: number, receiver: Receiver): Promise<readonly Context[]> {
  const contexts: Context[] = []
  for (let each = 0; each < count; each += 1) {
    const context = await bench.newAccount()
    await subscribe(bench.service, context, { url: receiver.url })
    contexts.push(context)
  }
  return contexts
}

const each = (context: Context) => context.account.id

test('two concurrent deliverers find and send the due notifications of many accounts, each once', async () => {
  const receiver = await receive()
  const contexts = await openAccounts(130, receiver)
  for (const context of contexts) await writeEvents(bench.service, context, { shipmentId: uuid(), names: [arrived] })
  await numberEvents(bench.service)
  const sent = await Promise.all([deliver(), deliver({ attemptsAtOnceMax: 20 })])
  assert.equal(sent[0] + sent[1], 130)
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 130)
  assert.ok((await notificationRows(bench.service)).every(({ delivery_status }) => delivery_status === 'succeeded'))
})

test('sends the leased notifications of one account even if leasing for another account fails', async () => {
  const receiver = await receive()
  const contexts = (await openAccounts(2, receiver)).toSorted((a, b) => (each(a) < each(b) ? -1 : 1))
  const [first, second] = contexts as [Context, Context]
  for (const context of contexts) await writeEvents(bench.service, context, { shipmentId: uuid(), names: [arrived] })
  await numberEvents(bench.service)
  const { pool } = bench.service
  const query = (asked: { readonly name?: string; readonly text: string; readonly values?: unknown[] }) =>
    asked.name === 'notifications_take' && asked.values?.[0] === each(second)
      ? Promise.reject(new Error('its node is away'))
      : pool.query(asked)
  const failing = new Proxy(pool, {
    get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)),
  })
  const deliveries = startDeliveries({ ...bench.service, pool: failing }, { render: renderPlain })
  try {
    const statusOf = async ({ account }: Context) =>
      (
        await pool.query<{ status: string }>(
          'select delivery_status as status from webhook_notifications where account_id = $1',
          [account.id],
        )
      ).rows[0]?.status
    await eventually(async () => ((await statusOf(first)) === 'succeeded' ? true : null))
    assert.equal(await statusOf(second), 'pending')
  } finally {
    await deliveries.stop()
  }
})

test('every delivery statement touches the notifications of only one account', async () => {
  const receiver = await receive((_, response, count) => response.writeHead(count % 5 === 0 ? 500 : 200).end())
  const contexts = await openAccounts(6, receiver)
  const accounts = new Set(contexts.map(each))
  const { query } = pg.Client.prototype
  const wide = new Set<string>()
  const seen = new Set<string>()
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [asked] = args as [{ name?: string; text?: string; values?: unknown[] } | string]
    if (typeof asked === 'object' && /\bwebhook_(notification|payload)/.test(asked.text ?? '')) {
      const named = new Set((asked.values ?? []).flat().filter((value) => accounts.has(String(value))))
      seen.add(asked.name ?? '')
      if (named.size > 1) wide.add(asked.name ?? '')
    }
    return query.apply(this, args as never)
  } as typeof query
  try {
    for (let round = 0; round < 3; round += 1) {
      for (const context of contexts) {
        const shipmentId = uuid()
        await writeEvents(bench.service, context, { shipmentId, names: [arrived, arrived] })
      }
      await numberEvents(bench.service)
      await deliver()
      bench.clock.advance(5_000)
    }
  } finally {
    pg.Client.prototype.query = query
  }
  assert.deepEqual([...wide], [])
  for (const name of [
    'notifications_insert',
    'notifications_take',
    'payloads_store',
    'notifications_finish',
    'notifications_release',
  ])
    assert.ok(seen.has(name), name)
})

test('no account can lease, store, finish, lock or release notifications of another', async () => {
  const receiver = await receive()
  const [mine, other] = await openAccounts(2, receiver)
  assert.ok(mine && other)
  const { pool } = bench.service
  await announce(bench.service, mine, [arrived, arrived])
  const webhookId = (await notificationRows(bench.service))[0]?.webhook_id ?? ''
  const now = new Date(bench.clock.now()).toISOString()
  const token = uuid()
  const from = {
    token,
    now,
    until: new Date(bench.clock.now() + 60_000).toISOString(),
    limit: 10,
    webhooks: [{ webhookId, underWay: 0 }],
    perWebhookMax: 8,
    perFailingWebhookMax: 2,
    floor: '2000-01-01T00:00:00.000Z',
  }
  assert.deepEqual(await leaseNotifications(pool, { ...from, accountId: each(other) }), [])
  const [taken] = await leaseNotifications(pool, { ...from, accountId: each(mine) })
  assert.ok(taken)
  const held = { id: taken.id, webhookId, laneId: taken.laneId, madeAt: taken.madeAt, token }
  const log = {
    id: uuid(),
    attempt: 1,
    statusCode: 200,
    error: null,
    address: null,
    durationMs: 1,
    responseBody: null,
    createdAt: now,
    nextAttemptAt: null,
  }
  const ended = [{ ...held, status: 'succeeded' as const, log }]
  const payload = { accountId: each(mine), eventId: taken.eventId, variant: 'any', body: Buffer.from('mine') }
  assert.deepEqual(await storePayloads(pool, each(mine), [payload], now), [payload.body])
  assert.deepEqual(await readPayloads(pool, each(other), [payload]), [null])
  assert.deepEqual(await finishAttempts(pool, each(other), ended), [false])
  assert.deepEqual(await lockWaitingLanes(pool, each(other), [taken]), [])
  assert.deepEqual(await releaseNextInLanes(pool, each(other), { lanes: [taken], now }), [])
  assert.deepEqual(await attemptRows(bench.service, taken.id), [])
  assert.equal((await lockWaitingLanes(pool, each(mine), [taken])).length, 1)
  assert.deepEqual(await finishAttempts(pool, each(mine), ended), [true])
  assert.equal((await attemptRows(bench.service, taken.id)).length, 1)
  assert.deepEqual(await releaseNextInLanes(pool, each(mine), { lanes: [taken], now }), [webhookId])
})

test('logs an attempt whose lease was replaced, without changing the delivery state', async () => {
  const [mine] = await openAccounts(1, await receive())
  assert.ok(mine)
  await announce(bench.service, mine, [arrived])
  const { rows } = await bench.service.pool.query<{
    id: string
    webhook_id: string
    lane_id: string
    made_at: string
  }>(
    `update webhook_notifications set lease_token = gen_random_uuid()
     returning id, webhook_id, lane_id, to_json(created_at) #>> '{}' as made_at`,
  )
  const [row] = rows
  assert.ok(row)
  const log = { statusCode: 500, error: null, address: null, durationMs: 1, responseBody: null }
  const now = new Date(bench.clock.now()).toISOString()
  const held = await finishAttempts(bench.service.pool, each(mine), [
    {
      id: row.id,
      webhookId: row.webhook_id,
      laneId: row.lane_id,
      madeAt: row.made_at,
      token: uuid(),
      status: 'failed',
      log: { ...log, id: uuid(), attempt: 1, createdAt: now, nextAttemptAt: null },
    },
  ])
  assert.deepEqual(held, [false])
  assert.equal((await attemptRows(bench.service, row.id)).length, 1)
  assert.equal((await notificationRows(bench.service))[0]?.delivery_status, 'pending')
})

test('a notification that is queued while earlier attempts of its shipment end becomes due', async () => {
  const contexts = await openAccounts(2, await receive())
  const { pool } = bench.service
  const token = uuid()
  const now = new Date(bench.clock.now()).toISOString()
  const taken: LeasedNotification[] = []
  for (const context of contexts) {
    await announce(bench.service, context, [arrived])
    const { rows } = await pool.query<{ id: string }>('select id from webhooks where account_id = $1', [each(context)])
    taken.push(
      ...(await leaseNotifications(pool, {
        accountId: each(context),
        token,
        now,
        until: new Date(bench.clock.now() + 60_000).toISOString(),
        limit: 1,
        webhooks: [{ webhookId: rows[0]?.id ?? '', underWay: 0 }],
        perWebhookMax: 8,
        perFailingWebhookMax: 2,
        floor: '2000-01-01T00:00:00.000Z',
      })),
    )
  }
  assert.equal(taken.length, 2)
  const released: string[] = []
  const record = openRecorder(bench.service, {
    released: ({ webhookId }) => released.push(webhookId),
    leased: () => assert.fail('no lane goes on'),
  })
  const outcome = { statusCode: 200, error: null, address: null, durationMs: 1, responseBody: null }
  let ending: Promise<unknown> = Promise.resolve()
  await inTransaction(pool, async (db) => {
    for (const context of contexts)
      await db.query({
        text: 'select from webhook_notifications where account_id = $1 for no key update',
        values: [each(context)],
      })
    ending = Promise.all(
      taken.map((notification) =>
        record({
          notification,
          token,
          outcome: { kind: 'succeeded', retryAfterMs: null, ...outcome },
          startedAt: now,
          isOurs: false,
          random: 0.5,
          followed: 0,
          next: null,
        }),
      ),
    )
    await eventually(async () => {
      const { rows } = await pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'with logged as%'`,
      )
      return rows.length > 0
    })
    const next = { event: arrived, sequence: 2, nextAttemptAt: null }
    for (const { accountId, webhookId, laneId } of taken)
      await insertNotifications(db, accountId, [{ webhookId, laneId, id: uuid(), eventId: uuid(), ...next }], now)
  })
  await ending
  assert.deepEqual(released.toSorted(), taken.map(({ webhookId }) => webhookId).toSorted())
  const { rows } = await pool.query<{ attempts: number; is_due: boolean; logs: number }>(
    `select attempts, next_attempt_at is not null as is_due,
            (select count(*)::int from webhook_notification_logs g where g.notification_id = n.id) as logs
       from webhook_notifications n order by attempts`,
  )
  assert.deepEqual(rows, [
    { attempts: 0, is_due: true, logs: 0 },
    { attempts: 0, is_due: true, logs: 0 },
    { attempts: 1, is_due: false, logs: 1 },
    { attempts: 1, is_due: false, logs: 1 },
  ])
})

test('workers send the events of many accounts in order without a deadlock', async () => {
  const receiver = await receive()
  const contexts = await openAccounts(8, receiver)
  const shipments = new Map(contexts.map((context) => [each(context), uuid()]))
  const { pool } = bench.service
  const deadlocks = async () =>
    (
      await pool.query<{ deadlocks: number }>(
        'select deadlocks from pg_stat_database where datname = current_database()',
      )
    ).rows[0]?.deadlocks
  const before = await deadlocks()
  const deliverers = [1, 2].map(() => startDeliveries(bench.service, { render: renderPlain }))
  for (let round = 0; round < 60; round += 1) {
    await Promise.all(
      contexts.map((context) =>
        writeEvents(bench.service, context, {
          shipmentId: shipments.get(each(context)) ?? '',
          names: [arrived, arrived],
        }),
      ),
    )
    await numberEvents(bench.service)
    for (const deliverer of deliverers) deliverer.wake()
  }
  await eventually(async () => receiver.received.length >= 960)
  await Promise.all(deliverers.map((deliverer) => deliverer.stop()))
  assert.equal(await deliver(), 0)
  const accountOf = new Map(
    (await pool.query<{ id: string; account_id: string }>('select id, account_id from webhook_notifications')).rows.map(
      ({ id, account_id }) => [id, account_id],
    ),
  )
  const byAccount = Map.groupBy(receiver.received, ({ id }) => accountOf.get(id))
  assert.equal(byAccount.size, 8)
  for (const got of byAccount.values())
    assert.deepEqual(
      got.map(({ sequence }) => sequence),
      Array.from({ length: 120 }, (_, place) => place + 1),
    )
  assert.equal(await deadlocks(), before)
})
