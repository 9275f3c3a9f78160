import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { cleanUp } from '../../../src/pipeline/delivery/prune-deliveries.ts'
import { deliverDue } from '../../../src/pipeline/delivery/start-deliveries.ts'
import { numberEvents } from '../../../src/pipeline/event-sequence/number-events.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import {
  announce,
  arrived,
  attemptRows,
  discharged,
  notificationRows,
  openReceiver,
  type Receiver,
  renderPlain,
  subscribe,
  uuid,
  writeEvents,
} from '../../support/webhooks-harness.ts'

let api: TestApi
let receiver: Receiver
let status: number
let secret: string
let webhookId: string

before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString() })
})
after(() => api.close())
beforeEach(async () => {
  status = 200
  receiver = await openReceiver((_, response) => response.writeHead(status).end('as told'))
  const made = await subscribe(api.service, api.context, { url: receiver.url })
  webhookId = made.id
  secret = made.secret
})
afterEach(async () => {
  await api.service.pool.query('delete from webhooks')
  await api.service.pool.query('delete from webhook_notification_logs')
  await api.service.pool.query('delete from webhook_payloads')
  await api.service.pool.query('delete from events')
  await receiver.close()
})

const deliver = () => deliverDue(api.service, { render: renderPlain, random: () => 0.5 })
const list = (query = '') => api.call({ url: `/v2/webhook_notifications${query}` })
const redeliver = (id: string, key?: string) =>
  api.call({
    method: 'POST',
    url: `/v2/webhook_notifications/${id}/redeliver`,
    ...(key === undefined ? {} : { key }),
  })
const recover = (body: unknown) =>
  api.call({
    method: 'POST',
    url: `/v2/webhooks/${webhookId}/recover`,
    body,
    headers: { 'content-type': 'application/json' },
  })
const daysAgo = (days: number) => new Date(api.clock.now() - days * 86_400_000).toISOString()
const onlyRow = async () => {
  const [row] = await notificationRows(api.service)
  assert.ok(row)
  return row
}

test('lists notifications newest first with webhook and attempts, and filters them', async () => {
  await announce(api.service, api.context, [arrived])
  await deliver()
  const between = new Date(api.clock.now() + 30_000).toISOString()
  api.clock.advance(60_000)
  status = 500
  await announce(api.service, api.context, [arrived])
  await deliver()
  const all = await list('?include=webhook,webhook_notification_logs,reference_object')
  const [newest, oldest] = all.many()
  assert.ok(newest && oldest)
  assert.equal(newest.attributes['delivery_status'], 'pending')
  assert.equal(oldest.attributes['delivery_status'], 'succeeded')
  assert.equal(all.body.meta?.['total'], 2)
  const included = all.body.included ?? []
  assert.equal(included.filter(({ type, id }) => type === 'webhook' && id === webhookId).length, 1)
  const logs = included.filter(({ type }) => type === 'webhook_notification_log')
  assert.equal(logs.length, 2)
  const failed = logs.find(({ attributes }) => attributes['status_code'] === 500)
  assert.equal(failed?.attributes['response_body'], 'as told')
  assert.equal(failed?.attributes['address'], '127.0.0.1')
  assert.equal(failed?.attributes['attempt'], 1)
  assert.notEqual(failed?.attributes['next_attempt_at'], null)
  assert.deepEqual(newest.relationships?.['webhook_notification_logs']?.data, [
    { type: 'webhook_notification_log', id: failed?.id },
  ])
  const idsOf = async (query: string) => (await list(query)).many().map(({ id }) => id)
  assert.deepEqual(await idsOf('?filter[delivery_status]=succeeded'), [oldest.id])
  assert.deepEqual(await idsOf(`?filter[event]=${arrived}&page[size]=1`), [newest.id])
  assert.deepEqual(await idsOf(`?filter[event]=${discharged}`), [])
  assert.deepEqual(await idsOf(`?filter[webhook_id]=${webhookId}`), [newest.id, oldest.id])
  assert.deepEqual(await idsOf(`?filter[webhook_id]=${uuid()}`), [])
  assert.deepEqual(await idsOf(`?filter[created_at][start]=${between}`), [newest.id])
  assert.deepEqual(await idsOf(`?filter[created_at][end]=${between}`), [oldest.id])
  const shown = (await api.call({ url: `/v2/webhook_notifications/${oldest.id}` })).one()
  assert.deepEqual(shown.attributes, oldest.attributes)
})

