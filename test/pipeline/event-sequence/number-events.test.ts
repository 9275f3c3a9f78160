import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { lockNumbering } from '../../../src/pipeline/event-sequence/event-sequence-sql.ts'
import { numberEvents } from '../../../src/pipeline/event-sequence/number-events.ts'
import { timeOfId } from '../../../src/platform/ids.ts'
import { eventually } from '../../support/eventually.ts'
import { atScale } from '../../support/scale.ts'
import type { TestService } from '../../support/service.ts'
import {
  announce,
  arrived,
  discharged,
  notificationRows,
  openBench,
  subscribe,
  uuid,
  writeEvents,
  writeEventsIn,
} from '../../support/webhooks-harness.ts'

let bench: TestService
before(async () => {
  bench = await openBench()
})
after(() => bench.close())

async function numbersOf(accountId: string): Promise<readonly { readonly sequence: number; readonly id: string }[]> {
  const { rows } = await bench.service.pool.query<{ sequence: number; id: string }>(
    'select sequence, id from events where account_id = $1 order by sequence',
    [accountId],
  )
  return rows
}

/** Events of a thousand shipments. */
async function writeMany(accountId: string, count: number): Promise<void> {
  await bench.service.pool.query(
    `insert into events (account_id, id, name, reference_type, reference_id, shipment_id, payload, created_at)
     select $1, gen_random_uuid(), $2, 'transport_event', gen_random_uuid(),
            ('00000000-0000-4000-8000-' || lpad((n % 1000)::text, 12, '0'))::uuid, '{}', now()
       from generate_series(1, $3) n`,
    [accountId, arrived, count],
  )
}

test('numbers the events of each account from one, in the order of writing', async () => {
  const one = await bench.newAccount()
  const two = await bench.newAccount()
  const shipmentId = uuid()
  const first = await writeEvents(bench.service, one, { shipmentId, names: [arrived, discharged] })
  const other = await writeEvents(bench.service, two, { shipmentId: uuid(), names: [arrived] })
  const second = await writeEvents(bench.service, one, { shipmentId, names: [arrived] })
  assert.equal(await numberEvents(bench.service), 4)
  const ids = [...first, ...second]
  assert.deepEqual(
    await numbersOf(one.account.id),
    ids.map((id, index) => ({ id, sequence: index + 1 })),
  )
  assert.deepEqual(await numbersOf(two.account.id), [{ id: other[0], sequence: 1 }])
  assert.equal(await numberEvents(bench.service), 0)
})

test('gives an event that commits late a later number, although it was written first', async () => {
  const context = await bench.newAccount()
  const client = await bench.service.pool.connect()
  await client.query('begin')
  const [late] = await writeEventsIn(client, context, { shipmentId: uuid(), names: [arrived] })
  const [early] = await writeEvents(bench.service, context, { shipmentId: uuid(), names: [arrived] })
  await numberEvents(bench.service)
  await client.query('commit')
  client.release()
  await numberEvents(bench.service)
  assert.deepEqual(await numbersOf(context.account.id), [
    { id: early, sequence: 1 },
    { id: late, sequence: 2 },
  ])
})

test('with concurrent writers and sequencers, a reader sees no gap and no late lower number', async () => {
  const context = await bench.newAccount()
  const shipments = Array.from({ length: 12 }, () => uuid())
  const written = new Map<string, string[]>()
  let isWriting = true
  const writers = shipments.map(async (shipmentId, index) => {
    const ids: string[] = []
    for (let round = 0; round < 20; round += 1) {
      const names = Array.from<unknown, typeof arrived>({ length: 1 + ((round + index) % 4) }, () => arrived)
      ids.push(...(await writeEvents(bench.service, context, { shipmentId, names })))
    }
    written.set(shipmentId, ids)
  })
  const sequencers = [1, 2].map(async () => {
    while (isWriting) if ((await numberEvents(bench.service)) === 0) await new Promise(setImmediate)
  })
  let seen = 0
  const reader = (async () => {
    while (isWriting) {
      const numbers = (await numbersOf(context.account.id)).map(({ sequence }) => sequence).filter(Boolean)
      assert.deepEqual(
        numbers,
        Array.from(numbers, (_, index) => index + 1),
        'a gap was visible',
      )
      assert.ok(numbers.length >= seen)
      seen = numbers.length
    }
  })()
  await Promise.all(writers)
  isWriting = false
  await Promise.all([...sequencers, reader])
  while ((await numberEvents(bench.service)) > 0);
  const all = await numbersOf(context.account.id)
  assert.equal(all.length, [...written.values()].flat().length)
  assert.deepEqual(
    all.map(({ sequence }) => sequence),
    Array.from(all, (_, index) => index + 1),
  )
  const place = new Map(all.map(({ id, sequence }) => [id, sequence]))
  for (const ids of written.values()) {
    const numbers = ids.map((id) => place.get(id) ?? 0)
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
      'a shipment lost its order',
    )
  }
})

