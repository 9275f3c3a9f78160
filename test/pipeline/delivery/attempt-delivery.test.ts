import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import type { Context } from '../../../src/modules/access/context.ts'
import { deleteWebhook } from '../../../src/modules/webhooks/delete-webhook.ts'
import { insertWebhookSecret } from '../../../src/modules/webhooks/webhook-secrets-sql.ts'
import { deleteWebhook as deleteRow } from '../../../src/modules/webhooks/webhooks-sql.ts'
import { findDueWebhooks } from '../../../src/pipeline/delivery/due-notifications-sql.ts'
import { deliverDue, startDeliveries } from '../../../src/pipeline/delivery/start-deliveries.ts'
import { finishAttempts, releaseNextInLanes } from '../../../src/pipeline/delivery/webhook-attempts-sql.ts'
import { lockWaitingLanes } from '../../../src/pipeline/delivery/webhook-notifications-sql.ts'
import { isErrorCode } from '../../../src/platform/error-code.ts'
import { eventually } from '../../support/eventually.ts'
import { listenTo, rowsVisited } from '../../support/plans.ts'
import type { TestService } from '../../support/service.ts'
import {
  announce,
  arrived,
  attemptRows,
  discharged,
  notificationRows,
  openBench,
  openReceiver,
  type Receiver,
  renderPlain,
  subscribe,
  uuid,
} from '../../support/webhooks-harness.ts'

const delivererFile = fileURLToPath(new URL('./deliverer.ts', import.meta.url))

let bench: TestService
let context: Context
const receivers: Receiver[] = []

before(async () => {
  bench = await openBench({ LANDFALL_DELIVERY_TIMEOUT_MS: '400' })
})
after(() => bench.close())
beforeEach(async () => {
  context = await bench.newAccount()
})
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

const attemptsOf = (id: string) => attemptRows(bench.service, id)

test('signs a delivery twice over the bytes sent; an independent verifier accepts both signatures', async () => {
  const receiver = await receive()
  const webhook = await subscribe(bench.service, context, {
    url: receiver.url,
    headers: [{ name: 'X-Customer', value: 'acme 7' }],
  })
  await announce(bench.service, context, [arrived])
  assert.equal(await deliver(), 1)
  const [got] = receiver.received
  assert.ok(got)
  assert.equal(got.headers['content-type'], 'application/json')
  assert.equal(got.headers['x-customer'], 'acme 7')
  assert.equal(got.headers['webhook-id'], got.id)
  assert.doesNotThrow(() => new Webhook(webhook.secret).verify(got.body, got.headers as Record<string, string>))
  const hex = createHmac('sha256', webhook.secret).update(got.body).digest('hex')
  assert.equal(got.headers['x-landfall-signature'], hex)
  assert.equal(got.headers['x-landfall-signature-next'], undefined)
  assert.throws(() => new Webhook(webhook.secret).verify(`${got.body} `, got.headers as Record<string, string>))
})