test('refuses invalid filters by name', async () => {
  for (const [query, parameter] of [
    ['filter[delivery_status]=lost', 'filter[delivery_status]'],
    ['filter[event]=container.sank', 'filter[event]'],
    ['filter[webhook_id]=7', 'filter[webhook_id]'],
    ['filter[created_at][start]=yesterday', 'filter[created_at][start]'],
    ['page[size]=0', 'page[size]'],
  ]) {
    const answer = await list(`?${query}`)
    assert.equal(answer.status, 422, query)
    assert.equal(answer.error().source?.parameter, parameter)
  }
  assert.equal((await list('?include=cargo')).status, 400)
})

test('lists, shows and resends no notification of another account, as if its id did not exist', async () => {
  await announce(api.service, api.context, [arrived])
  const row = await onlyRow()
  const key = await api.newKey(await api.newAccount(), ['read', 'write'])
  assert.deepEqual((await api.call({ url: '/v2/webhook_notifications', key })).many(), [])
  const theirs = await api.call({ url: `/v2/webhook_notifications/${row.id}`, key })
  const none = await api.call({ url: `/v2/webhook_notifications/${uuid()}`, key })
  assert.equal(theirs.status, 404)
  assert.deepEqual(theirs.body, none.body)
  assert.equal((await redeliver(row.id, key)).status, 404)
  assert.deepEqual(await onlyRow(), row)
  assert.equal((await api.call({ url: '/v2/webhook_notifications/no-id' })).status, 404)
})

test('a manual retry replaces the automatic retry, with the same id and bytes and a new signature', async () => {
  status = 500
  await announce(api.service, api.context, [arrived])
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await deliver()
    api.clock.advance(3_600_000)
  }
  api.clock.advance(-3_590_000)
  assert.equal(await deliver(), 0, 'the automatic retry is not due')
  const { id } = await onlyRow()
  status = 200
  const answer = await redeliver(id)
  assert.equal(answer.status, 200)
  assert.equal(answer.one().attributes['delivery_status'], 'pending')
  assert.equal(await deliver(), 1)
  const [first] = receiver.received
  const last = receiver.received.at(-1)
  assert.ok(first && last)
  assert.equal(last.id, first.id)
  assert.deepEqual(last.body, first.body)
  assert.notEqual(last.headers['webhook-timestamp'], first.headers['webhook-timestamp'])
  const signedAt = new Date(Number(last.headers['webhook-timestamp']) * 1_000)
  assert.equal(last.headers['webhook-signature'], new Webhook(secret).sign(last.id, signedAt, last.body.toString()))
  assert.equal((await onlyRow()).delivery_status, 'succeeded')
  assert.deepEqual(
    (await attemptRows(api.service, id)).map(({ attempt, status_code }) => [attempt, status_code]),
    [
      [1, 500],
      [2, 500],
      [3, 500],
      [4, 200],
    ],
  )
  api.clock.advance(30 * 86_400_000)
  assert.equal(await deliver(), 0, 'nothing is left of the automatic retry')
})

test('a successful delivery can be sent again; if it then fails, its schedule begins again', async () => {
  await announce(api.service, api.context, [arrived])
  await deliver()
  const { id } = await onlyRow()
  status = 500
  await redeliver(id)
  await deliver()
  const row = await onlyRow()
  assert.equal(row.delivery_status, 'pending')
  assert.equal(row.attempts, 2)
  assert.equal(Date.parse(row.next_attempt_at ?? ''), api.clock.now() + 5_000)
})

