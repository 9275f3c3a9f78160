// /v2/fleet: everything under way as points on a map, with the filters of the list of shipments, and how long it takes.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { secondShip, seedRoute } from '../../support/route-seed.ts'
import { atScale } from '../../support/scale.ts'

/** Six days into the crossing to Los Angeles. */
const midPacific = '2026-01-18T00:00:00Z'

let api: TestApi
let carrier: Carrier
before(async () => {
  api = await openTestApi({ startAt: midPacific, hasReference: true })
  carrier = await openCarrier()
  await seedRoute(api, { bill: 'CNSH12345678', carrier, attributes: { shipment_tags: ['spring'] } })
})
after(async () => {
  await carrier.close()
  await api.close()
})

interface Feature {
  readonly geometry: { readonly coordinates: readonly [number, number] }
  readonly properties: Readonly<Record<string, unknown>>
}
const fleetOf = async (query = '', key = api.key) => {
  const answer = await api.call({ url: `/v2/fleet${query}`, key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body as unknown as {
    readonly meta: Readonly<Record<string, unknown>>
    readonly features: readonly Feature[]
  }
}
const hear = (heardAt: string, longitude: number) =>
  api.service.pool.query(
    `insert into vessel_last_positions (is_fiction, imo, heard_at, latitude, longitude, speed_knots, course_degrees, source)
     values (false, $1, $2, 40.5, $3, 17.5, 91, 'test')
     on conflict (is_fiction, imo) do update set heard_at = excluded.heard_at, longitude = excluded.longitude`,
    [secondShip, heardAt, longitude],
  )

test('shows a ship without a received position at its estimated place, with its port and its containers', async () => {
  const { meta, features } = await fleetOf()
  const [ship] = features
  assert.equal(features.length, 1)
  const [longitude = 0, latitude = 0] = ship?.geometry.coordinates ?? []
  assert.ok(Math.abs(longitude) > 150 && latitude > 25 && latitude < 60, 'in the North Pacific')
  const { heading, shipment_ids: ids, ...properties } = ship?.properties ?? {}
  assert.ok(Number(heading) >= 0)
  const [shipment] = (await api.call({ url: '/v2/shipments' })).many()
  assert.deepEqual(ids, [shipment?.id])
  assert.deepEqual(properties, {
    feature_type: 'vessel',
    vessel_id: properties['vessel_id'],
    vessel_name: properties['vessel_name'],
    vessel_imo: secondShip,
    voyage_number: properties['voyage_number'],
    position: 'reckoned',
    position_at: midPacific.replace('.000', ''),
    speed: null,
    next_port_id: properties['next_port_id'],
    next_port_name: 'Los Angeles',
    next_port_locode: 'USLAX',
    next_port_eta: '2026-01-24T00:00:00Z',
    container_count: 1,
    shipment_count: 1,
    shipment_numbers: ['CNSH12345678'],
    free_until: null,
  })
  assert.deepEqual(meta, { at: midPacific, ships: 1, places: 0, unplaced_containers: 0, has_more: false })
})

test('shows a ship at its received position, but ignores a position from before its departure', async () => {
  await hear('2026-01-17T21:00:00Z', -170)
  const [heard] = (await fleetOf()).features
  assert.deepEqual(heard?.geometry.coordinates, [-170, 40.5])
  assert.deepEqual(
    [heard?.properties['position'], heard?.properties['position_at'], heard?.properties['heading']],
    ['heard', '2026-01-17T21:00:00Z', 91],
  )
  await hear('2026-01-16T00:00:00Z', 179)
  const [old] = (await fleetOf()).features
  assert.equal(old?.properties['position'], 'reckoned')
  assert.notDeepEqual(old?.geometry.coordinates, [179, 40.5], 'it has gone on since')
  await hear('2026-01-02T00:00:00Z', 10)
  assert.notDeepEqual((await fleetOf()).features[0]?.geometry.coordinates, [10, 40.5])
})

test('applies the filters of the list of shipments, and shows nothing to another account', async () => {
  for (const [query, found] of [
    ['?filter[status]=in_transit', 1],
    ['?filter[status]=arrived', 0],
    ['?filter[scac]=ONEY', 1],
    ['?filter[port_of_discharge]=USLAX', 1],
    ['?filter[port_of_discharge]=NLRTM', 0],
    ['?filter[tags]=spring', 1],
    ['?filter[tags]=autumn', 0],
    ['?q=12345678', 1],
    [`?filter[vessel]=${secondShip}`, 1],
  ] as const)
    assert.equal((await fleetOf(query)).features.length, found, query)
  assert.equal((await api.call({ url: '/v2/fleet?include=containers' })).status, 400)
  const other = await api.newKey(await api.newAccount(), ['read'])
  assert.deepEqual((await fleetOf('', other)).features, [])
})

test('shows arrived containers at their terminal or place, counted by status', async () => {
  await api.pass(24 * 8)
  await seedRoute(api, { bill: 'CNSH12345678', carrier })
  // The next poll of the line finds what has happened since.
  await api.pass(26)
  const { features } = await fleetOf()
  const [place] = features
  assert.ok(place !== undefined && features.length === 1)
  assert.equal(place.properties['location_locode'], 'USLAX')
  assert.equal(place.properties['container_count'], 1)
  assert.deepEqual(Object.values(place.properties['statuses'] as object), [1])
  assert.equal(place.properties['free_until'], null)
  const [box] = (await api.call({ url: '/v2/containers' })).many()
  const stated = { says: 'pickup_lfd_line', value: '2026-01-28', reason: 'by telephone' }
  const body = { data: { type: 'statement', attributes: stated } }
  assert.equal((await api.call({ method: 'POST', url: `/v2/containers/${box?.id}/statements`, body })).status, 201)
  await api.drain()
  const [told] = (await api.call({ url: '/v2/containers' })).many()
  const free = told?.attributes['free_until'] as { readonly on: string; readonly timezone: string }
  assert.equal(free.on, '2026-01-28')
  assert.deepEqual((await fleetOf()).features[0]?.properties['free_until'], {
    on: free.on,
    timezone: free.timezone,
    container_number: box?.attributes['number'],
    shipment_id: (place.properties['shipment_ids'] as string[])[0],
  })
})

const boxes = atScale(20_000)
const statementsMax = 30
test(`the fleet map of ${boxes} containers is computed with at most thirty SQL statements`, async (t) => {
  const context = await api.newAccount()
  const key = await api.newKey(context, ['read'])
  const client = await api.service.pool.connect()
  try {
    await client.query(`set session_replication_role = replica; set statement_timeout = 0`)
    await client.query(
      `insert into shipments (account_id, id, scac, bill_of_lading_number, normalized_number, projection, created_at, updated_at)
       select $1::uuid, md5('s' || n)::uuid, 'ONEY', 'B' || n, 'B' || n, '{"isBookingCancelled": false}', now(), now()
         from generate_series(1, $2::int / 3 + 1) n`,
      [context.account.id, boxes],
    )
    const place = `jsonb_build_object('unlocode', 'KRPUS', 'terminalId', null, 'name', null, 'timeZone', 'Asia/Seoul')`
    await client.query(
      `insert into containers (account_id, id, shipment_id, number, trip, status, projection, created_at, updated_at)
       select $1::uuid, md5('c' || n)::uuid, md5('s' || (n / 3 + 1))::uuid, 'MSCU' || lpad(n::text, 7, '0'), 1,
              case when n % 4 = 0 then 'grounded' else 'on_ship' end,
              jsonb_build_object('padding', repeat('x', 1500), 'milestones', jsonb_build_array(jsonb_build_object(
                'kind', 'actual', 'name', 'vessel_departed', 'callKey', 'KRPUS#1', 'voyage', '601E', 'place', ${place},
                'time', '{"kind": "instant", "at": "2026-01-12T00:00:00.000Z"}'::jsonb,
                'vessel', jsonb_build_object('imo', (9000000 + n % 400)::text, 'name', 'SHIP')))),
              now(), now()
         from generate_series(1, $2::int) n`,
      [context.account.id, boxes],
    )
    await client.query('vacuum analyze containers, shipments')
  } finally {
    client.release(true)
  }
  const timings: number[] = []
  for (const query of ['', '', '?filter[scac]=ONEY']) {
    const startedMs = performance.now()
    const { mock } = t.mock.method(pg.Client.prototype, 'query')
    const { meta, features } = await fleetOf(query, key)
    mock.restore()
    timings.push(Math.round(performance.now() - startedMs))
    assert.ok(mock.callCount() <= statementsMax, `${mock.callCount()} statements`)
    assert.deepEqual([meta['places'], meta['has_more']], [1, false])
    const total = features.reduce((sum, { properties }) => sum + Number(properties['container_count']), 0)
    assert.equal(total + Number(meta['unplaced_containers']), boxes)
    assert.ok(features.every(({ properties }) => (properties['shipment_ids'] as string[]).length <= 20))
  }
  t.diagnostic(`${boxes} boxes: ${timings.join(', ')} ms (the last with a filter)`)
  assert.ok(Math.max(...timings) < 10_000, `${timings}`)
})