test('counts a 2xx answer as success even if its content encoding is invalid', async () => {
  for (const encoding of ['zstd', 'gzip', 'x-no-such-thing']) {
    const receiver = await receive((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end('not packed at all'),
    )
    await subscribe(bench.service, context, { url: receiver.url })
    await announce(bench.service, context, [arrived])
    await deliver()
    const [row] = await notificationRows(bench.service)
    assert.deepEqual([row?.delivery_status, row?.attempts], ['succeeded', 1], encoding)
    assert.equal(receiver.received.length, 1)
    await bench.service.pool.query('delete from webhooks')
  }
})

test('a receiver with either secret can verify while two secrets overlap', async () => {
  const receiver = await receive()
  const webhook = await subscribe(bench.service, context, { url: receiver.url })
  const newer = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
  const expired = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
  for (const [secret, expiresInMs] of [
    [newer, null],
    [expired, -1],
  ] as const) {
    await insertWebhookSecret(bench.service.pool, {
      accountId: context.account.id,
      webhookId: webhook.id,
      id: uuid(),
      sealed: bench.service.encryption.encrypt(secret),
      createdAt: new Date(bench.clock.now() + 1_000).toISOString(),
      expiresAt: expiresInMs === null ? null : new Date(bench.clock.now() + expiresInMs).toISOString(),
    })
  }
  await announce(bench.service, context, [arrived])
  await deliver()
  const [got] = receiver.received
  assert.ok(got)
  const headers = got.headers as Record<string, string>
  for (const secret of [webhook.secret, newer]) new Webhook(secret).verify(got.body, headers)
  assert.throws(() => new Webhook(expired).verify(got.body, headers))
  const hex = (secret: string) => createHmac('sha256', secret).update(got.body).digest('hex')
  assert.equal(got.headers['x-landfall-signature'], hex(webhook.secret))
  assert.equal(got.headers['x-landfall-signature-next'], hex(newer))
})

test('sends the plain signature under the header names that the operator sets', async () => {
  const receiver = await receive()
  const webhook = await subscribe(bench.service, context, { url: receiver.url })
  await announce(bench.service, context, [arrived])
  const { config } = bench.service
  const network = { ...config.network, signatureHeaders: ['X-Old-Signature', 'X-Older-Signature'] }
  await deliverDue({ ...bench.service, config: { ...config, network } }, { render: renderPlain })
  const [got] = receiver.received
  const hex = createHmac('sha256', webhook.secret)
    .update(got?.body ?? '')
    .digest('hex')
  assert.equal(got?.headers['x-old-signature'], hex)
  assert.equal(got?.headers['x-older-signature'], hex)
  assert.equal(got?.headers['x-landfall-signature'], undefined)
})

test('tries a failing delivery twelve times in three days with the same bytes and id and a new signature', async () => {
  const receiver = await receive((_, response) => response.writeHead(500).end('no'))
  const webhook = await subscribe(bench.service, context, { url: receiver.url })
  await announce(bench.service, context, [arrived])
  const gaps: number[] = []
  for (let attempt = 1; attempt <= 12; attempt += 1) {
    assert.equal(
      await deliver({
        render: async (n) => Buffer.from(`${await renderPlain(n)} `.repeat(attempt === 1 ? 1 : 2)),
      }),
      1,
    )
    assert.equal(await deliver(), 0, 'it came before its time')
    const [row] = await notificationRows(bench.service)
    assert.ok(row)
    assert.equal(row.attempts, attempt)
    if (attempt === 12) {
      assert.deepEqual([row.delivery_status, row.next_attempt_at], ['failed', null])
      break
    }
    assert.equal(row.delivery_status, 'pending')
    const gapMs = Date.parse(row.next_attempt_at ?? '') - bench.clock.now()
    gaps.push(gapMs / 1_000)
    bench.clock.advance(gapMs - 1)
    assert.equal(await deliver(), 0)
    bench.clock.advance(1)
  }
  assert.deepEqual(gaps, [5, 60, 300, 900, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 72_000])
  assert.equal(new Set(receiver.received.map(({ body }) => body.toString())).size, 1)
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 1)
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-signature'])).size, 12)
  const last = receiver.received.at(-1)
  const signed = new Webhook(webhook.secret).sign(
    last?.id ?? '',
    new Date(Number(last?.headers['webhook-timestamp']) * 1_000),
    last?.body ?? '',
  )
  assert.equal(last?.headers['webhook-signature'], signed)
  const attempts = await attemptsOf(receiver.received[0]?.id ?? '')
  assert.deepEqual(
    attempts.map(({ attempt, status_code, response_body, address }) => [attempt, status_code, response_body, address]),
    Array.from({ length: 12 }, (_, index) => [index + 1, 500, 'no', '127.0.0.1']),
  )
  assert.equal(attempts.at(-1)?.next_attempt_at, null)
})

test('treats any 2xx as success and every other status as failure', async () => {
  for (const [status, expected] of [
    [200, 'succeeded'],
    [202, 'succeeded'],
    [204, 'succeeded'],
    [299, 'succeeded'],
    [304, 'pending'],
    [400, 'pending'],
    [404, 'pending'],
  ] as const) {
    const receiver = await receive((_, response) => response.writeHead(status).end())
    const webhook = await subscribe(bench.service, context, { url: receiver.url })
    await announce(bench.service, context, [arrived])
    await deliver()
    const row = (await notificationRows(bench.service)).find(({ webhook_id }) => webhook_id === webhook.id)
    assert.equal(row?.delivery_status, expected, String(status))
    await bench.service.pool.query('delete from webhooks')
  }
})

