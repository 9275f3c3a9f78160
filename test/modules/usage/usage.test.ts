// What an account uses: requests of the last minute with their limits, and what was created in each month.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { handIn } from '../../support/hand-in.ts'
import { type Seeded, seededAt, seedShipment } from '../../support/seed.ts'
import { subscribe } from '../../support/webhooks-harness.ts'

let api: TestApi
let seeded: Seeded
before(async () => {
  api = await openTestApi({
    startAt: seededAt,
    env: { LANDFALL_RATE_LIMIT_DEFAULT: '500', LANDFALL_RATE_LIMIT_CREATE: '500' },
  })
  await subscribe(api.service, api.context, { url: 'https://example.com/hook' })
  seeded = await seedShipment(api)
  await handIn(api, api.key, Buffer.from('%PDF-1.7 twenty bytes'), {
    filename: 'a.pdf',
    type: 'application/pdf',
  })
  await api.drain()
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

type Month = Readonly<Record<string, unknown>>
const usageOf = async (key = api.key) => {
  const { attributes } = (await api.call({ url: '/v2/usage', key })).one()
  return {
    limits: attributes['limits'] as readonly Month[],
    months: attributes['months'] as readonly Month[],
  }
}
const countIn = async (table: string) => {
  const { rows } = await api.service.pool.query<{ n: number }>(
    `select count(*) as n from ${table} where account_id = $1 and created_at >= date_trunc('month', $2::timestamptz)`,
    [api.context.account.id, new Date(api.clock.now()).toISOString()],
  )
  return rows[0]?.n
}

test('the usage report counts each kind of record for this month and the twelve months before', async () => {
  const { months } = await usageOf()
  assert.deepEqual(months.map(({ month }) => month).slice(0, 4), ['2026-03', '2026-02', '2026-01', '2025-12'])
  assert.equal(months.length, 13)
  const [now, before = {}] = months
  assert.deepEqual(now, {
    month: '2026-03',
    tracking_requests: await countIn('tracking_requests'),
    shipments: await countIn('shipments'),
    containers: await countIn('containers'),
    events: await countIn('events'),
    deliveries: await countIn('webhook_notifications'),
    documents: 1,
    document_bytes: 21,
    is_complete: true,
  })
  assert.ok(Number(now?.['events']) > 5 && Number(now?.['deliveries']) > 0, 'something was made')
  assert.ok(Object.values(before).every((each) => each === 0 || each === true || each === '2026-02'))
})

test('reuses stored usage counts of past days, and adds newer counts', async () => {
  const first = (await usageOf()).months[0]
  await api.pass(49)
  assert.deepEqual((await usageOf()).months[0], { ...first, events: await countIn('events') })
  const { rows } = await api.service.pool.query<{ counted_to: string; containers: number }>(
    `update usage_months set containers = containers + 1000 where account_id = $1 and month = '2026-03-01'
     returning counted_to, containers`,
    [api.context.account.id],
  )
  assert.equal(rows[0]?.containers, 1_002, 'the row has those of two days ago')
  const again = (await usageOf()).months[0]
  assert.equal(again?.['containers'], 1_002, 'they are taken from the row')
  await seedShipment(api, { bill: 'CNSH87654321', carrier: seeded.carrier })
  assert.equal((await usageOf()).months[0]?.['containers'], 1_004)
})

test('shows the requests of the last minute beside their limits', async () => {
  const context = await api.newAccount()
  const key = await api.newKey(context, ['read', 'write'])
  const bucket = async (name: string) => (await usageOf(key)).limits.find((each) => each['bucket'] === name)
  assert.deepEqual(await bucket('default'), { bucket: 'default', limit_per_minute: 500, used_last_minute: 1 })
  await api.call({ url: '/v2/shipments', key })
  assert.equal((await bucket('default'))?.['used_last_minute'], 3)
  assert.equal((await bucket('create'))?.['used_last_minute'], 0)
  assert.deepEqual(await bucket('infer'), { bucket: 'infer', limit_per_minute: null, used_last_minute: null })
  api.clock.advance(61_000)
  assert.equal((await bucket('default'))?.['used_last_minute'], 1)
})

test('the usage report of a new account has zero for each kind of record', async () => {
  const key = await api.newKey(await api.newAccount(), ['read'])
  const { months } = await usageOf(key)
  const kinds = ['tracking_requests', 'shipments', 'containers', 'events', 'deliveries', 'documents']
  for (const month of months) assert.ok(kinds.every((kind) => month[kind] === 0))
})