test('an account with one event does not wait for another account with thousands', async (t) => {
  const [many, one] = (await Promise.all([bench.newAccount(), bench.newAccount()])).toSorted((a, b) =>
    a.account.id < b.account.id ? -1 : 1,
  )
  assert.ok(many && one)
  await writeMany(many.account.id, 5_000)
  await writeEvents(bench.service, one, { shipmentId: uuid(), names: [arrived] })
  const { mock } = t.mock.method(pg.Client.prototype, 'query')
  assert.equal(await numberEvents(bench.service), 5_001)
  const turns = mock.calls.flatMap(({ arguments: [asked] }) => {
    const { name = '', values = [] }: pg.QueryConfig = typeof asked === 'string' ? { text: asked } : asked
    return name === 'events_number' ? [values[0]] : []
  })
  assert.deepEqual(
    turns,
    [many, one, many, many].map(({ account }) => account.id),
  )
})

test('numbers events of other accounts while one account is being numbered', async () => {
  const [held, other] = (await Promise.all([bench.newAccount(), bench.newAccount()])).toSorted((a, b) =>
    a.account.id < b.account.id ? -1 : 1,
  )
  assert.ok(held && other)
  for (const context of [held, other])
    await writeEvents(bench.service, context, { shipmentId: uuid(), names: [arrived] })
  const client = await bench.service.pool.connect()
  await client.query('begin')
  await lockNumbering(client, [held.account.id])
  const numbering = numberEvents(bench.service)
  await eventually(async () => (await numbersOf(other.account.id))[0]?.sequence === 1)
  assert.equal((await numbersOf(held.account.id))[0]?.sequence, null)
  assert.deepEqual(await lockNumbering(bench.service.pool, [held.account.id]), [])
  await client.query('commit')
  client.release()
  assert.equal(await numbering, 2)
  assert.equal((await numbersOf(held.account.id))[0]?.sequence, 1)
})

test('numbering waits while an earlier version of the program numbers the events of all accounts', async () => {
  const context = await bench.newAccount()
  await writeEvents(bench.service, context, { shipmentId: uuid(), names: [arrived] })
  const client = await bench.service.pool.connect()
  await client.query('begin; select pg_advisory_xact_lock(7361204)')
  const numbering = numberEvents(bench.service)
  await eventually(async () => {
    const { rows } = await bench.service.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
    )
    return rows.length > 0
  })
  assert.equal((await numbersOf(context.account.id))[0]?.sequence, null)
  await client.query('commit')
  client.release()
  assert.equal(await numbering, 1)
})

test('a numbering that is rolled back leaves no gap and no notification', async () => {
  const context = await bench.newAccount()
  await subscribe(bench.service, context, { url: 'https://example.com/hook' })
  const [id] = await writeEvents(bench.service, context, { shipmentId: uuid(), names: [arrived] })
  const broken = { ...bench.service, clock: { now: () => Number.NaN } }
  await assert.rejects(numberEvents(broken))
  assert.deepEqual(await numbersOf(context.account.id), [{ id, sequence: null }])
  assert.equal(await numberEvents(bench.service), 1)
  assert.deepEqual(await numbersOf(context.account.id), [{ id, sequence: 1 }])
})

test('announces an event once to each active webhook subscribed to its name, under an id that contains the time', async () => {
  const context = await bench.newAccount()
  const stranger = await bench.newAccount()
  const wanting = await subscribe(bench.service, context, { url: 'https://example.com/a' })
  await subscribe(bench.service, context, { url: 'https://example.com/b', events: [discharged] })
  const off = await subscribe(bench.service, context, { url: 'https://example.com/c' })
  await bench.service.pool.query('update webhooks set is_active = false where id = $1', [off.id])
  await subscribe(bench.service, stranger, { url: 'https://example.com/d' })
  const before = await notificationRows(bench.service)
  const [eventId = ''] = await announce(bench.service, context, [arrived])
  await numberEvents(bench.service)
  const known = new Set(before.map(({ id }) => id))
  const made = (await notificationRows(bench.service)).filter(({ id }) => !known.has(id))
  assert.deepEqual(
    made.map(({ id, webhook_id, event_id, sequence }) => ({ id, webhook_id, event_id, sequence })),
    [{ id: made[0]?.id, webhook_id: wanting.id, event_id: eventId, sequence: 1 }],
  )
  assert.equal(timeOfId(made[0]?.id ?? ''), bench.clock.now())
})

test('sends corrections only to webhooks that subscribed to them by name', async () => {
  const context = await bench.newAccount()
  const all = await subscribe(bench.service, context, { url: 'https://example.com/all', events: [arrived] })
  const named = await subscribe(bench.service, context, {
    url: 'https://example.com/named',
    events: ['container.transport.corrected', 'container.transport.retracted'],
  })
  await announce(bench.service, context, ['container.transport.corrected', 'container.transport.retracted'])
  const made = await notificationRows(bench.service)
  assert.equal(made.filter(({ webhook_id }) => webhook_id === all.id).length, 0)
  assert.equal(made.filter(({ webhook_id }) => webhook_id === named.id).length, 2)
})

test('numbers and announces the events of one account in batches of a thousand', async (t) => {
  const context = await bench.newAccount()
  await subscribe(bench.service, context, { url: 'https://example.com/rate' })
  const total = atScale(10_000, 4_000)
  await writeMany(context.account.id, total)
  const { mock } = t.mock.method(pg.Client.prototype, 'query')
  assert.equal(await numberEvents(bench.service), total)
  assert.ok(mock.callCount() < total / 100, `${mock.callCount()} statements`)
})