test('410 disables the webhook and stops its queued deliveries', async () => {
  const receiver = await receive((_, response) => response.writeHead(410).end())
  const webhook = await subscribe(bench.service, context, { url: receiver.url })
  await announce(bench.service, context, [arrived, arrived])
  await announce(bench.service, context, [arrived])
  await deliver({ perWebhookMax: 1 })
  assert.equal(receiver.received.length, 1)
  assert.deepEqual(
    (await notificationRows(bench.service)).map(({ delivery_status }) => delivery_status),
    ['failed', 'failed', 'failed'],
  )
  const { rows } = await bench.service.pool.query('select is_active, disabled_reason from webhooks')
  assert.deepEqual(rows, [{ is_active: false, disabled_reason: 'The receiver answered 410 Gone.' }])
  assert.ok(bench.logged().some((line) => line['event'] === 'webhook.disabled' && line['webhookId'] === webhook.id))
  await announce(bench.service, context, [arrived])
  bench.clock.advance(86_400_000)
  assert.equal(await deliver(), 0)
})

test('treats a redirect as a failure and does not follow it', async () => {
  const other = await receive()
  const receiver = await receive((_, response) => response.writeHead(302, { location: other.url }).end())
  await subscribe(bench.service, context, { url: receiver.url })
  await announce(bench.service, context, [arrived])
  await deliver()
  assert.equal(other.received.length, 0)
  const [attempt] = await attemptsOf(receiver.received[0]?.id ?? '')
  assert.deepEqual([attempt?.status_code, attempt?.error], [302, 'redirects are not followed'])
})

test('counts a receiver that does not answer in time as failed', async () => {
  const receiver = await receive(() => {})
  await subscribe(bench.service, context, { url: receiver.url })
  await announce(bench.service, context, [arrived])
  await deliver()
  const [attempt] = await attemptsOf(receiver.received[0]?.id ?? '')
  assert.equal(attempt?.status_code, null)
  assert.match(attempt?.error ?? '', /^timeout: /)
  assert.ok((attempt?.duration_ms ?? 0) >= 400)
})

test('waits for the Retry-After of a 429 or 503, up to twice the planned delay', async () => {
  for (const [status, retryAfter, seconds] of [
    [429, '1', 5],
    [429, '8', 8],
    [503, '3600', 10],
    [500, '9', 5],
    [429, 'soon', 5],
  ] as const) {
    const receiver = await receive((_, response) => response.writeHead(status, { 'retry-after': retryAfter }).end())
    await subscribe(bench.service, context, { url: receiver.url })
    await announce(bench.service, context, [arrived])
    await deliver()
    const [row] = await notificationRows(bench.service)
    assert.equal(Date.parse(row?.next_attempt_at ?? '') - bench.clock.now(), seconds * 1_000, `${status} ${retryAfter}`)
    await bench.service.pool.query('delete from webhooks')
  }
})

test('stores the first kilobyte of a long answer as text', async () => {
  const receiver = await receive((_, response) => response.end(`é\0${'x'.repeat(200_000)}`))
  await subscribe(bench.service, context, { url: receiver.url })
  await announce(bench.service, context, [arrived])
  await deliver()
  const [attempt] = await attemptsOf(receiver.received[0]?.id ?? '')
  assert.equal(attempt?.response_body, `é${'x'.repeat(1_021)}`)
})

test('sends first attempts for one shipment in order, one after the other', async () => {
  let underWay = 0
  const receiver = await receive((_, response) => {
    underWay += 1
    assert.equal(underWay, 1, 'the next went out before the first was answered')
    setImmediate(() => {
      underWay -= 1
      response.end()
    })
  })
  await subscribe(bench.service, context, { url: receiver.url, events: [arrived, discharged] })
  const shipmentId = uuid()
  await announce(
    bench.service,
    context,
    Array.from({ length: 15 }, (_, n) => (n % 2 === 0 ? arrived : discharged)),
    shipmentId,
  )
  await announce(
    bench.service,
    context,
    Array.from({ length: 15 }, () => arrived),
    shipmentId,
  )
  assert.equal(await deliver(), 30)
  const numbers = receiver.received.map(({ sequence }) => sequence)
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(numbers).size, 30)
})

test('a failing delivery does not block the next delivery of its shipment', async () => {
  const receiver = await receive((_, response, count) => response.writeHead(count === 1 ? 500 : 200).end())
  await subscribe(bench.service, context, { url: receiver.url })
  await announce(bench.service, context, [arrived, arrived, arrived])
  assert.equal(await deliver(), 3)
  bench.clock.advance(5_000)
  assert.equal(await deliver(), 1)
  assert.deepEqual(
    receiver.received.map(({ sequence }) => sequence),
    [1, 2, 3, 1],
  )
  assert.ok((await notificationRows(bench.service)).every(({ delivery_status }) => delivery_status === 'succeeded'))
})

