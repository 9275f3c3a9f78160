import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApi, type TestApi, type WireResource } from '../../support/api.ts'
import { type Seeded, seededAt, seedShipment } from '../../support/seed.ts'

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

const keysOf = (resources: readonly WireResource[] | undefined) =>
  (resources ?? []).map(({ type, id }) => `${type}:${id}`)
const linkage = (resource: WireResource | undefined, name: string) => resource?.relationships?.[name]?.data

describe('shipments', () => {
  test('show their route, line and state, also as status and pod_eta', async () => {
    const { attributes } = (await api.call({ url: shipmentUrl })).one()
    assert.equal(attributes['port_of_lading_locode'], 'CNSHG')
    assert.equal(attributes['port_of_lading_name'], 'Shanghai')
    assert.equal(attributes['port_of_discharge_locode'], 'USLAX')
    assert.equal(attributes['shipping_line_name'], 'Ocean Network Express')
    assert.equal(attributes['pod_vessel_imo'], '9321483')
    assert.equal(attributes['pod_ata_at'], '2026-02-01T19:30:00Z')
    assert.equal(attributes['pod_timezone'], 'America/Los_Angeles')
    assert.equal(attributes['status'], 'picked_up')
    assert.equal(attributes['pod_eta'], attributes['pod_eta_at'])
    assert.ok(attributes['line_tracking_last_attempted_at'])
  })

  test('include related resources by dotted paths, each resource once', async () => {
    const paths =
      'containers.transport_events.location,containers.shipment,port_of_lading,port_of_discharge,pod_terminal,destination'
    const answer = await api.call({ url: `${shipmentUrl}?include=${paths}` })
    const keys = keysOf(answer.body.included)
    assert.equal(new Set(keys).size, keys.length)
    assert.ok(!keys.includes(`shipment:${seeded.shipmentId}`), 'the primary resource is not included as well')
    const of = (type: string) => answer.body.included?.filter((each) => each.type === type) ?? []
    assert.deepEqual(
      of('container').map(({ id }) => id),
      seeded.containerIds,
    )
    assert.equal(of('terminal').length, 1)
    assert.equal(of('port').length, 3)
    assert.deepEqual(linkage(answer.one(), 'destination'), null)
    for (const container of of('container')) {
      const events = linkage(container, 'transport_events') as readonly { id: string }[]
      assert.ok(events.length >= 8)
      for (const { id } of events) assert.ok(keys.includes(`transport_event:${id}`))
      assert.deepEqual(linkage(container, 'shipment'), { type: 'shipment', id: seeded.shipmentId })
    }
    for (const event of of('transport_event')) {
      const location = linkage(event, 'location') as { type: string; id: string }
      assert.ok(keys.includes(`${location.type}:${location.id}`))
    }
  })

  test('load included resources with one query for each relation', async () => {
    const statements: string[] = []
    const { query } = api.service.pool
    api.service.pool.query = ((...given: unknown[]) => {
      statements.push((given[0] as { name?: string }).name ?? 'for this very question')
      return (query as (...args: unknown[]) => unknown).apply(api.service.pool, given)
    }) as typeof query
    try {
      await api.call({
        url: '/v2/shipments?include=containers.transport_events.source_event,containers.raw_events.vessel',
      })
    } finally {
      api.service.pool.query = query
    }
    assert.deepEqual(statements, [
      'for this very question', // the page; it is the last, so nothing is counted
      'read_containers_of_shipments',
      'read_transport_events_of_containers',
      'read_raw_events',
      'read_raw_events',
      'read_shipment_facilities', // which terminals the shipments name, whatever is included
    ])
  })

  test('load a container with its shipment and terminal in one SQL statement', async () => {
    const statements: string[] = []
    const { query } = api.service.pool
    api.service.pool.query = ((...given: unknown[]) => {
      statements.push((given[0] as { name: string }).name)
      return (query as (...args: unknown[]) => unknown).apply(api.service.pool, given)
    }) as typeof query
    try {
      const answer = await api.call({ url: `${containerUrl}?include=shipment,pod_terminal` })
      assert.deepEqual(
        answer.body.included?.map(({ type }) => type),
        ['shipment', 'terminal'],
      )
    } finally {
      api.service.pool.query = query
    }
    assert.deepEqual(
      statements.filter((name) => !name.startsWith('rate_limits')),
      ['read_container_with_shipment'],
    )
  })

  test('show only the requested fields, also of included resources', async () => {
    const answer = await api.call({
      url: `${containerUrl}?include=shipment&fields[container]=number,shipment&fields%5Bshipment%5D=tags`,
    })
    assert.deepEqual(answer.one().attributes, { number: 'MSCU4000005' })
    assert.deepEqual(Object.keys(answer.one().relationships ?? {}), ['shipment'])
    assert.deepEqual(answer.body.included?.[0]?.attributes, { tags: [] })
    assert.equal(answer.body.included?.[0]?.relationships, undefined)
  })

  test('are found by number, by part of a number or reference, and by stopped tracking', async () => {
    const found = async (query: string) => (await api.call({ url: `/v2/shipments?${query}` })).many().length
    assert.equal(await found(`number=${seeded.bill}`), 1)
    assert.equal(await found(`number=${seeded.bill.toLowerCase()}`), 1)
    assert.equal(await found('number=CNSH'), 0)
    assert.equal(await found(`number=${seeded.numbers[0]}`), 0)
    assert.equal(await found('q=sh1234'), 1)
    assert.equal(await found('q=po-77'), 1)
    assert.equal(await found(`q=${seeded.numbers[1]}`), 1)
    assert.equal(await found('q=%25'), 0)
    assert.equal(await found('filter[tracking_stopped]=false'), 1)
    assert.equal(await found('filter[tracking_stopped]=true'), 0)
    const wrong = await api.call({ url: '/v2/shipments?filter[tracking_stopped]=maybe' })
    assert.equal(wrong.status, 422)
  })

  test('are changed by PATCH, which leaves omitted attributes unchanged', async () => {
    const answer = await api.call({
      method: 'PATCH',
      url: shipmentUrl,
      body: { data: { attributes: { tags: ['a', 'b'] } } },
    })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.one().attributes['tags'], ['a', 'b'])
    assert.deepEqual(answer.one().attributes['ref_numbers'], ['PO-77'])
    const { rows } = await api.service.pool.query('select tags, ref_numbers from shipments where id = $1', [
      seeded.shipmentId,
    ])
    assert.deepEqual(rows, [{ tags: ['a', 'b'], ref_numbers: ['PO-77'] }])
  })

  test('refuse a PATCH of read-only or malformed attributes, naming each', async () => {
    const body = { data: { attributes: { tags: 'x', ref_numbers: [5], pod_eta_at: null, odd: 1 } } }
    const answer = await api.call({ method: 'PATCH', url: shipmentUrl, body })
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.errors?.map(({ source }) => source?.pointer).toSorted(), [
      '/data/attributes/odd',
      '/data/attributes/pod_eta_at',
      '/data/attributes/ref_numbers/0',
      '/data/attributes/tags',
    ])
    const { rows } = await api.service.pool.query('select ref_numbers from shipments where id = $1', [
      seeded.shipmentId,
    ])
    assert.deepEqual(rows, [{ ref_numbers: ['PO-77'] }])
  })

  test('can be stopped and resumed repeatedly, without a request body', async () => {
    const patch = (verb: string, more: object = {}) =>
      api.call({ method: 'PATCH', url: `${shipmentUrl}/${verb}`, ...more })
    for (let times = 0; times < 2; times += 1) {
      const stopped = await patch('stop_tracking')
      assert.equal(stopped.status, 200)
      assert.equal(stopped.one().attributes['line_tracking_stopped_reason'], 'cancelled_by_user')
      assert.ok(stopped.one().attributes['line_tracking_stopped_at'])
    }
    const listed = await api.call({ url: '/v2/shipments?filter[tracking_stopped]=true' })
    assert.equal(listed.many().length, 1)
    for (const headers of [{}, { 'content-type': 'application/json' }]) {
      const resumed = await patch('resume_tracking', { headers })
      assert.equal(resumed.status, 200)
      assert.equal(resumed.one().attributes['line_tracking_stopped_at'], null)
    }
    const { rows } = await api.service.pool.query('select tracking_stopped_at from shipments where id = $1', [
      seeded.shipmentId,
    ])
    assert.deepEqual(rows, [{ tracking_stopped_at: null }])
  })
})

