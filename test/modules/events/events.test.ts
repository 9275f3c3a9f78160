import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { numberEvents } from '../../../src/pipeline/event-sequence/number-events.ts'
import { openTestApi, type TestApi, type WireResource } from '../../support/api.ts'
import { type Seeded, seededAt, seedShipment } from '../../support/seed.ts'
import { announce, arrived, discharged, uuid, writeEvents } from '../../support/webhooks-harness.ts'

let api: TestApi
let seeded: Seeded
before(async () => {
  api = await openTestApi({ startAt: seededAt, env: { LANDFALL_FEED_STREAMS_MAX: '3' } })
  seeded = await seedShipment(api)
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

const numbersOf = (events: readonly WireResource[]) => events.map(({ attributes }) => attributes['sequence'])
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
const related = (event: WireResource | undefined, name: string) =>
  event?.relationships?.[name]?.data as { readonly type: string; readonly id: string } | null
/** An account of its own, with this many events. */
async function accountWith(count: number) {
  const context = await api.newAccount()
  const key = await api.newKey(context, ['read'])
  if (count > 0)
    await announce(
      api.service,
      context,
      Array.from({ length: count }, (_, index) => (index % 2 === 0 ? arrived : discharged)),
    )
  return { context, key }
}

describe('a page of the feed', () => {
  test('lists every event in order of number, up to the last event of the account', async () => {
    const answer = await api.call({ url: '/v2/events' })
    const events = answer.many()
    assert.ok(events.length > 20)
    assert.deepEqual(numbersOf(events), upTo(events.length))
    assert.deepEqual(answer.body.meta, { last_sequence: events.length, size: events.length })
    assert.match(String(answer.body.links?.['next']), new RegExp(`/v2/events\\?after=${events.length}$`))
    const { rows } = await api.service.pool.query<{ id: string; name: string }>(
      'select id, name from events where account_id = $1 order by sequence',
      [api.context.account.id],
    )
    assert.deepEqual(
      events.map(({ id, attributes }) => ({ id, name: attributes['event'] })),
      rows,
    )
  })

  test('leads through its next links to every event once, and finally to an empty page', async () => {
    const all = (await api.call({ url: '/v2/events?limit=1000' })).many()
    const read: WireResource[] = []
    for (let url = '/v2/events?limit=7'; ; ) {
      const answer = await api.call({ url })
      read.push(...answer.many())
      assert.equal(answer.body.meta?.['last_sequence'], all.length)
      const next = new URL(String(answer.body.links?.['next']))
      url = next.pathname + next.search
      if (answer.many().length === 0) break
      assert.equal(Number(next.searchParams.get('after')), numbersOf(answer.many()).at(-1))
      assert.equal(next.searchParams.get('limit'), '7')
    }
    assert.deepEqual(read, all)
  })

  test('names the subject resource of each event, and includes it on request', async () => {
    const answer = await api.call({
      url: '/v2/events?limit=1000&include=reference_object.vessel,shipment.port_of_lading,container,tracking_request',
    })
    const included = new Set(answer.body.included?.map(({ type, id }) => `${type} ${id}`))
    const types = new Set<unknown>()
    for (const event of answer.many()) {
      const { reference_type: type, event: name } = event.attributes
      types.add(type)
      assert.equal(related(event, 'reference_object')?.type, type)
      for (const relation of ['reference_object', 'shipment', 'container', 'tracking_request']) {
        const to = related(event, relation)
        if (to !== null) assert.ok(included.has(`${to.type} ${to.id}`), `${name} ${relation}`)
      }
      if (String(name).startsWith('container.')) {
        assert.ok(seeded.containerIds.includes(related(event, 'container')?.id ?? ''), String(name))
        assert.equal(related(event, 'shipment')?.id, seeded.shipmentId)
      }
    }
    for (const type of ['transport_event', 'tracking_request', 'container_created_event'])
      assert.ok(types.has(type), `${type} of ${[...types]}`)
    assert.ok([...included].some((each) => each.startsWith('port ')))
    assert.ok([...included].some((each) => each.startsWith('vessel ')))
  })

  test('is filtered by name, shipment, container and request, and next skips the other events', async () => {
    const all = (await api.call({ url: '/v2/events?limit=1000' })).many()
    const last = all.length
    const [containerId = ''] = seeded.containerIds
    const narrowed: readonly (readonly [string, (event: WireResource) => boolean])[] = [
      [
        `filter[event]=${arrived},${discharged}`,
        ({ attributes }) => [arrived, discharged].includes(String(attributes['event'])),
      ],
      [`filter[shipment_id]=${seeded.shipmentId}`, (event) => related(event, 'shipment') !== null],
      [`filter%5Bcontainer_id%5D=${containerId}`, (event) => related(event, 'container')?.id === containerId],
      [
        `filter[container_id]=${containerId}&filter[event]=${arrived}`,
        (event) => related(event, 'container')?.id === containerId && event.attributes['event'] === arrived,
      ],
      [
        `filter[tracking_request_id]=${seeded.trackingRequestId}`,
        (event) => related(event, 'tracking_request')?.id === seeded.trackingRequestId,
      ],
    ]
    for (const [filter, isWanted] of narrowed) {
      const answer = await api.call({ url: `/v2/events?limit=1000&${filter}` })
      const wanted = all.filter(isWanted)
      assert.ok(wanted.length > 0, filter)
      assert.deepEqual(answer.many(), wanted, filter)
      assert.equal(new URL(String(answer.body.links?.['next'])).searchParams.get('after'), String(last))
      const one = await api.call({ url: `/v2/events?limit=1&${filter}` })
      assert.deepEqual(one.many(), wanted.slice(0, 1))
      const next = new URL(String(one.body.links?.['next'])).searchParams.get('after')
      assert.equal(Number(next), wanted[0]?.attributes['sequence'])
    }
    const none = await api.call({ url: `/v2/events?filter[shipment_id]=${uuid()}` })
    assert.deepEqual(none.body.meta, { last_sequence: last, size: 0 })
  })

  test('shows only the requested fields', async () => {
    const [event] = (await api.call({ url: '/v2/events?limit=1&fields[event]=sequence' })).many()
    assert.deepEqual(event?.attributes, { sequence: 1 })
    assert.equal(event?.relationships, undefined)
  })

  test('does not contain an event that is not numbered yet', async () => {
    const { context, key } = await accountWith(2)
    await writeEvents(api.service, context, { shipmentId: uuid(), names: [arrived] })
    assert.deepEqual(numbersOf((await api.call({ url: '/v2/events', key })).many()), [1, 2])
    await numberEvents(api.service)
    assert.deepEqual(numbersOf((await api.call({ url: '/v2/events', key })).many()), [1, 2, 3])
  })

  test('contains no events of another account, whatever the parameters', async () => {
    const { key } = await accountWith(2)
    for (const filter of [
      '',
      `&filter[shipment_id]=${seeded.shipmentId}`,
      `&filter[container_id]=${seeded.containerIds[0]}`,
      `&filter[tracking_request_id]=${seeded.trackingRequestId}`,
    ]) {
      const answer = await api.call({ url: `/v2/events?limit=1000${filter}`, key })
      assert.equal(answer.many().length, filter === '' ? 2 : 0, filter)
      assert.equal(answer.body.meta?.['last_sequence'], 2)
    }
  })
})

test('an invalid query parameter of the event feed is refused, and the error names the parameter', async () => {
  const { key } = await accountWith(3)
  const bad: readonly (readonly [string, string, number])[] = [
    ['after=-1', 'after', 422],
    ['after=x', 'after', 422],
    ['after=4', 'after', 422],
    ['after=9007199254740993', 'after', 422],
    ['limit=0', 'limit', 422],
    ['limit=1001', 'limit', 422],
    ['limit=1.5', 'limit', 422],
    ['wait=61', 'wait', 422],
    ['filter[event]=container.sank', 'filter[event]', 422],
    ['filter[shipment_id]=1', 'filter[shipment_id]', 422],
    ['filter[ship]=1', 'filter[ship]', 400],
    ['include=captain', 'include', 400],
  ]
  for (const [query, parameter, status] of bad) {
    const refused = await api.call({ url: `/v2/events?${query}`, key })
    assert.equal(refused.status, status, query)
    assert.equal(refused.error().source?.parameter, parameter, query)
  }
  assert.equal((await api.call({ url: '/v2/events?after=3', key })).status, 200)
  const asStream = { accept: 'text/event-stream' }
  const ahead = await api.call({ url: '/v2/events?after=4', key, headers: asStream })
  assert.equal(ahead.error().source?.parameter, 'after')
  const odd = await api.call({ url: '/v2/events', key, headers: { ...asStream, 'last-event-id': 'x' } })
  assert.equal(odd.status, 400)
  assert.equal((await api.call({ url: '/v2/events', key, headers: { accept: 'text/html' } })).status, 406)
  assert.equal((await api.call({ url: '/v2/shipments', key, headers: asStream })).status, 406)
  assert.equal((await api.call({ url: '/v2/events', key: null, headers: asStream })).status, 401)
})

test('a HEAD request for events is answered at once, for the JSON page and for the stream', async () => {
  const { key } = await accountWith(0)
  const ask = (accept: string) =>
    api.app.inject({
      method: 'HEAD',
      url: '/v2/events?wait=60',
      headers: { authorization: `Token ${key}`, accept },
    })
  assert.equal((await ask('application/json')).statusCode, 200)
  assert.equal((await ask('text/event-stream')).headers['content-type'], 'text/event-stream')
})

describe('long polling', () => {
  const wait = (key: string, query = '') => api.call({ url: `/v2/events?wait=60${query}`, key })

  test('answers at once when there are events', async () => {
    const { key } = await accountWith(2)
    assert.deepEqual(numbersOf((await wait(key)).many()), [1, 2])
    assert.deepEqual(numbersOf((await wait(key, '&after=1')).many()), [2])
  })

  test('answers when an event is numbered, with that event and none of another account', async () => {
    const { context, key } = await accountWith(1)
    const stranger = await accountWith(1)
    let isOver = false
    const longer = wait(key, `&after=1&filter[event]=${arrived}`).finally(() => {
      isOver = true
    })
    const waiting = wait(key, '&after=1')
    await announce(api.service, stranger.context, [arrived])
    const [id] = await announce(api.service, context, [discharged])
    const answer = await waiting
    assert.equal(isOver, false, 'one that waited before it still waits: it was not the time that was over')
    await announce(api.service, context, [arrived])
    assert.deepEqual(numbersOf((await longer).many()), [3])
    assert.deepEqual(
      answer.many().map((event) => event.id),
      [id],
    )
    assert.equal(answer.body.meta?.['last_sequence'], 2)
  })

  test('continues past events that do not match the filter', async () => {
    const { context, key } = await accountWith(0)
    const waiting = wait(key, `&filter[event]=${discharged}`)
    await announce(api.service, context, [arrived])
    await announce(api.service, context, [arrived, discharged])
    assert.deepEqual(numbersOf((await waiting).many()), [3])
  })

  test('answers empty when no event came, and next continues from there', async () => {
    const { key } = await accountWith(2)
    const answer = await api.call({ url: '/v2/events?wait=1&after=2', key })
    assert.deepEqual(answer.many(), [])
    assert.match(String(answer.body.links?.['next']), /\?wait=1&after=2$/)
  })

  test('limits the open requests of an account; an answered one allows another', async () => {
    const { context, key } = await accountWith(0)
    const stranger = await accountWith(0)
    const four = [1, 2, 3, 4].map(() => wait(key))
    const refused = await Promise.race(four)
    assert.equal(refused.status, 429)
    assert.match(String(refused.headers['retry-after']), /^\d+$/)
    assert.equal((await api.call({ url: '/v2/events?wait=1', key: stranger.key })).status, 200)
    await announce(api.service, context, [arrived])
    const answered = (await Promise.all(four)).filter((answer) => answer !== refused)
    for (const answer of answered) assert.deepEqual(numbersOf(answer.many()), [1])
    assert.equal((await wait(key)).status, 200)
  })
})