test('new events of a shipment wait for the delivery in progress, and are then sent', async () => {
  const shipmentId = uuid()
  let arriving: Promise<unknown> = Promise.resolve()
  const receiver = await receive((_, response, count) => {
    if (count === 1)
      arriving = announce(bench.service, context, [arrived, arrived], shipmentId).then(() => response.end())
    else response.end()
  })
  await subscribe(bench.service, context, { url: receiver.url })
  await announce(bench.service, context, [arrived], shipmentId)
  assert.equal(await deliver(), 3)
  await arriving
  assert.deepEqual(
    receiver.received.map(({ sequence }) => sequence),
    [1, 2, 3],
  )
})

test('loses or reorders no event when numbering and two deliverers race on one shipment', async () => {
  const shipmentId = uuid()
  const receiver = await receive()
  await subscribe(bench.service, context, { url: receiver.url })
  const deliverers = [1, 2].map(() => startDeliveries(bench.service, { render: renderPlain }))
  for (let round = 0; round < 100; round += 1) {
    await announce(bench.service, context, [arrived], shipmentId)
    for (const deliverer of deliverers) deliverer.wake()
  }
  await Promise.all(deliverers.map((deliverer) => deliverer.stop()))
  await deliver()
  assert.deepEqual(
    receiver.received.map(({ sequence }) => sequence),
    Array.from({ length: 100 }, (_, index) => index + 1),
  )
})

test('after a worker is killed between attempt and record, the lease expires and the same id is sent again', async () => {
  const killed = Promise.withResolvers<void>()
  const receiver = await receive((_, response, count) => {
    if (count > 1) return response.end()
    child.kill('SIGKILL')
    child.once('exit', () => killed.resolve())
  })
  await subscribe(bench.service, context, { url: receiver.url })
  await announce(bench.service, context, [arrived, arrived])
  const child = spawn(
    process.execPath,
    [delivererFile, bench.databaseUrl, String(bench.clock.now()), 'a secret for tests that is long enough'],
    {
      stdio: 'ignore',
    },
  )
  await killed.promise
  assert.equal(await deliver(), 0, 'the lease still holds')
  bench.clock.advance(120_000)
  assert.equal(await deliver(), 2)
  const [first, again, second] = receiver.received
  assert.equal(again?.id, first?.id)
  assert.deepEqual(again?.body, first?.body)
  assert.equal(second?.sequence, 2)
})

test('a worker frozen past its lease changes no delivery state, but its attempt is logged', async () => {
  const shipmentId = uuid()
  const receiver = await receive(async (_, response, count) => {
    if (count > 1) return response.end()
    bench.clock.advance(46_000)
    await deliver()
    response.writeHead(500).end()
  })
  await subscribe(bench.service, context, { url: receiver.url })
  await announce(bench.service, context, [arrived], shipmentId)
  await deliver()
  const [row] = await notificationRows(bench.service)
  assert.deepEqual([row?.delivery_status, row?.attempts], ['succeeded', 1])
  const attempts = await attemptsOf(row?.id ?? '')
  assert.deepEqual(attempts.map(({ status_code }) => status_code).toSorted(), [200, 500])
})

test('records an attempt later if it could not be recorded, and does not send it again', async () => {
  const receiver = await receive()
  await subscribe(bench.service, context, { url: receiver.url })
  await announce(bench.service, context, [arrived])
  // What a sequence gives is gone, also when the transaction is rolled back.
  await bench.service.pool.query(`
    create sequence refusals;
    create function refuse() returns trigger language plpgsql as $$
    begin
      if nextval('refusals') <= 2 then raise exception 'not now'; end if;
      return new;
    end $$;
    create trigger refuse before insert on webhook_notification_logs for each row execute function refuse()`)
  try {
    await deliver()
  } finally {
    await bench.service.pool.query(`
      drop trigger refuse on webhook_notification_logs; drop function refuse; drop sequence refusals`)
  }
  const [row] = await notificationRows(bench.service)
  assert.deepEqual([row?.delivery_status, row?.attempts], ['succeeded', 1])
  assert.equal((await attemptsOf(row?.id ?? '')).length, 1)
  const refused = bench.logged().filter(({ event }) => event === 'delivery.not_recorded')
  assert.ok(refused.length > 0 && refused.every(({ notificationId }) => notificationId === row?.id))
  bench.clock.advance(120_000)
  await deliver()
  assert.equal(receiver.received.length, 1)
})