describe('containers', () => {
  test('show their milestones as times, with the time zone of the place', async () => {
    const { attributes } = (await api.call({ url: containerUrl })).one()
    assert.equal(attributes['number'], 'MSCU4000005')
    assert.equal(attributes['current_status'], 'picked_up')
    assert.equal(attributes['equipment_type'], 'dry')
    assert.equal(attributes['equipment_length'], 40)
    assert.equal(attributes['equipment_height'], 'high_cube')
    assert.equal(attributes['empty_out_at'], '2026-01-02T01:00:00Z')
    assert.equal(attributes['pol_vessel_departed_at'], '2026-01-05T14:00:00Z')
    assert.equal(attributes['pod_arrived_at'], '2026-02-01T19:30:00Z')
    assert.equal(attributes['pod_full_out_at'], '2026-02-06T18:00:00Z')
    assert.equal(attributes['pod_timezone'], 'America/Los_Angeles')
    assert.equal(attributes['availability_known'], false)
    assert.equal(attributes['available_for_pickup'], null)
  })

  test('are filtered by number, status, line and time', async () => {
    const found = async (query: string) => (await api.call({ url: `/v2/containers?${query}` })).many().length
    assert.equal(await found('filter[number]=mscu4000005'), 1)
    assert.equal(await found('filter[number]=MSCU4'), 0)
    assert.equal(await found('filter[status]=picked_up'), 2)
    assert.equal(await found('filter[status]=new'), 0)
    assert.equal(await found('filter[scac]=ONEY'), 2)
    assert.equal(await found('filter[scac]=MSCU'), 0)
    assert.equal(await found('filter[updated_at][start]=2030-01-01'), 0)
    assert.equal(await found('include=shipment,pod_terminal,pickup_facility&page[size]=100'), 2)
  })

  test('are marked as delivered by PATCH of delivered_at, and unmarked by null', async () => {
    const patch = (attributes: object) =>
      api.call({ method: 'PATCH', url: containerUrl, body: { data: { attributes } } })
    const delivered = await patch({ delivered_at: '2026-02-08T12:00:00Z', ref_numbers: ['R'] })
    assert.equal(delivered.status, 200)
    assert.equal(delivered.one().attributes['current_status'], 'delivered')
    assert.equal(delivered.one().attributes['delivered_at'], '2026-02-08T12:00:00Z')
    assert.deepEqual(delivered.one().attributes['ref_numbers'], ['R'])
    const { rows } = await api.service.pool.query('select status, ref_numbers from containers where id = $1', [
      seeded.containerIds[0],
    ])
    assert.deepEqual(rows, [{ status: 'delivered', ref_numbers: ['R'] }])
    const back = await patch({ delivered_at: null })
    assert.equal(back.one().attributes['current_status'], 'picked_up')
    assert.equal(back.one().attributes['delivered_at'], null)
    const wrong = await patch({ delivered_at: 'last week' })
    assert.equal(wrong.status, 422)
    assert.equal(wrong.error().source?.pointer, '/data/attributes/delivered_at')
  })

  test('can be changed by PATCH /v2/containers with the id in the body', async () => {
    const patch = (data: object) => api.call({ method: 'PATCH', url: '/v2/containers', body: { data } })
    const id = seeded.containerIds[1]
    const answer = await patch({ id, attributes: { ref_numbers: ['by body'] } })
    assert.equal(answer.one().id, id)
    assert.deepEqual(answer.one().attributes['ref_numbers'], ['by body'])
    assert.equal((await patch({ attributes: {} })).error().source?.pointer, '/data/id')
    assert.equal(
      (await patch({ id: '018f0000-0000-7000-8000-000000000000', attributes: { ref_numbers: [] } })).status,
      404,
    )
    assert.equal((await patch({ id: 5, attributes: {} })).status, 404)
  })

  test('can be refreshed, which polls the sources at once', async () => {
    api.clock.advance(3_600_000)
    const asked = seeded.carrier.asked.length
    const answer = await api.call({ method: 'PATCH', url: `${containerUrl}/refresh` })
    assert.equal(answer.status, 200)
    assert.equal(typeof answer.body['message'], 'string')
    await api.drain()
    assert.ok(seeded.carrier.asked.length > asked)
    assert.equal((await api.call({ method: 'PATCH', url: `${containerUrl}/refresh?now=1` })).status, 400)
  })
})

