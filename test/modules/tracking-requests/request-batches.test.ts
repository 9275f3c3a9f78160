// A thousand requests at once: those within the limit are made, those that wait state until when, and none is lost,
// repeated or out of order.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Context } from '../../../src/modules/access/context.ts'
import { insertBatch } from '../../../src/modules/tracking-requests/request-batches-sql.ts'
import { workBatchQueue } from '../../../src/modules/tracking-requests/work-queue.ts'
import { leaseToken } from '../../../src/pipeline/jobs/holder.ts'
import { openTestApi, type TestApi, type WireError } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { giveAccess } from '../../support/service.ts'
import { journey } from '../../support/tracking-harness.ts'

let api: TestApi
let carrier: Carrier
let account: Context
let key: string
let foreignKey: string

before(async () => {
  api = await openTestApi({
    startAt: '2026-02-01T00:00:00Z',
    env: {
      LANDFALL_RATE_LIMIT_CREATE: '5',
      LANDFALL_RATE_LIMIT_REHEARSE: '12',
      LANDFALL_RATE_LIMIT_STORE: 'database',
    },
  })
  carrier = await openCarrier()
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
  foreignKey = await api.newKey(await api.newAccount(), ['read', 'write'])
})
after(async () => {
  await carrier.close()
  await api.close()
})
/** Each test has its own account, and so its own queue and rate limit. */
beforeEach(async () => {
  account = await api.newAccount()
  key = await api.newKey(account, ['read', 'write'])
})

let made = 0
const numbers = (count: number): readonly string[] =>
  Array.from({ length: count }, () => {
    made += 1
    return `HLCUBATCH${String(made).padStart(7, '0')}`
  })
const item = (number: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'tracking_request',
  attributes: { request_type: 'bill_of_lading', request_number: number, scac: 'HLCU', ...more },
})

interface Item {
  readonly pointer: string
  readonly status: string
  readonly tracking_request_id: string | null
  readonly due_at: string | null
  readonly errors: readonly WireError[]
  readonly request: { readonly status: string } | null
}
interface Batch {
  readonly created: number
  readonly queued: number
  readonly refused: number
  readonly items: readonly Item[]
}

async function send(
  data: readonly unknown[],
  more: { readonly meta?: unknown; readonly idempotencyKey?: string } = {},
) {
  const { meta, idempotencyKey } = more
  return api.call({
    method: 'POST',
    url: '/v2/tracking_requests/batch',
    body: { data, ...(meta === undefined ? {} : { meta }) },
    key,
    ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
  })
}
const batchOf = (answer: Awaited<ReturnType<typeof send>>): Batch => answer.one().attributes as unknown as Batch
const read = async (id: string): Promise<Batch> =>
  batchOf(await api.call({ url: `/v2/tracking_requests/batch/${id}`, key }))
/** In the order in which they were made. */
const requestsOf = async (): Promise<readonly string[]> => {
  const { rows } = await api.service.pool.query(
    `select payload ->> 'requestNumber' as number from ledger
      where account_id = $1 and kind = 'request_created' order by position`,
    [account.account.id],
  )
  return rows.map(({ number }) => number as string)
}

test('creates the items within the limit at once, while the rest waits in order and shows when', async () => {
  const wanted = numbers(12)
  const answer = await send(wanted.map((number) => item(number)))
  assert.equal(answer.status, 201)
  const batch = batchOf(answer)
  assert.deepEqual([batch.created, batch.queued, batch.refused], [5, 7, 0])
  assert.equal(answer.headers['location'], `http://localhost:80/v2/tracking_requests/batch/${answer.one().id}`)
  const due = batch.items.map(({ due_at }) => due_at)
  assert.deepEqual(due.slice(0, 5), [null, null, null, null, null])
  assert.ok(due.slice(5).every((at) => at !== null && at > '2026-02-01T00:00:'))
  assert.deepEqual(due.slice(5), due.slice(5).toSorted())
  await api.drain()
  assert.equal((await requestsOf()).length, 5, 'none goes before its turn')
  api.clock.advance(61_000)
  await api.drain()
  assert.equal((await requestsOf()).length, 10)
  api.clock.advance(61_000)
  await api.drain()
  assert.deepEqual(await requestsOf(), wanted)
  const done = await read(answer.one().id)
  assert.deepEqual([done.created, done.queued], [12, 0])
})