test('an attempt that is recorded twice is logged once, and the second record changes nothing', async () => {
  const receiver = await receive()
  await subscribe(bench.service, context, { url: receiver.url })
  await announce(bench.service, context, [arrived])
  await deliver()
  const { rows } = await bench.service.pool.query<Parameters<typeof finishAttempts>[2][number]>(
    `select n.id, n.webhook_id as "webhookId", n.lane_id as "laneId", n.created_at as "madeAt", $1 as token, 'pending' as status,
            json_build_object('id', l.id, 'attempt', l.attempt, 'statusCode', 200, 'error', null, 'address', null, 'durationMs', 1,
              'responseBody', null, 'createdAt', l.created_at, 'nextAttemptAt', null) as log
       from webhook_notifications n
       join webhook_notification_logs l on l.account_id = n.account_id and l.notification_id = n.id`,
    [uuid()],
  )
  assert.equal(rows.length, 1)
  assert.deepEqual(await finishAttempts(bench.service.pool, context.account.id, rows), [false])
  const [row] = await notificationRows(bench.service)
  assert.deepEqual([row?.delivery_status, row?.attempts], ['succeeded', 1])
  assert.equal((await attemptsOf(row?.id ?? '')).length, 1)
})

test('two concurrent deliverers send each notification once', async () => {
  const receiver = await receive()
  await subscribe(bench.service, context, { url: receiver.url })
  for (let shipment = 0; shipment < 40; shipment += 1) await announce(bench.service, context, [arrived, arrived])
  await Promise.all([deliver(), deliver()])
  await deliver()
  assert.equal(receiver.received.length, 80)
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 80)
})

test('a slow receiver and its backlog do not delay other receivers', async () => {
  const hung: ServerResponse[] = []
  let isServed = false
  const slow = await receive((_, response) => (isServed ? response.end() : hung.push(response)))
  const served = Promise.withResolvers<void>()
  const quick = await receive((_, response, count) => {
    response.end()
    if (count === 40) served.resolve()
  })
  await subscribe(bench.service, context, { url: slow.url })
  for (let shipment = 0; shipment < 60; shipment += 1) await announce(bench.service, context, [arrived])
  await subscribe(bench.service, context, { url: quick.url })
  for (let shipment = 0; shipment < 40; shipment += 1) await announce(bench.service, context, [arrived])
  const { config } = bench.service
  const patient = { ...config, network: { ...config.network, deliveryTimeoutMs: 120_000 } }
  const deliveries = startDeliveries(
    { ...bench.service, config: patient },
    { render: renderPlain, attemptsAtOnceMax: 20 },
  )
  await served.promise
  isServed = true
  for (const response of hung) response.end()
  await deliveries.stop()
  assert.equal(quick.received.length, 40)
  // The fast receiver had got everything while each attempt to the slow one still waited.
  assert.ok(hung.length > 0 && hung.length <= 16, `${hung.length} attempts hung at the slow receiver`)
})

test('five days with only failures disable a webhook; one success resets the count', async () => {
  let status = 500
  const receiver = await receive((_, response) => response.writeHead(status).end())
  await subscribe(bench.service, context, { url: receiver.url })
  const failOnce = async () => {
    await announce(bench.service, context, [arrived])
    await deliver()
    await bench.service.pool.query(
      `update webhook_notifications set delivery_status = 'failed', next_attempt_at = null where delivery_status = 'pending'`,
    )
  }
  const isActive = async () =>
    (await bench.service.pool.query<{ is_active: boolean }>('select is_active from webhooks')).rows[0]?.is_active
  const day = 86_400_000
  await failOnce()
  bench.clock.advance(4 * day)
  status = 200
  await failOnce()
  status = 500
  await failOnce()
  bench.clock.advance(5 * day - 1_000)
  await failOnce()
  assert.equal(await isActive(), true)
  bench.clock.advance(1_000)
  await failOnce()
  assert.equal(await isActive(), false)
  const { rows } = await bench.service.pool.query('select disabled_reason from webhooks')
  assert.deepEqual(rows, [{ disabled_reason: 'All deliveries have failed for 5 days.' }])
})

