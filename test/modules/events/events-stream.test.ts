import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { after, afterEach, before, test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createOpenStreams } from '../../../src/api/callers/open-streams.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { signUpFirst, tokenIn } from '../../support/person.ts'
import { type Seeded, seededAt, seedShipment } from '../../support/seed.ts'
import { announce, arrived, discharged } from '../../support/webhooks-harness.ts'
import { listen, openStream, type Stream } from './events-reader.ts'

let api: TestApi
let seeded: Seeded
let base: string
const streams: Stream[] = []
before(async () => {
  const env = { LANDFALL_FEED_STREAMS_MAX: '2', LANDFALL_FEED_HEARTBEAT_SECONDS: '0.2' }
  api = await openTestApi({ startAt: seededAt, env })
  seeded = await seedShipment(api)
  base = await listen(api)
})
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.leave()
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

async function open(asked: Parameters<typeof openStream>[1]): Promise<Stream> {
  const stream = await openStream(base, asked)
  streams.push(stream)
  return stream
}
async function newReader() {
  const context = await api.newAccount()
  return { context, key: await api.newKey(context, ['read']) }
}
const names = (count: number) => Array.from({ length: count }, (_, index) => (index % 2 === 0 ? arrived : discharged))

test('a stream sends every event from the first on, like the pages, and continues with new ones', async () => {
  const page = (await api.call({ url: '/v2/events?limit=1000' })).many()
  const stream = await open({ key: api.key })
  assert.equal(stream.status, 200)
  assert.equal(stream.headers['content-type'], 'text/event-stream')
  assert.equal(stream.headers['x-accel-buffering'], 'no')
  assert.match(String(stream.headers['cache-control']), /no-store/)
  assert.ok(stream.headers['x-request-id'])
  for (const event of page) {
    const received = await stream.next()
    assert.deepEqual(received, {
      id: event.attributes['sequence'],
      event: event.attributes['event'],
      document: { data: event },
    })
  }
  const [id] = await announce(api.service, api.context, [arrived])
  const received = await stream.next()
  assert.equal(received.document.data.id, id)
  assert.equal(received.id, page.length + 1)
})

test('each streamed event includes only its own related resources', async () => {
  const stream = await open({
    key: api.key,
    query: '?include=reference_object,shipment&filter[event]=container.created',
  })
  const seen = [await stream.next(), await stream.next()]
  for (const { document } of seen) {
    const { reference_object, shipment } = document.data.relationships ?? {}
    assert.deepEqual(
      document.included?.map(({ type, id }) => ({ type, id })),
      [reference_object?.data, shipment?.data],
    )
  }
})

test('Last-Event-ID continues after the last received event, and is used instead of `after`', async () => {
  const { context, key } = await newReader()
  await announce(api.service, context, names(5))
  const fresh = await open({ key, query: '?after=3' })
  assert.equal((await fresh.next()).id, 4)
  const again = await open({ key, query: '?after=0', headers: { 'last-event-id': '4' } })
  assert.equal((await again.next()).id, 5)
})

test('a filtered stream sends matching events, and its heartbeats advance past the skipped events', async () => {
  const { context, key } = await newReader()
  await announce(api.service, context, names(4))
  const stream = await open({ key, query: `?filter[event]=${discharged}` })
  assert.deepEqual([(await stream.next()).id, (await stream.next()).id], [2, 4])
  await announce(api.service, context, [arrived])
  for await (const block of stream.blocks) {
    assert.equal(block.data, null)
    if (block.comment === 'heartbeat' && block.id === '5') break
  }
})

test('limits the open streams of an account; closing one allows another', async () => {
  const { key } = await newReader()
  const [first] = [await open({ key }), await open({ key })]
  const refused = await open({ key })
  assert.equal(refused.status, 429)
  assert.match(String(refused.headers['retry-after']), /^\d+$/)
  const other = await newReader()
  assert.equal((await open(other)).status, 200)
  first?.leave()
  for (let status = 429; status !== 200; ) status = (await open({ key })).status
})

test('a client that disconnects releases all resources', async () => {
  const { key } = await newReader()
  const happened = (name: string) => api.logged().filter(({ event }) => event === name).length
  const isClosed = async () => {
    while (happened('stream.closed') < happened('stream.opened')) await new Promise(setImmediate)
  }
  const stream = await open({ key })
  await stream.blocks.next()
  assert.ok(happened('stream.closed') < happened('stream.opened'))
  stream.leave()
  await isClosed()
  const { pool } = api.service
  while (pool.idleCount < pool.totalCount) await new Promise(setImmediate)
  assert.ok(!api.logged().some(({ event }) => event === 'request.crashed'))
})

test('a revoked key ends its own streams at the next check, and no others', async () => {
  const { context, key } = await newReader()
  const other = await api.newKey(context, ['read'])
  const [revoked, kept] = [await open({ key }), await open({ key: other })]
  await api.service.pool.query('update api_keys set revoked_at = now() where last_four = $1 and account_id = $2', [
    key.slice(-4),
    context.account.id,
  ])
  api.clock.advance(5_000)
  for await (const { data } of revoked.blocks) assert.equal(data, null)
  assert.equal((await open({ key })).status, 401)
  await announce(api.service, context, [arrived])
  assert.equal((await kept.next()).id, 1)
})