test('a manual retry does not send a notification before an earlier one, or to a disabled webhook', async () => {
  await announce(api.service, api.context, [arrived, arrived])
  const [, second] = await notificationRows(api.service)
  assert.ok(second)
  assert.equal((await redeliver(second.id)).status, 200)
  assert.deepEqual((await notificationRows(api.service))[1], second, 'it waits for the one before it')
  await api.call({
    method: 'PATCH',
    url: `/v2/webhooks/${webhookId}`,
    body: { data: { attributes: { active: false } } },
  })
  const stopped = await notificationRows(api.service)
  assert.deepEqual(
    stopped.map(({ delivery_status, next_attempt_at }) => [delivery_status, next_attempt_at]),
    [
      ['failed', null],
      ['failed', null],
    ],
  )
  assert.equal((await redeliver(second.id)).status, 409)
  assert.equal((await recover({ since: daysAgo(1) })).status, 409)
  assert.deepEqual(await notificationRows(api.service), stopped)
  assert.equal(await deliver(), 0)
})

test('a read-only key cannot send again', async () => {
  await announce(api.service, api.context, [arrived])
  await deliver()
  const row = await onlyRow()
  const key = await api.newKey(api.context, ['read'])
  assert.equal((await redeliver(row.id, key)).status, 403)
  assert.deepEqual(await onlyRow(), row)
})

test('recovery sends finally failed notifications once more, and does not send successful ones again', async () => {
  const shipmentId = uuid()
  await announce(api.service, api.context, [arrived], shipmentId)
  await deliver()
  status = 500
  await announce(api.service, api.context, [arrived, arrived], shipmentId)
  for (let attempt = 0; attempt < 12; attempt += 1) {
    await deliver()
    api.clock.advance(24 * 3_600_000)
    // Five days of failures would switch it off.
    await api.service.pool.query('update webhooks set failing_since = null')
  }
  const rows = await notificationRows(api.service)
  assert.deepEqual(
    rows.map(({ delivery_status }) => delivery_status),
    ['succeeded', 'failed', 'failed'],
  )
  receiver.received.length = 0
  status = 200
  assert.deepEqual((await recover({ since: daysAgo(1) })).body.meta, { recovered: 0, is_complete: true })
  const first = await recover({ since: daysAgo(30), mode: 'failed_only' })
  assert.deepEqual(first.body.meta, { recovered: 2, is_complete: true })
  assert.deepEqual((await recover({ since: daysAgo(30) })).body.meta, { recovered: 0, is_complete: true })
  assert.equal(await deliver(), 2)
  assert.deepEqual(
    receiver.received.map(({ sequence }) => sequence),
    rows.slice(1).map(({ sequence }) => sequence),
  )
  assert.ok((await notificationRows(api.service)).every((row) => row.delivery_status === 'succeeded'))
})

