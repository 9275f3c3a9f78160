/** Notifications lie by months and attempts by days: made in advance, dropped as a whole, and nobody who delivers notices. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { addDays } from '../../../src/domain/values/time.ts'
import type { Context } from '../../../src/modules/access/context.ts'
import { getNotifications, listAttempts } from '../../../src/modules/webhooks/list-notifications.ts'
import { recoverNotifications } from '../../../src/modules/webhooks/recover-notifications.ts'
import { redeliverNotification } from '../../../src/modules/webhooks/redeliver-notification.ts'
import { readDeliveryFloor } from '../../../src/pipeline/delivery/delivery-floor-sql.ts'
import { pruneDeliveries } from '../../../src/pipeline/delivery/prune-deliveries.ts'
import { deliverDue } from '../../../src/pipeline/delivery/start-deliveries.ts'
import { dropPartitions, ensurePartition } from '../../../src/pipeline/jobs/partitions.ts'
import { namedUuidV7, uuidV7 } from '../../../src/platform/ids.ts'
import { atScale } from '../../support/scale.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import {
  announce,
  arrived,
  openReceiver,
  type Receiver,
  renderPlain,
  subscribe,
} from '../../support/webhooks-harness.ts'

let bench: TestService
let context: Context
let receiver: Receiver
let webhookId: string
let status = 200

before(async () => {
  bench = await openTestService({
    startAt: '2026-03-15T12:00:00.000Z',
    env: { LANDFALL_NOTIFICATIONS_KEPT_DAYS: '60' },
  })
  context = await bench.newAccount()
  receiver = await openReceiver((_, response) => response.writeHead(status).end())
  webhookId = (await subscribe(bench.service, context, { url: receiver.url })).id
})
after(async () => {
  await receiver.close()
  await bench.close()
})

const deliver = () => deliverDue(bench.service, { render: renderPlain, random: () => 0.5 })
const pass = (days: number) => bench.clock.advance(days * 86_400_000)
const now = () => new Date(bench.clock.now()).toISOString()

async function places(table: string): Promise<Readonly<Record<string, number>>> {
  const { rows } = await bench.service.pool.query<{ place: string; count: number }>(
    `select replace(tableoid::regclass::text, '${table}_', '') as place, count(*)::int from ${table} group by 1 order by 1`,
  )
  return Object.fromEntries(rows.map(({ place, count }) => [place, count]))
}

async function one(): Promise<string> {
  await announce(bench.service, context, [arrived])
  await deliver()
  return receiver.received.at(-1)?.id ?? ''
}

test('moves rows from the default partition into a partition that is created later', async () => {
  await one()
  assert.deepEqual(await places('webhook_notifications'), { default: 1 })
  assert.ok((await pruneDeliveries(bench.service)) > 0)
  assert.equal(await pruneDeliveries(bench.service), 0, 'nothing is left to do')
  await one()
  assert.deepEqual(await places('webhook_notifications'), { '202603': 2 })
  assert.deepEqual(await places('webhook_notification_logs'), { '20260315': 2 })
  pass(100)
  const late = await one()
  assert.deepEqual(await places('webhook_notifications'), { '202603': 2, default: 1 })
  await Promise.all([1, 2, 3].map(() => pruneDeliveries(bench.service)))
  assert.deepEqual(await places('webhook_notifications'), { '202606': 1 }, 'and March has ended long ago')
  assert.deepEqual(await places('webhook_notification_logs'), { '20260623': 1 })
  const [told] = await getNotifications(bench.service, context, { ids: [late] })
  assert.equal(told?.logIds.length, 1)
})

test('creates the next month at the end of long and short months', async () => {
  const { service, clock, close } = await openTestService({ startAt: '2026-11-30T12:00:00.000Z' })
  try {
    for (const day of ['2026-11-30', '2027-01-29', '2027-01-31', '2028-01-30', '2028-02-29', '2028-12-01']) {
      clock.advance(Date.parse(`${day}T12:00:00.000Z`) - clock.now())
      await pruneDeliveries(service)
      const next = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)))).toISOString().slice(0, 7)
      const part = `webhook_notifications_${next.replace('-', '')}`
      const { rows } = await service.pool.query('select to_regclass($1) as part', [part])
      assert.equal(rows[0]?.part, part, day)
    }
  } finally {
    await close()
  }
})

test('lists partitions correctly in a transaction during which another session drops one', async () => {
  const { pool } = bench.service
  await pool.query(`select make_time_part('webhook_notifications', '2026-05-01')`)
  const looking = await pool.connect()
  try {
    await looking.query('begin isolation level repeatable read')
    const parts = async () =>
      (await looking.query<{ name: string }>(`select name from time_parts('webhook_notifications')`)).rows
    const before = await parts()
    await pool.query('drop table webhook_notifications_202605')
    assert.deepEqual(
      (await parts()).map(({ name }) => name).toSorted(),
      before
        .map(({ name }) => name)
        .filter((name) => name !== 'webhook_notifications_202605')
        .toSorted(),
    )
    await looking.query(`select missing_time_parts('webhook_notifications', '{2026-08-01}', now())`)
    await looking.query('commit')
  } finally {
    looking.release()
  }
})

test('drops attempts by day and notifications by month, and lists attempts only of their own notification', async () => {
  const first = await one()
  pass(29)
  const second = await one()
  await pruneDeliveries(bench.service)
  assert.equal((await listAttempts(bench.service, context, { notificationIds: [first] })).length, 1)
  pass(3)
  await pruneDeliveries(bench.service)
  assert.deepEqual(await listAttempts(bench.service, context, { notificationIds: [first] }), [])
  assert.equal((await listAttempts(bench.service, context, { notificationIds: [second] })).length, 1)
  const [told] = await getNotifications(bench.service, context, { ids: [first] })
  assert.equal(told?.deliveryStatus, 'succeeded')
})

test('keeps a month that has pending notifications, and does not send dropped ones again', async () => {
  status = 500
  await announce(bench.service, context, [arrived])
  await deliver()
  const { pool } = bench.service
  const { rows } = await pool.query<{ id: string; created_at: string }>(
    `select id, created_at from webhook_notifications where delivery_status = 'pending'`,
  )
  const [pending] = rows
  assert.ok(pending)
  pass(200)
  await pruneDeliveries(bench.service)
  assert.equal(await readDeliveryFloor(pool), pending.created_at)
  assert.equal((await getNotifications(bench.service, context, { ids: [pending.id] })).length, 1)
  await pool.query(`update webhook_notifications set delivery_status = 'failed', next_attempt_at = null`)
  const range = { id: webhookId, since: addDays(now(), -365), until: null }
  await pruneDeliveries(bench.service)
  assert.deepEqual(await getNotifications(bench.service, context, { ids: [pending.id] }), [])
  await assert.rejects(
    recoverNotifications(bench.service, context, { ...range, mode: 'all' }),
    /Notifications from before 2026-09-01T00:00:00.000Z are no longer stored/,
  )
  assert.deepEqual(await recoverNotifications(bench.service, context, { ...range, mode: 'failed_only' }), {
    recovered: 0,
    isComplete: true,
  })
  status = 200
})

test('delivers an old notification that is sent again, although the queue skips old rows', async () => {
  const id = await one()
  pass(40)
  await pruneDeliveries(bench.service)
  const { pool } = bench.service
  assert.equal(await readDeliveryFloor(pool), addDays(now(), -1))
  await redeliverNotification(bench.service, context, { id })
  assert.equal(await deliver(), 1)
  assert.equal(receiver.received.at(-1)?.id, id)
  await pruneDeliveries(bench.service)
  assert.equal(await readDeliveryFloor(pool), addDays(now(), -1))
  // A program of before lowers nothing. Its old one is found when the floor is set the next time.
  await pool.query(
    `update webhook_notifications set delivery_status = 'pending', next_attempt_at = created_at where id = $1`,
    [id],
  )
  assert.equal(await deliver(), 0)
  await pruneDeliveries(bench.service)
  assert.equal(await deliver(), 1)
})

test('an update finds its notification even while the row moves to another partition', async () => {
  const { pool } = bench.service
  const accountId = context.account.id
  const months = Array.from({ length: 12 }, (_, month) => addDays(now(), 800 + 31 * month).slice(0, 10))
  const { rows } = await pool.query<{ id: string; at: string }>(
    `insert into webhook_notifications
       (account_id, id, webhook_id, event_id, event, sequence, lane_id, delivery_status, attempts, created_at)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), 'x', 1, gen_random_uuid(), 'succeeded', 1, month::timestamptz
       from unnest($3::date[]) as month, generate_series(1, 50)
     returning id, created_at as at`,
    [accountId, webhookId, months],
  )
  let [isOver, worked, missed] = [false, 0, 0]
  const work = async (): Promise<void> => {
    for (let place = 0; !isOver; place += 7) {
      const row = rows[place % rows.length]
      const { rowCount } = await pool.query({
        name: 'work',
        text: 'update webhook_notifications set attempts = attempts + 1 where account_id = $1 and id = $2 and created_at = $3',
        values: [accountId, row?.id, row?.at],
      })
      worked += 1
      if (rowCount !== 1) missed += 1
    }
  }
  const working = [1, 2, 3, 4, 5, 6].map(work)
  await pause(100)
  for (const month of months) assert.ok(await ensurePartition(bench.service, 'webhook_notifications', month))
  isOver = true
  await Promise.all(working)
  assert.ok(worked > 200)
  assert.equal(missed, 0)
  await pool.query('delete from webhook_notifications where id = any($1)', [rows.map(({ id }) => id)])
})

test('a lookup of notifications by ids with the earliest or latest possible time finds nothing', async () => {
  for (const id of ['ffffffff-ffff-7fff-bfff-ffffffffffff', '00000000-0000-7000-8000-000000000000'])
    assert.deepEqual(await getNotifications(bench.service, context, { ids: [id] }), [])
})

const notifications = atScale(200_000)
test(`drops a month of ${notifications} notifications within a second under load, without long waits`, async () => {
  const { pool } = bench.service
  pass(400)
  await pruneDeliveries(bench.service)
  await pool.query(`select make_time_part('webhook_notifications', $1::date)`, [addDays(now(), 95)])
  const month = addDays(now(), 95).slice(0, 8)
  await pool.query(
    `insert into webhook_notifications
       (account_id, id, webhook_id, event_id, event, sequence, lane_id, delivery_status, attempts, created_at)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), 'x', n, gen_random_uuid(), 'succeeded', 1,
            $3::timestamptz + n * interval '10 seconds'
       from generate_series(1, $4) n`,
    [context.account.id, webhookId, `${month}01T00:00:00Z`, notifications],
  )
  pass(96)
  await pruneDeliveries(bench.service)
  const waited: number[] = []
  let isOver = false
  const load = async (work: () => Promise<unknown>): Promise<void> => {
    while (!isOver) {
      const startedMs = performance.now()
      await work()
      waited.push(performance.now() - startedMs)
      await pause(2)
    }
  }
  const at = now()
  const write = async (): Promise<void> => {
    const id = namedUuidV7(Date.parse(at), uuidV7(Date.now()))
    await pool.query(
      `insert into webhook_notifications (account_id, id, webhook_id, event_id, event, sequence, lane_id, created_at)
       values ($1, $2, $3, gen_random_uuid(), 'x', 1, gen_random_uuid(), $4)`,
      [context.account.id, id, webhookId, at],
    )
    await pool.query(
      `update webhook_notifications set delivery_status = 'succeeded' where account_id = $1 and id = $2 and created_at = $3`,
      [context.account.id, id, at],
    )
  }
  const read = () =>
    pool.query(`select id from webhook_notifications where account_id = $1 order by created_at desc limit 20`, [
      context.account.id,
    ])
  const loads = [load(write), load(write), load(read), load(read)]
  await pause(300)
  const readerSeconds = 4
  // A reader who takes his time: the drop gives way to others behind it and comes again.
  const slow = pool.query(
    `select pg_sleep(${readerSeconds}), count(*) from webhook_notifications where created_at < now()`,
  )
  await pause(50)
  const tries: number[] = []
  const dropped = await dropPartitions(bench.service, {
    table: 'webhook_notifications',
    before: `${addDays(`${month}28`, 5).slice(0, 8)}01T00:00:00Z`,
    mayDrop: async () => {
      tries.push(performance.now())
      return true
    },
  })
  const tookMs = performance.now() - (tries.at(-1) ?? 0)
  await slow
  await pause(300)
  isOver = true
  await Promise.all(loads)
  const worstMs = Math.max(...waited)
  assert.deepEqual(dropped.map(({ name }) => name).at(-1), `webhook_notifications_${month.replaceAll('-', '')}`)
  assert.ok(tries.length > 1, 'it gave way at first')
  // Far less than the reader took, for which neither waited.
  const limitMs = (readerSeconds * 1_000) / 2
  assert.ok(tookMs < limitMs, `${Math.round(tookMs)} ms`)
  assert.ok(worstMs < limitMs, `one of ${waited.length} statements beside it took ${Math.round(worstMs)} ms`)
})