test('an invalid batch item is reported with its position and reason, and a repeated number creates one request', async () => {
  const [good = '', twice = ''] = numbers(2)
  const answer = await send([
    item(good),
    item('?'),
    item(twice, { scac: 'XXXX' }),
    { type: 'shipment' },
    item(twice),
    item(` ${twice.toLowerCase()} `),
    7,
  ])
  const { items, created } = batchOf(answer)
  assert.equal(created, 2)
  assert.deepEqual(
    items.map(({ status, errors }) => [status, errors[0]?.status, errors[0]?.source?.pointer]),
    [
      ['created', undefined, undefined],
      ['refused', '422', '/data/1/attributes/request_number'],
      ['refused', '422', '/data/2/attributes/scac'],
      ['refused', '409', '/data/3/type'],
      ['created', undefined, undefined],
      ['refused', '422', '/data/5/attributes/request_number'],
      ['refused', '400', '/data/6'],
    ],
  )
})

test('a batch shows what became of each of its requests', async () => {
  const [good = ''] = numbers(1)
  const id = (await send([item(good), item('?')])).one().id
  const outcomes = async () => (await read(id)).items.map(({ request }) => request)
  const [request, refused] = await outcomes()
  assert.deepEqual(request, { status: 'pending', failed_reason: null, scac: 'HLCU', shipment_id: null })
  assert.equal(refused, null)
  await api.drain()
  const [answered] = await outcomes()
  assert.notEqual(answered?.status, 'pending')
})

test('a dry run reports what would be refused and writes nothing', async () => {
  const [tracked = '', fresh = ''] = numbers(2)
  await send([item(tracked)])
  const before = await api.service.pool.query('select count(*)::int as n from ledger')
  const answer = await send([item(fresh), item(tracked), item('?')], { meta: { dry_run: true } })
  assert.equal(answer.status, 200)
  const meta = answer.body.meta as { valid: number; refused: number; items: readonly Item[] }
  assert.deepEqual(
    meta.items.map(({ status, errors }) => [status, errors[0]?.code]),
    [
      ['valid', undefined],
      ['refused', 'duplicate'],
      ['refused', 'invalid'],
    ],
  )
  assert.deepEqual(
    await api.service.pool.query('select count(*)::int as n from ledger').then(({ rows }) => rows),
    before.rows,
  )
  assert.deepEqual(await requestsOf(), [tracked])
  assert.equal(
    batchOf(await send([item(fresh)])).created,
    1,
    'the dry run took no number, and no turn of those that make',
  )
})

test('a dry run takes a rate-limit slot for each item or is refused as a whole, without affecting other accounts', async () => {
  const dry = (count: number, as = key) =>
    api.call({
      method: 'POST',
      url: '/v2/tracking_requests/batch',
      key: as,
      body: { data: numbers(count).map((number) => item(number)), meta: { dry_run: true } },
    })
  assert.equal((await dry(7)).status, 200)
  api.clock.advance(10_000)
  const refused = await dry(8)
  assert.equal(refused.status, 429)
  assert.equal(refused.headers['retry-after'], '50')
  assert.equal((await dry(5)).status, 200, 'the refused one took none')
  assert.equal((await dry(1)).status, 429)
  assert.equal((await dry(8, foreignKey)).status, 200)
  api.clock.advance(60_000)
  assert.equal((await dry(20)).status, 200, 'larger than the limit: a whole minute')
  assert.equal((await dry(1)).status, 429)
  assert.equal(batchOf(await send(numbers(1).map((number) => item(number)))).created, 1)
})

test('two workers and one that was interrupted create every request once, in order', async () => {
  const wanted = numbers(15)
  const answer = await send(wanted.map((number) => item(number)))
  api.clock.advance(61_000)
  await Promise.all([workBatchQueue(api.service), workBatchQueue(api.service)])
  assert.deepEqual(await requestsOf(), wanted.slice(0, 10))
  // Killed after the request was created and before this was recorded.
  const { id } = answer.one()
  await api.service.pool.query(
    `update request_batch_items set status = 'queued', settled_at = null, due_at = now() - interval '1 year',
            leased_until = $2 where batch_id = $1 and place = 9`,
    [id, new Date(api.clock.now() + 60_000).toISOString()],
  )
  await workBatchQueue(api.service)
  assert.equal((await read(id)).items[9]?.status, 'queued', 'its lease holds')
  for (let minutes = 0; minutes < 5; minutes += 1) {
    api.clock.advance(61_000)
    await Promise.all([workBatchQueue(api.service), workBatchQueue(api.service)])
  }
  assert.deepEqual(await requestsOf(), wanted)
  const { items } = await read(id)
  assert.ok(items.every(({ status }) => status === 'created'))
  assert.equal(new Set(items.map(({ tracking_request_id }) => tracking_request_id)).size, 15)
})