test('stops the queued retries of a webhook that was disabled', async () => {
  const receiver = await receive((_, response) => response.writeHead(500).end())
  await subscribe(bench.service, context, { url: receiver.url })
  await announce(bench.service, context, [arrived, arrived])
  await deliver()
  await bench.service.pool.query('update webhooks set is_active = false')
  bench.clock.advance(86_400_000)
  assert.equal(await deliver(), 0)
  assert.equal(receiver.received.length, 2)
  assert.deepEqual(
    (await notificationRows(bench.service)).map(({ delivery_status }) => delivery_status),
    ['failed', 'failed'],
  )
})

test('deletes a webhook although an attempt finishes at the same moment', async () => {
  const { id } = await subscribe(bench.service, context, { url: (await receive()).url })
  await announce(bench.service, context, [arrived])
  const { pool } = bench.service
  let deleting: Promise<unknown> = Promise.resolve()
  await inTransaction(pool, async (db) => {
    await db.query({
      text: 'update webhook_notifications set attempts = attempts where webhook_id = $1',
      values: [id],
    })
    deleting = deleteWebhook(bench.service, context, { id })
    deleting.catch(() => {})
    await waitsFor('select count(*) from (select from webhook_notifications%')
    // The deletion has the webhook and waits for its delivery. It waits longer, so PostgreSQL ends it.
    await db.query({ text: 'update webhooks set updated_at = updated_at where id = $1', values: [id] })
  }).catch((error: unknown) => {
    // On a machine that was frozen for a second between the two waits, PostgreSQL ends this one.
    if (!isErrorCode(error, '40P01')) throw error
  })
  await deleting
  assert.deepEqual(await notificationRows(bench.service), [])
})

test('an attempt that finishes while its webhook is deleted leaves no rows behind', async () => {
  let answer: (() => void) | null = null
  const receiver = await receive((_, response) => {
    answer = () => void response.end()
  })
  const { id } = await subscribe(bench.service, context, { url: receiver.url })
  await announce(bench.service, context, [arrived])
  const { pool } = bench.service
  const delivering = deliver()
  await eventually(() => Promise.resolve(answer !== null))
  const [sent] = await notificationRows(bench.service)
  assert.ok(sent)
  await inTransaction(pool, async (db) => {
    assert.ok(await deleteRow(db, context.account.id, id))
    answer?.()
    await waitsFor(`with logged as%`)
  })
  await delivering
  assert.deepEqual(await notificationRows(bench.service), [])
  assert.deepEqual(await attemptsOf(sent.id), [])
})

/** Until a statement that begins so waits for a lock. */
async function waitsFor(text: string): Promise<void> {
  await eventually(async () => {
    const { rows } = await bench.service.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
      [text],
    )
    return rows.length > 0
  })
}

test('retries when a document cannot be rendered, without counting it as a failure of the receiver', async () => {
  const receiver = await receive()
  await subscribe(bench.service, context, { url: receiver.url })
  await announce(bench.service, context, [arrived])
  assert.equal(await deliver({ render: () => Promise.reject(new Error('whsec_never shown')) }), 0)
  const [row] = await notificationRows(bench.service)
  assert.deepEqual([row?.delivery_status, row?.attempts], ['pending', 1])
  const { rows } = await bench.service.pool.query('select failing_since from webhooks')
  assert.deepEqual(rows, [{ failing_since: null }])
  const [attempt] = await attemptsOf(row?.id ?? '')
  assert.equal(attempt?.error, 'the notification could not be written and signed')
  bench.clock.advance(5_000)
  assert.equal(await deliver(), 1)
  assert.equal(receiver.received.length, 1)
})

test('refuses a private address at delivery and counts it as a failure', async () => {
  const receiver = await receive()
  const webhook = await subscribe(bench.service, context, { url: receiver.url })
  await bench.service.pool.query(`update webhooks set url = 'https://10.0.0.1/hook' where id = $1`, [webhook.id])
  await announce(bench.service, context, [arrived])
  await deliver()
  const [row] = await notificationRows(bench.service)
  const [attempt] = await attemptsOf(row?.id ?? '')
  assert.equal(attempt?.error, 'refused: The host of the URL is not at a public address.')
})