describe('events of a container', () => {
  test('are listed in order of time, and a corrected event names the event that it replaced', async () => {
    const answer = await api.call({
      url: `${containerUrl}/transport_events?include=previous_version,source_event,vessel,terminal,location`,
    })
    const events = answer.many()
    const names = events
      .filter(({ attributes }) => !String(attributes['event']).includes('estimated'))
      .map(({ attributes }) => attributes['event'])
    assert.deepEqual(names.slice(0, 4), [
      'container.transport.empty_out',
      'container.transport.full_in',
      'container.transport.vessel_loaded',
      'container.transport.vessel_departed',
    ])
    const times = events.map(({ attributes }) => String(attributes['timestamp']))
    assert.deepEqual(times, times.toSorted())
    const arrived = events.find(({ attributes }) => attributes['event'] === 'container.transport.vessel_arrived')
    assert.equal(arrived?.attributes['timestamp'], '2026-02-01T19:30:00Z')
    const before = answer.body.included?.find(
      ({ id }) => id === (linkage(arrived, 'previous_version') as { id: string } | null)?.id,
    )
    assert.equal(before?.attributes['timestamp'], '2026-02-01T18:00:00Z')
    assert.ok(before?.attributes['invalidated_at'])
    const source = answer.body.included?.find(
      ({ id }) => id === (linkage(arrived, 'source_event') as { id: string }).id,
    )
    assert.equal(source?.type, 'raw_event')
    assert.equal(source?.attributes['timestamp'], '2026-02-01T19:30:00Z')
  })

  test('include every claim as a raw event, and mark withdrawn claims', async () => {
    const events = (await api.call({ url: `${containerUrl}/raw_events?include=location,vessel,container` })).many()
    assert.deepEqual(
      events.map(({ attributes }) => attributes['index']),
      events.map((_, index) => index),
    )
    const times = events.map(({ attributes }) => String(attributes['timestamp']))
    assert.deepEqual(times, times.toSorted())
    const arrivals = events.filter(({ attributes }) => attributes['event'] === 'vessel_arrived')
    assert.deepEqual(
      arrivals.map(({ attributes: { timestamp, estimated, invalidated_at, original_event } }) => [
        timestamp,
        estimated,
        invalidated_at !== null,
        original_event,
      ]),
      [
        ['2026-02-01T16:00:00Z', true, false, 'ARRI'],
        ['2026-02-01T18:00:00Z', false, true, 'ARRI'],
        ['2026-02-01T19:30:00Z', false, false, 'ARRI'],
      ],
    )
    assert.ok(events.some(({ attributes }) => attributes['event'] === 'transshipment_discharged'))
    const gate = events.find(({ attributes }) => attributes['event'] === 'empty_out')
    assert.equal(gate?.attributes['actual_on'], '2026-01-02')
    assert.equal(gate?.attributes['location_locode'], 'CNSHG')
    assert.equal(gate?.attributes['data_provider_code'], 'ONEY')
  })

  test('keep the index of a raw event wherever the event is shown', async () => {
    const listed = (await api.call({ url: `${containerUrl}/raw_events` })).many()
    const included =
      (await api.call({ url: `${containerUrl}/transport_events?include=source_event` })).body.included ?? []
    assert.ok(included.length > 0)
    for (const event of included) {
      assert.deepEqual(listed.find(({ id }) => id === event.id)?.attributes['index'], event.attributes['index'])
    }
  })
})
