// Links for typed clients: each relationship that the contract fills has `data`, read by one statement for any
// number of rows. The resources that are always included are exactly those that the relationships name.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import Jsona from 'jsona'
import { listKinds } from '../../src/api/json-api/find-kind.ts'
import { findFinder } from '../../src/api/json-api/finders.ts'
import { type Answer, openTestApi, type TestApi, type WireResource } from '../support/api.ts'
import { type Seeded, seededAt, seedShipment } from '../support/seed.ts'

let api: TestApi
let seeded: Seeded
let shipmentUrl: string
let containerUrl: string

before(async () => {
  api = await openTestApi({ startAt: seededAt })
  seeded = await seedShipment(api)
  shipmentUrl = `/v2/shipments/${seeded.shipmentId}`
  containerUrl = `/v2/containers/${seeded.containerIds[0]}`
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

const get = (url: string) => api.call({ url })
const dataOf = (resource: WireResource | undefined, name: string) => resource?.relationships?.[name]?.data
const idsOf = (resource: WireResource | undefined, name: string) =>
  (dataOf(resource, name) as readonly { readonly id: string }[]).map(({ id }) => id)
const selfOf = (resource: WireResource | undefined) =>
  (resource as unknown as { readonly links?: { readonly self?: string } }).links?.self ?? ''
const model = (answer: Answer) => new Jsona().deserialize(JSON.parse(answer.text))

test('every relation that a resource names can be included', () => {
  const never = [
    'email_submission.user', // a sender of e-mail is no user of the account
    'route_location.route', // the route itself is asked for
  ]
  const lacking = listKinds().flatMap(({ type, relations }) =>
    Object.keys(relations).flatMap((name) => (findFinder(type, name) === null ? `${type}.${name}` : [])),
  )
  assert.deepEqual(lacking.toSorted(), never)
})

/** The names of the statements that a request needs, without those of its rate limit. */
async function statementsOf(url: string): Promise<readonly string[]> {
  const statements: string[] = []
  const { query } = api.service.pool
  api.service.pool.query = ((...given: unknown[]) => {
    statements.push((given[0] as { name?: string }).name ?? 'for this very question')
    return (query as (...args: unknown[]) => unknown).apply(api.service.pool, given)
  }) as typeof query
  try {
    assert.equal((await get(url)).status, 200)
  } finally {
    api.service.pool.query = query
  }
  return statements.filter((name) => !name.startsWith('rate_limits'))
}

/** Claims of one of the seeded containers in addition to its own. */
async function sayMore(count: number): Promise<void> {
  await api.service.pool.query(
    `insert into claims (account_id, id, subject_id, source_kind, source_code, source_key, equipment, observation,
                         reader, read_at, recorded_at)
     select account_id, gen_random_uuid(), subject_id, source_kind, source_code, 'more ' || n, equipment,
            jsonb_set(observation, '{original}', to_jsonb('more ' || n)) || '{"code":null}', reader, read_at, recorded_at + n * interval '1 day'
       from (select * from claims where equipment = $1 and observation ->> 'kind' = 'event' limit 1) c,
            generate_series(1, $2::int) n`,
    [seeded.numbers[1], count],
  )
}

describe('resources', () => {
  test('a shipment and a tracking request have a self link, wherever they are sent', async () => {
    const answers = [
      await get(`${shipmentUrl}?fields[shipment]=tags`),
      await get('/v2/shipments'),
      await get(`/v2/tracking_requests/${seeded.trackingRequestId}`),
      await get('/v2/tracking_requests'),
      await get(`${containerUrl}?include=shipment`),
      await api.call({ method: 'PATCH', url: shipmentUrl, body: { data: { attributes: { tags: ['x'] } } } }),
    ]
    for (const { body } of answers) {
      const all = [body.data, body.included ?? []].flat() as readonly WireResource[]
      const found = all.filter(({ type }) => type === 'shipment' || type === 'tracking_request')
      assert.ok(found.length > 0)
      for (const each of found) {
        assert.match(selfOf(each), new RegExp(`^http://.+/v2/${each.type}s/${each.id}$`))
        assert.equal((await get(new URL(selfOf(each)).pathname)).one().id, each.id)
      }
    }
  })

  test('a shipment always links its terminals, or null if they are unknown', async () => {
    const answer = await get(`${shipmentUrl}?include=pod_terminal`)
    const terminal = dataOf(answer.one(), 'pod_terminal')
    assert.equal((terminal as { readonly type: string }).type, 'terminal')
    for (const url of [shipmentUrl, '/v2/shipments', `${containerUrl}?include=shipment`]) {
      const { body } = await get(url)
      const all = [body.data, body.included ?? []].flat() as readonly WireResource[]
      const shipment = all.find(({ type }) => type === 'shipment')
      assert.deepEqual(dataOf(shipment, 'pod_terminal'), terminal, url)
      assert.equal(dataOf(shipment, 'destination_terminal'), null, url)
    }
  })

  test('a container links all events of its event lists in every answer that contains it', async () => {
    const events = (await get(`${containerUrl}/transport_events?page[size]=100`)).many().map(({ id }) => id)
    const raw = (await get(`${containerUrl}/raw_events?page[size]=100`)).many().map(({ id }) => id)
    assert.ok(events.length > 5 && raw.length > 5)
    const patched = await api.call({
      method: 'PATCH',
      url: containerUrl,
      body: { data: { attributes: { ref_numbers: ['A'] } } },
    })
    const answers = [
      await get(containerUrl),
      patched,
      await get('/v2/containers'),
      await get(`${shipmentUrl}?include=containers`),
      await get('/v2/tracking_requests?include=container'),
    ]
    for (const { body } of answers) {
      const all = [body.data, body.included ?? []].flat() as readonly WireResource[]
      const box = all.find(({ id }) => id === seeded.containerIds[0])
      assert.deepEqual(idsOf(box, 'transport_events'), events)
      assert.deepEqual(idsOf(box, 'raw_events').toSorted(), raw.toSorted())
    }
  })

  test('one SQL statement reads the event links of all containers of a page', async () => {
    assert.deepEqual(await statementsOf('/v2/containers'), ['for this very question', 'read_event_ids'])
    assert.deepEqual(await statementsOf('/v2/shipments?include=containers'), [
      'for this very question',
      'read_containers_of_shipments',
      'read_shipment_facilities',
      'read_event_ids',
    ])
    assert.deepEqual(await statementsOf('/v2/containers?fields[container]=number,shipment'), ['for this very question'])
  })

  test('a container with more than a hundred raw events links only the newest hundred', async () => {
    await sayMore(150)
    const url = `/v2/containers/${seeded.containerIds[1]}`
    const rawOf = (answer: Answer) =>
      answer.one().relationships?.['raw_events'] as unknown as {
        readonly data: readonly { readonly id: string }[]
        readonly links: { readonly related: string }
        readonly meta?: unknown
      }
    const relation = rawOf(await get(url))
    assert.equal(relation.data.length, 100)
    assert.deepEqual(relation.meta, { has_more: true })
    const { rows } = await api.service.pool.query(
      `select source_key as key from claims where id = any($1) order by recorded_at desc`,
      [relation.data.map(({ id }) => id)],
    )
    assert.equal(rows[0]?.key, 'more 150')
    const list = await get(`${new URL(relation.links.related).pathname}?page[size]=100`)
    assert.ok(Number(list.body.meta?.['total']) > 150)
    const included = await get(`${url}?include=raw_events`)
    assert.equal(idsOf(included.one(), 'raw_events').length, list.body.meta?.['total'])
    assert.equal(rawOf(included).meta, undefined)
    assert.equal(rawOf(await get(containerUrl)).meta, undefined)
  })

  test('a custom field definition links its fields and options, and a port links its terminals', async () => {
    const definition = await api.call({
      method: 'POST',
      url: '/v2/custom_field_definitions',
      body: {
        data: {
          type: 'custom_field_definition',
          attributes: {
            entity_type: 'Shipment',
            api_slug: 'mood',
            display_name: 'Mood',
            data_type: 'short_text',
          },
        },
      },
    })
    assert.deepEqual(dataOf(definition.one(), 'fields'), [])
    assert.deepEqual(dataOf(definition.one(), 'options'), [])
    const url = `/v2/custom_field_definitions/${definition.one().id}`
    const field = await api.call({
      method: 'POST',
      url: `${shipmentUrl}/custom_fields`,
      body: { data: { type: 'custom_field', attributes: { api_slug: 'mood', value: 'fine' } } },
    })
    for (const answer of [await get(url), await get('/v2/custom_field_definitions')]) {
      const [found] = [answer.body.data].flat() as readonly WireResource[]
      assert.deepEqual(idsOf(found, 'fields'), [field.one().id])
      assert.deepEqual(dataOf(found, 'options'), [])
    }
    const gone = await api.call({ method: 'DELETE', url })
    assert.deepEqual(dataOf(gone.one(), 'fields'), [])

    const port = await get('/v2/ports/USLAX?include=terminals')
    const unasked = (await get('/v2/ports/USLAX')).one()
    assert.ok(idsOf(unasked, 'terminals').length > 3)
    assert.deepEqual(idsOf(unasked, 'terminals'), idsOf(port.one(), 'terminals'))
  })

  test('a container links no event of another account', async () => {
    const key = await api.newKey(await api.newAccount(), ['read', 'write'])
    const theirs = await seedShipment(api, { key, carrier: seeded.carrier })
    const own = (await get(containerUrl)).one()
    const other = await api.call({ url: `/v2/containers/${theirs.containerIds[0]}`, key })
    for (const relation of ['transport_events', 'raw_events']) {
      const ids = idsOf(other.one(), relation)
      assert.ok(ids.length > 0)
      assert.deepEqual(
        ids.filter((id) => idsOf(own, relation).includes(id)),
        [],
      )
    }
  })
})

describe('events of a container', () => {
  for (const list of ['transport_events', 'raw_events'])
    test(`${list} are paged, with totals and links, and include their vessels, ports and terminals`, async () => {
      const url = `${containerUrl}/${list}`
      const whole = await get(`${url}?page[size]=100`)
      const all = whole.many().map(({ id }) => id)
      assert.equal(whole.body.meta?.['total'], all.length)
      assert.equal(whole.body.meta?.['size'], all.length)
      const types = new Set(whole.body.included?.map(({ type }) => type))
      assert.deepEqual([...types].toSorted(), ['port', 'terminal', 'vessel'])

      const walked: string[] = []
      let next: string | undefined = `${url}?page[size]=3`
      while (next !== undefined) {
        const page: Answer = await get(next)
        walked.push(...page.many().map(({ id }) => id))
        assert.equal(page.body.meta?.['total'], all.length)
        const link = page.body.links?.['next']
        next = link === undefined ? undefined : new URL(link).pathname + new URL(link).search
      }
      assert.deepEqual(walked, all)

      const beyond = await get(`${url}?page[number]=99`)
      assert.deepEqual(beyond.many(), [])
      assert.equal(beyond.body.meta?.['total'], all.length)
      const wrong = await get(`${url}?page[size]=0`)
      assert.equal(wrong.status, 422)
      assert.equal(wrong.error().source?.parameter, 'page[size]')
      const alone = await get(`${url}?include=container`)
      assert.deepEqual(
        alone.body.included?.map(({ type }) => type),
        ['container'],
      )
    })
})

describe('GET /v2/tracking_requests/:id', () => {
  const url = () => `/v2/tracking_requests/${seeded.trackingRequestId}`

  test('accepts the filters of the list and ignores them', async () => {
    const bare = await get(url())
    const filtered = await get(`${url()}?filter[status]=failed&filter[created_at][start]=x&q=none`)
    assert.equal(filtered.one().id, bare.one().id)
    assert.deepEqual(filtered.body.data, bare.body.data)
  })

  test('refuses filters that the list does not have', async () => {
    const unknown = await get(`${url()}?filter[weather]=fine`)
    assert.equal(unknown.status, 400)
    assert.equal(unknown.error().source?.parameter, 'filter[weather]')
    const changed = await api.call({ method: 'PATCH', url: `${url()}?filter[status]=failed`, body: {} })
    assert.equal(changed.status, 400)
  })
})

describe('a client that follows relationship links', () => {
  test('finds every event of the containers of a shipment, with places and vessels', async () => {
    const paths = 'containers.transport_events.location,containers.transport_events.vessel,pod_terminal'
    const shipment = model(await get(`${shipmentUrl}?include=${paths}`)) as unknown as {
      readonly pod_terminal: { readonly name: string }
      readonly destination_terminal: null
      readonly containers: readonly {
        readonly number: string
        readonly transport_events: readonly {
          readonly event: string
          readonly location: { readonly code: string }
          readonly vessel: { readonly imo: string } | null
        }[]
      }[]
    }
    assert.ok(shipment.pod_terminal.name)
    assert.equal(shipment.destination_terminal, null)
    assert.deepEqual(
      shipment.containers.map(({ number }) => number),
      seeded.numbers,
    )
    const events = shipment.containers.flatMap((box) => box.transport_events)
    assert.ok(events.length > 10)
    for (const { event, location } of events) assert.ok(event && location.code)
    assert.ok(events.some(({ vessel }) => vessel?.imo === '9321483'))
  })

  test('finds the resources that event lists include by default', async () => {
    for (const list of ['transport_events', 'raw_events']) {
      const events = model(await get(`${containerUrl}/${list}?page[size]=100`)) as unknown as readonly {
        readonly location: { readonly code?: string } | null
        readonly vessel: { readonly imo?: string } | null
        readonly terminal: { readonly name?: string } | null
      }[]
      assert.ok(events.length > 5)
      for (const { location, vessel, terminal } of events) {
        if (location !== null) assert.ok(location.code)
        if (vessel !== null) assert.ok(vessel.imo)
        if (terminal !== null) assert.ok(terminal.name)
      }
      assert.ok(events.some(({ vessel, terminal }) => vessel?.imo || terminal?.name))
    }
  })

  test('finds the events, container and terminals in a webhook document', async () => {
    const event = 'container.transport.vessel_discharged'
    const answer = await get(`/v2/webhook_notifications/examples?event=${event}`)
    const notification = model(answer) as unknown as {
      readonly reference_object: {
        readonly id: string
        readonly container: { readonly transport_events: readonly { readonly id: string }[] }
        readonly shipment: { readonly pod_terminal: { readonly id: string } | null }
        readonly terminal: { readonly id: string } | null
      }
    }
    const { id, container, shipment, terminal } = notification.reference_object
    assert.ok(container.transport_events.some((each) => each.id === id))
    assert.equal(shipment.pod_terminal?.id, terminal?.id)
    const box = answer.body.included?.find(({ type }) => type === 'container')
    assert.deepEqual(dataOf(box, 'raw_events'), [])
  })
})