test('if a process ends before it has created anything of a batch, a worker creates it', async () => {
  const context = await api.newAccount()
  const [number = ''] = numbers(1)
  const at = new Date(api.clock.now()).toISOString()
  const id = '0199a000-0000-7000-8000-000000000001'
  const input = {
    requestType: 'bill_of_lading',
    requestNumber: number,
    scac: 'HLCU',
    refNumbers: [],
    shipmentTags: [],
  }
  await insertBatch(
    api.service.pool,
    {
      accountId: context.account.id,
      id,
      actor: context.actor,
      scopes: context.scopes,
      requestId: 'x',
      createdAt: at,
    },
    [
      {
        input,
        status: 'queued',
        trackingRequestId: '0199a000-0000-7000-8000-000000000002',
        errors: null,
        dueAt: at,
      },
    ],
    { token: leaseToken(api.service), until: new Date(api.clock.now() + 60_000).toISOString() },
  )
  assert.equal(await workBatchQueue(api.service), 0, 'its lease holds')
  api.clock.advance(61_000)
  assert.equal(await workBatchQueue(api.service), 1)
})

test('a later batch waits behind the first', async () => {
  const [first, second] = [numbers(6), numbers(2)]
  await send(first.map((number) => item(number)))
  api.clock.advance(61_000)
  const later = batchOf(await send(second.map((number) => item(number))))
  assert.equal(later.queued, 2)
  await api.drain()
  assert.deepEqual(await requestsOf(), [...first, ...second])
})

test('the same Idempotency-Key returns the same batch', async () => {
  const data = numbers(2).map((number) => item(number))
  const [one, two] = [await send(data, { idempotencyKey: 'k1' }), await send(data, { idempotencyKey: 'k1' })]
  assert.equal(one.text, two.text)
  assert.equal(batchOf(two).created, 2)
})

test('refuses a batch without items, with over a thousand items or with unknown members', async () => {
  for (const [body, pointer] of [
    [{ data: [] }, '/data'],
    [{ data: Array.from({ length: 1_001 }, () => 1) }, '/data'],
    [{ data: [1], meta: { dry: true } }, '/meta'],
    [{ data: [1], more: 1 }, '/more'],
    [{}, '/data'],
  ] as const) {
    const answer = await api.call({ method: 'POST', url: '/v2/tracking_requests/batch', body, key })
    assert.ok([400, 422].includes(answer.status), answer.text)
    assert.equal(answer.error().source?.pointer, pointer)
  }
})

test('another account finds neither the batch nor anything of it', async () => {
  const answer = await send(numbers(1).map((number) => item(number)))
  const url = `/v2/tracking_requests/batch/${answer.one().id}`
  assert.equal((await api.call({ url, key: foreignKey })).status, 404)
})

test('stops and resumes shipments by the batch; those of others are not found and remain unchanged', async () => {
  const [own = '', others = ''] = numbers(2)
  carrier.answers({ json: journey(own, 'sailed') }, own)
  carrier.answers({ json: journey(others, 'sailed', ['LDFU1000023']) }, others)
  await send([item(own)])
  await api.call({
    method: 'POST',
    url: '/v2/tracking_requests',
    body: { data: item(others) },
    key: foreignKey,
  })
  await api.drain()
  const [mine] = (await api.call({ url: '/v2/shipments', key })).many()
  const [foreign] = (await api.call({ url: '/v2/shipments', key: foreignKey })).many()
  const data = [mine?.id, foreign?.id, 'none'].map((id) => ({ type: 'shipment', id }))
  const stop = await api.call({
    method: 'POST',
    url: '/v2/shipments/batch/stop_tracking',
    body: { data },
    key,
  })
  const statuses = (answer: typeof stop) =>
    (answer.body.meta as { items: readonly Item[] }).items.map(({ status, errors }) => [status, errors[0]?.status])
  const expected = [
    ['done', undefined],
    ['refused', '404'],
    ['refused', '404'],
  ]
  assert.deepEqual(statuses(stop), expected)
  const stoppedAt = async (id: string | undefined, as: string) =>
    (await api.call({ url: `/v2/shipments/${id}`, key: as })).one().attributes['line_tracking_stopped_at']
  assert.notEqual(await stoppedAt(mine?.id, key), null)
  assert.equal(await stoppedAt(foreign?.id, foreignKey), null)
  const resume = await api.call({
    method: 'POST',
    url: '/v2/shipments/batch/resume_tracking',
    body: { data },
    key,
  })
  assert.deepEqual(statuses(resume), expected)
  assert.equal(await stoppedAt(mine?.id, key), null)
})