test('recovery with mode all sends events older than the subscription, in order, under their expected ids', async () => {
  await api.service.pool.query('delete from webhooks')
  const shipments = [uuid(), uuid()]
  for (const shipmentId of shipments) {
    await writeEvents(api.service, api.context, {
      shipmentId,
      names: [arrived, discharged, arrived, arrived],
    })
    await numberEvents(api.service)
  }
  assert.deepEqual(await notificationRows(api.service), [])
  const made = await subscribe(api.service, api.context, { url: receiver.url })
  webhookId = made.id
  assert.deepEqual((await recover({ since: '2020-01-01', until: '2100-01-01' })).body.meta, {
    recovered: 0,
    is_complete: true,
  })
  const range = { since: '2020-01-01', until: '2100-01-01', mode: 'all' }
  assert.deepEqual((await recover(range)).body.meta, { recovered: 6, is_complete: true })
  assert.deepEqual((await recover(range)).body.meta, { recovered: 0, is_complete: true })
  assert.equal(await deliver(), 6)
  assert.deepEqual((await recover(range)).body.meta, { recovered: 0, is_complete: true })
  const rows = await notificationRows(api.service)
  assert.ok(rows.every(({ delivery_status, event }) => delivery_status === 'succeeded' && event === arrived))
  const { rows: events } = await api.service.pool.query<{ sequence: number; shipment_id: string }>(
    'select sequence, shipment_id from events where name = $1',
    [arrived],
  )
  for (const shipmentId of shipments) {
    const expected = events
      .filter((event) => event.shipment_id === shipmentId)
      .map(({ sequence }) => sequence)
      .toSorted((a, b) => a - b)
    const got = receiver.received.map(({ sequence }) => sequence).filter((each) => expected.includes(each))
    assert.deepEqual(got, expected)
  }
})

test('recovers notifications stopped before their first attempt in the order of their shipment', async () => {
  const shipmentId = uuid()
  await announce(api.service, api.context, [arrived, arrived, arrived], shipmentId)
  for (const active of [false, true])
    await api.call({
      method: 'PATCH',
      url: `/v2/webhooks/${webhookId}`,
      body: { data: { attributes: { active } } },
    })
  await announce(api.service, api.context, [arrived], shipmentId)
  assert.deepEqual((await recover({ since: daysAgo(1) })).body.meta, { recovered: 3, is_complete: true })
  assert.equal(await deliver(), 4)
  const sequences = receiver.received.map(({ sequence }) => sequence)
  assert.equal(new Set(sequences).size, 4)
  assert.deepEqual(
    sequences.slice(1),
    sequences.slice(1).toSorted((a, b) => a - b),
  )
})

test('an invalid recovery names its field and queues nothing', async () => {
  for (const [body, pointer] of [
    [{}, '/since'],
    [{ since: 'yesterday' }, '/since'],
    [{ since: '2026-02-30' }, '/since'],
    [{ since: '2026-01-02T10:00:00' }, '/since'],
    [{ since: '2026-01-02', until: '2026-01-01' }, '/until'],
    [{ since: '2026-01-02', mode: 'everything' }, '/mode'],
    [{ since: '2026-01-02', webhook: 'x' }, '/webhook'],
  ] as const) {
    const answer = await recover(body)
    assert.equal(answer.status, 422, JSON.stringify(body))
    assert.equal(answer.error().source?.pointer, pointer)
  }
  assert.deepEqual(await notificationRows(api.service), [])
})

test('deletes attempts and sent bytes after thirty days, keeps the notification, deletes ended secrets at once', async () => {
  await announce(api.service, api.context, [arrived])
  await deliver()
  const { id } = await onlyRow()
  await api.call({ method: 'POST', url: `/v2/webhooks/${webhookId}/rotate_secret` })
  const secrets = async () =>
    (await api.service.pool.query('select from webhook_secrets where webhook_id = $1', [webhookId])).rowCount
  await cleanUp(api.service)
  assert.equal((await attemptRows(api.service, id)).length, 1)
  assert.equal(await secrets(), 2)
  api.clock.advance(86_400_001)
  assert.equal(await cleanUp(api.service), 1)
  assert.equal(await secrets(), 1)
  api.clock.advance(29 * 86_400_000)
  assert.equal(await cleanUp(api.service), 2)
  assert.deepEqual(await attemptRows(api.service, id), [])
  const { rows } = await api.service.pool.query(
    `select delivery_status, (select count(*) from webhook_payloads)::int as payloads
       from webhook_notifications where id = $1`,
    [id],
  )
  assert.deepEqual(rows, [{ delivery_status: 'succeeded', payloads: 0 }])
  await redeliver(id)
  assert.equal(await deliver(), 1, 'it can still be sent, written anew')
})