test('a client that reads nothing uses a bounded buffer, and gets everything when it reads again', async () => {
  const { context, key } = await newReader()
  const total = 20_000
  await api.service.pool.query(
    `insert into events (account_id, id, sequence, name, reference_type, reference_id, payload, created_at)
     select $1, gen_random_uuid(), n, $2, 'transport_event', gen_random_uuid(), '{}', now()
       from generate_series(1, $3) n`,
    [context.account.id, arrived, total],
  )
  await api.service.pool.query('insert into event_counters values ($1, $2)', [context.account.id, total])
  let reads = 0
  const { query } = api.service.pool
  api.service.pool.query = ((...given: unknown[]) => {
    if ((given[0] as { readonly name?: string }).name === 'read_events_after') reads += 1
    return (query as (...args: unknown[]) => unknown).apply(api.service.pool, given)
  }) as typeof query
  try {
    const stream = await open({ key })
    stream.response.pause()
    // Other clients are served in the meantime. When the server reads no more for this client, its buffers are full.
    for (let seen = -1; seen !== reads; ) {
      seen = reads
      for (let turn = 0; turn < 20; turn += 1) await api.call({ url: '/v2/events?limit=1' })
      reads -= 20
    }
    assert.ok(reads < total / 200 / 2, `${reads} reads of 200 events while nothing was taken`)
    for (let number = 1; number <= total; number += 1) assert.equal((await stream.next()).id, number)
  } finally {
    api.service.pool.query = query
  }
})

test('disconnects a client that reads nothing for too long, but not one that reads', async () => {
  const streams = createOpenStreams(api.service, { checkMs: 10, stalledMs: 50 })
  const hold = (needsDrain: boolean) => {
    const raw = new PassThrough()
    Object.defineProperty(raw, 'writableNeedDrain', { value: needsDrain })
    const request = { headers: { authorization: `Token ${api.key}` }, getDecorator: () => api }
    streams.open(request as unknown as FastifyRequest, { raw } as unknown as FastifyReply)
    return raw
  }
  const [taking, stalled] = [hold(false), hold(true)]
  await once(stalled, 'close')
  assert.equal(taking.destroyed, false)
  await streams.endAll()
  assert.equal(taking.destroyed, true)
})

test('a stream sends an event although the database connection for notifications was cut', async () => {
  const { context, key } = await newReader()
  const stream = await open({ key })
  await stream.blocks.next()
  const cut = async () =>
    (
      await api.service.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and query like 'listen %'`,
      )
    ).rowCount
  while ((await cut()) === 0) await new Promise(setImmediate)
  await announce(api.service, context, [arrived])
  assert.equal((await stream.next()).id, 1)
  await announce(api.service, context, [arrived])
  assert.equal((await stream.next()).id, 2)
})

test('a temporary outage of the database ends no stream', async () => {
  const { context, key } = await newReader()
  const stream = await open({ key })
  await stream.blocks.next()
  const { pool } = api.service
  const { query } = pool
  let failed = 0
  pool.query = ((...given: unknown[]) => {
    if (!String((given[0] as { readonly name?: string }).name).startsWith('read_'))
      return (query as (...args: unknown[]) => unknown).apply(pool, given)
    failed += 1
    return Promise.reject(Object.assign(new Error('terminating connection'), { code: '57P01' }))
  }) as typeof query
  const announced = announce(api.service, context, [arrived])
  while (failed === 0) await stream.blocks.next()
  pool.query = query
  await announced
  assert.equal((await stream.next()).id, 1)
})

test('stopping the server ends streams and long polls at once, also unread ones', async () => {
  const other = await openTestApi({ startAt: seededAt })
  const theirs = await other.newAccount()
  const key = await other.newKey(theirs, ['read'])
  const at = await listen(other)
  const stream = await openStream(at, { key })
  await stream.blocks.next()
  const waiting = fetch(`${at}/v2/events?wait=60`, { headers: { authorization: `Token ${key}` } })
  const deaf = connect(Number(new URL(at).port), '127.0.0.1')
  deaf.pause()
  deaf.write(`GET /v2/events HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\nauthorization: Token ${key}\r\n\r\n`)
  deaf.on('error', () => {})
  const third = await openStream(at, { key })
  await third.blocks.next()
  const closing = other.close()
  assert.equal((await stream.blocks.next()).done, true)
  const answer = await waiting
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('connection'), 'close', 'ended by the server, before its time was over')
  assert.deepEqual(((await answer.json()) as { data: unknown[] }).data, [])
  await closing
  if (!deaf.destroyed) {
    deaf.resume()
    await once(deaf, 'close')
  }
})

test('the stream of a person continues while they are signed in, and ends when they sign out', async () => {
  const account = await api.newAccount()
  const person = await signUpFirst(api, { key: await api.newKey(account, ['read', 'write']) })
  const token = tokenIn((await person.open('/account')).text)
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const stream = await open({ key: null, headers: { cookie, 'x-landfall-session': token } })
  assert.equal(stream.status, 200)
  // Longer than from one check to the next.
  const heartbeats = 3_000 / 200
  for (let beats = 0; beats < heartbeats; beats += 1) assert.notEqual((await stream.blocks.next()).done, true)
  await announce(api.service, account, [arrived])
  assert.equal((await stream.next()).event, arrived)
  await person.send('/sign-out', {}, { token })
  for await (const { data } of stream.blocks) assert.equal(data, null)
})