test('writes no secrets or payloads to the log', async () => {
  const receiver = await receive()
  const webhook = await subscribe(bench.service, context, { url: receiver.url })
  await announce(bench.service, context, [arrived])
  await deliver()
  const text = JSON.stringify(bench.logged())
  assert.ok(text.includes('delivery.attempted'))
  assert.ok(!text.includes('whsec_'))
  const { rows } = await bench.service.pool.query<{ secret_sealed: Buffer }>(
    'select secret_sealed from webhook_secrets',
  )
  assert.ok(rows.every(({ secret_sealed }) => !secret_sealed.includes(webhook.secret.slice(6, 20))))
})

test('finds due webhooks without scanning a long backlog', async () => {
  const receiver = await receive()
  const busy = await subscribe(bench.service, context, { url: receiver.url })
  const other = await subscribe(bench.service, context, { url: receiver.url, events: [discharged] })
  await announce(bench.service, context, [arrived, discharged])
  await bench.service.pool.query(
    `insert into webhook_notifications (account_id, id, webhook_id, event_id, event, sequence, lane_id, next_attempt_at, created_at)
     select account_id, gen_random_uuid(), webhook_id, event_id, event, sequence, gen_random_uuid(), next_attempt_at, created_at
       from webhook_notifications, generate_series(1, 20000) where webhook_id = $1`,
    [busy.id],
  )
  await bench.service.pool.query('analyze webhook_notifications')
  const now = new Date(bench.clock.now()).toISOString()
  const zero = '00000000-0000-0000-0000-000000000000'
  const { sent, db } = listenTo(bench.service.pool)
  const found = await findDueWebhooks(db, {
    after: { accountId: zero, webhookId: zero },
    now,
    floor: now,
  })
  assert.deepEqual(found.due.map(({ webhookId }) => webhookId).toSorted(), [busy.id, other.id].toSorted())
  assert.equal(found.last, null)
  // Of 20,000 that wait it visits a few.
  assert.ok((await rowsVisited(bench.service.pool, sent)) < 100)
})

test('finds the next delivery of a shipment without scanning what waits for others', async () => {
  const receiver = await receive()
  const { id: webhookId } = await subscribe(bench.service, context, { url: receiver.url })
  await announce(bench.service, context, [arrived, discharged])
  const { pool } = bench.service
  const accountId = context.account.id
  const { rows } = await pool.query<{ lane: string }>('select lane_id as lane from webhook_notifications limit 1')
  const copyRows = (db: Db, count: number, status: string) =>
    db.query({
      text: `insert into webhook_notifications (account_id, id, webhook_id, event_id, event, sequence, lane_id, next_attempt_at, created_at, delivery_status)
       select account_id, gen_random_uuid(), webhook_id, event_id, event, sequence, gen_random_uuid(), next_attempt_at, created_at, $3
         from webhook_notifications, generate_series(1, $2) where webhook_id = $1 and delivery_status = 'pending'`,
      values: [webhookId, count, status],
    })
  await copyRows(pool, 20_000, 'pending')
  await pool.query(`update webhook_notifications set delivery_status = 'succeeded', attempts = 1 where lane_id <> $1`, [
    rows[0]?.lane,
  ])
  await pool.query('vacuum analyze webhook_notifications')
  const lanes = rows.map(({ lane }) => ({ accountId, webhookId, laneId: lane }))
  const visited = await inTransaction(
    pool,
    async (db) => {
      // Planned while hardly anything waits, as by a worker that has just started.
      assert.equal((await lockWaitingLanes(db, accountId, lanes)).length, 1)
      await releaseNextInLanes(db, accountId, { lanes, now: new Date(bench.clock.now()).toISOString() })
      await copyRows(db, 20_000, 'pending')
      const values = `'${accountId}', '{${webhookId}}', '{${lanes[0]?.laneId}}'`
      return rowsVisited(db, [
        { text: `execute notification_lanes_lock(${values})` },
        { text: `execute notifications_release(${values}, now())` },
      ])
    },
    'once',
  )
  assert.ok(visited < 100, `${visited} rows`)
})

test('sends hundreds of deliveries concurrently, to one receiver and to many', async () => {
  for (const count of [1, 8]) {
    for (let each = 0; each < count; each += 1) {
      await subscribe(bench.service, context, { url: (await receive()).url })
    }
    const events = 800 / count
    for (let shipment = 0; shipment < events; shipment += 20) {
      await Promise.all(Array.from({ length: 20 }, () => announce(bench.service, context, [arrived])))
    }
    assert.equal(await deliver(), 800)
    await bench.service.pool.query('delete from webhooks')
  }
})
