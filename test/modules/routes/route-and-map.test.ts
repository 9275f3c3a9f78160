/** The route of a container, its map, and where its ship will be, over the real database and router. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bearingDegrees, distanceNm, type GeoPoint } from '../../../src/domain/geography/great-circle.ts'
import { makeRouteLine, pointAlong } from '../../../src/domain/geography/route-line.ts'
import { storeFixes } from '../../../src/pipeline/positions/fixes-sql.ts'
import { findPlaceByCode } from '../../../src/reference/places.ts'
import { vesselId } from '../../../src/reference/vessels.ts'
import { openTestApi, type TestApi, type WireResource } from '../../support/api.ts'
import { firstShip, type SeededRoute, secondShip, seedRoute } from '../../support/route-seed.ts'

/** Six days into the crossing from Busan to Los Angeles. */
const midPacific = '2026-01-18T00:00:00Z'

let api: TestApi
let seeded: SeededRoute
let url: string

before(async () => {
  api = await openTestApi({ startAt: midPacific })
  seeded = await seedRoute(api, { bill: 'CNSH12345678' })
  url = `/v2/containers/${seeded.containerId}`
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

const placeId = (code: string) => findPlaceByCode(code)?.id ?? assert.fail(code)
const linked = (resource: WireResource | undefined, name: string) =>
  (resource?.relationships?.[name]?.data as { readonly id: string } | null | undefined)?.id

interface Feature {
  readonly geometry: { readonly type: string; readonly coordinates: readonly unknown[] }
  readonly properties: Readonly<Record<string, unknown>>
}

async function featuresOf(of: TestApi, at: string): Promise<readonly Feature[]> {
  const answer = await of.call({ url: `${at}/map_geojson` })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body['type'], 'FeatureCollection')
  return answer.body['features'] as readonly Feature[]
}

const kindsOf = (features: readonly Feature[]) =>
  features.map(({ properties }) => `${properties['ports_sequence']} ${properties['feature_type']}`)

test('the route has every place in order, past and planned calls, and the onward carriage of the container', async () => {
  const answer = await api.call({ url: `${url}/route?include=port,vessel,route_location` })
  const locations = answer.body.included?.filter(({ type }) => type === 'route_location') ?? []
  assert.deepEqual(
    locations.map((each) => linked(each, 'port')),
    ['CNSHG', 'KRPUS', 'USLAX', 'USCHI'].map(placeId),
  )
  const [shanghai, busan, losAngeles, chicago] = locations
  assert.equal(linked(busan, 'location'), linked(busan, 'port'))
  assert.equal(linked(busan, 'inbound_vessel'), vesselId(firstShip))
  assert.equal(linked(busan, 'outbound_vessel'), vesselId(secondShip))
  assert.equal(shanghai?.attributes['outbound_atd_at'], '2026-01-05T12:00:00Z')
  assert.equal(shanghai?.attributes['inbound_mode'], null)
  assert.equal(losAngeles?.attributes['inbound_eta_at'], '2026-01-24T00:00:00Z')
  assert.equal(losAngeles?.attributes['inbound_ata_at'], null)
  assert.equal(losAngeles?.attributes['inbound_scac'], 'ONEY')
  assert.equal(losAngeles?.attributes['outbound_mode'], 'rail')
  assert.equal(losAngeles?.attributes['outbound_scac'], null)
  assert.equal(chicago?.attributes['inbound_mode'], 'rail')
  const types = new Set(answer.body.included?.map(({ type }) => type))
  assert.deepEqual(types, new Set(['route_location', 'port', 'vessel']))
  const again = await api.call({ url: `${url}/route` })
  assert.equal(again.one().id, answer.one().id)
  assert.equal(again.body.included?.length, 4)
})

test('refuses an unknown include path by name', async () => {
  const answer = await api.call({ url: `${url}/route?include=captain` })
  assert.equal(answer.status, 400)
  assert.deepEqual(answer.error().source, { parameter: 'include' })
})

test("estimates the ship's position along its way without a received one, and marks it as estimated", async () => {
  const features = await featuresOf(api, url)
  assert.deepEqual(kindsOf(features), [
    '1 port',
    '2 port',
    '3 port',
    '4 port',
    '1 estimated_full_legs',
    '2 estimated_full_legs', // on the other side of the 180th meridian
    '2 estimated_full_legs',
    '2 current_vessel',
    '2 estimated_partial_leg',
  ])
  const ship = features.find(({ properties }) => properties['feature_type'] === 'current_vessel')
  assert.equal(ship?.properties['estimated'], true)
  assert.equal(ship?.properties['vessel_location_timestamp'], '2026-01-18T00:00:00Z')
  assert.equal(ship?.properties['vessel_location_speed'], null)
  assert.equal(ship?.properties['departure_port_id'], placeId('KRPUS'))
  assert.equal(ship?.properties['arrival_port_country'], 'United States')
  assert.equal(ship?.properties['arrival_port_state'], 'California')
  const [longitude = 0, latitude = 0] = (ship?.geometry.coordinates ?? []) as readonly number[]
  assert.ok(Math.abs(longitude) > 160 && latitude > 40, `${longitude} ${latitude}`)
  const port = features[2]?.properties
  assert.equal(port?.['label'], 'Los Angeles, CA, US')
  assert.equal(port?.['ports_total'], 4)
})

test('splits a line at the 180th meridian into separate features, each a LineString', async () => {
  const features = await featuresOf(api, url)
  for (const { geometry } of features) assert.match(geometry.type, /^(Point|LineString)$/)
  type Line = readonly (readonly [number, number])[]
  const lines = features.filter(({ geometry }) => geometry.type === 'LineString')
  const before = lines.findIndex(({ geometry }) => (geometry.coordinates as Line).at(-1)?.[0] === 180)
  const [one, other] = [lines[before], lines[before + 1]]
  assert.ok(one && other)
  assert.equal((other.geometry.coordinates as Line)[0]?.[0], -180)
  for (const { geometry, properties } of [one, other]) {
    const line = geometry.coordinates as Line
    assert.ok(line.every(([longitude]) => Math.abs(longitude) <= 180))
    assert.equal(properties['point_count'], line.length)
    assert.deepEqual({ ...properties, point_count: 0 }, { ...one.properties, point_count: 0 })
  }
})

const positionsUrl = `/v2/vessels/${vesselId(secondShip)}/future_positions`
const leg = `port_id=${placeId('USLAX')}&previous_port_id=${placeId('KRPUS')}`

interface Position {
  readonly latitude: number
  readonly longitude: number
  readonly timestamp: string
  readonly estimated: boolean
}
const positionsOf = (resource: WireResource) => resource.attributes['positions'] as readonly Position[]

test('future positions follow the way a minute apart until the ship arrives, all marked as estimated', async () => {
  const answer = await api.call({ url: `${positionsUrl}?${leg}` })
  const positions = positionsOf(answer.one())
  assert.equal(positions.length, 6 * 24 * 60 + 1)
  assert.equal(positions[0]?.timestamp, '2026-01-18T00:00:00Z')
  assert.equal(positions[1]?.timestamp, '2026-01-18T00:01:00Z')
  assert.equal(positions.at(-1)?.timestamp, '2026-01-24T00:00:00Z')
  assert.ok(positions.every(({ estimated }) => estimated))
  const losAngeles = findPlaceByCode('USLAX')
  assert.ok(Math.abs((positions.at(-1)?.longitude ?? 0) - (losAngeles?.longitude ?? 0)) < 0.001)
  const byNumber = await api.call({ url: `/v2/vessels/${secondShip}/future_positions?${leg}` })
  assert.deepEqual(positionsOf(byNumber.one()), positions)
})

test('starts the way at the given coordinates of the ship', async () => {
  const answer = await api.call({
    url: `${positionsUrl}_with_coordinates?${leg}&latitude=36.5&longitude=-135`,
  })
  const [first] = positionsOf(answer.one())
  assert.ok(Math.abs((first?.longitude ?? 0) + 135) < 1)
})

test('an estimate of ship positions refuses an invalid port or coordinate, and the error names the parameter', async () => {
  const cases = [
    [`${positionsUrl}?previous_port_id=${placeId('KRPUS')}`, 400, 'port_id'],
    [`${positionsUrl}?port_id=USLAX&previous_port_id=${placeId('KRPUS')}`, 422, 'port_id'],
    [
      `${positionsUrl}?port_id=${placeId('USLAX')}&previous_port_id=018f0000-0000-7000-8000-0000000000aa`,
      422,
      'previous_port_id',
    ],
    [`${positionsUrl}_with_coordinates?${leg}&latitude=36`, 400, 'longitude'],
    [`${positionsUrl}_with_coordinates?${leg}&latitude=96&longitude=0`, 422, 'latitude'],
    [`${positionsUrl}?${leg}&latitude=1`, 400, 'latitude'],
  ] as const
  for (const [asked, status, parameter] of cases) {
    const answer = await api.call({ url: asked })
    assert.equal(answer.status, status, asked)
    assert.deepEqual(answer.error().source, { parameter })
  }
})

test('gives no future positions for a leg without containers, and the answer states why', async () => {
  const back = `port_id=${placeId('KRPUS')}&previous_port_id=${placeId('USLAX')}`
  for (const asked of [`${positionsUrl}?${back}`, `/v2/vessels/${firstShip}/future_positions?${leg}`]) {
    const answer = await api.call({ url: asked })
    assert.equal(answer.status, 404)
    assert.match(answer.error().detail, /None of your containers is on this vessel/)
  }
  const noShip = await api.call({ url: `/v2/vessels/1234567/future_positions?${leg}` })
  assert.equal(noShip.status, 404)
})

test("another account finds neither the route nor the map, and learns nothing of the ship's voyage", async () => {
  const key = await api.newKey(await api.newAccount(), ['read'])
  for (const asked of [`${url}/route`, `${url}/map_geojson`, `${positionsUrl}?${leg}`]) {
    const answer = await api.call({ url: asked, key })
    assert.equal(answer.status, 404, asked)
  }
  for (const asked of ['/v2/containers/nonsense/route', '/v2/containers/nonsense/map_geojson']) {
    assert.equal((await api.call({ url: asked })).status, 404)
  }
})

test('the route passes the received positions of the ship', async () => {
  const received = [
    ['2026-01-13T00:00:00Z', 37.5, 141.5],
    ['2026-01-15T00:00:00Z', 44, 160],
    ['2026-01-17T22:00:00Z', 47.5, -175],
  ] as const
  for (const [heardAt, latitude, longitude] of received) {
    const fix = {
      imo: secondShip,
      heardAt,
      latitude,
      longitude,
      speedKnots: 18.5,
      courseDegrees: 95,
      source: 'nmea',
    }
    await storeFixes(api.service.pool, { isSandbox: false, minutes: 10, fixes: [fix] })
  }
  const features = await featuresOf(api, url)
  const of = (type: string) => features.find(({ properties }) => properties['feature_type'] === type)
  assert.deepEqual(new Set(features.map(({ properties }) => properties['feature_type'])).size, 5)
  assert.deepEqual(of('current_vessel')?.geometry.coordinates, [-175, 47.5])
  assert.equal(of('current_vessel')?.properties['estimated'], false)
  assert.equal(of('current_vessel')?.properties['vessel_location_heading'], 95)
  const past = of('past_vessel_locations')
  assert.equal(past?.properties['point_count'], 4)
  assert.equal(past?.properties['start_time'], '2026-01-12T00:00:00Z')
  assert.equal(past?.properties['end_time'], '2026-01-17T22:00:00Z')
  const positions = positionsOf((await api.call({ url: `${positionsUrl}?${leg}` })).one())
  assert.ok((positions[0]?.longitude ?? 0) > -176 && (positions[0]?.longitude ?? 0) < -172)
})

test('the drawn track of a ship has no sharp turns when its positions lie slightly beside the route', async () => {
  const other = await openTestApi({ startAt: midPacific })
  const { carrier, containerId } = await seedRoute(other, { bill: 'CNSH12345670' })
  const at = `/v2/containers/${containerId}`
  try {
    const whole = (await featuresOf(other, at)).filter(
      ({ properties }) => properties['feature_type'] === 'estimated_full_legs',
    )
    // The way over the Pacific is cut at the 180th meridian.
    const way = makeRouteLine(whole.slice(-2).flatMap(pointsOf))
    const sailedAt = Date.parse('2026-01-12T00:00:00Z')
    for (let part = 1; part <= 20; part += 1) {
      const { latitude, longitude } = pointAlong(way, (way.lengthNm * part) / 40)
      const heardAt = new Date(sailedAt + part * 6 * 3_600_000).toISOString()
      const beside = part % 2 === 0 ? 0.2 : -0.2
      const fix = { imo: secondShip, heardAt, latitude: latitude + beside, longitude, source: 'nmea' }
      const more = { speedKnots: 18, courseDegrees: 80 }
      await storeFixes(other.service.pool, { isSandbox: false, minutes: 10, fixes: [{ ...fix, ...more }] })
    }
    const drawn = (await featuresOf(other, at)).filter(
      ({ properties }) => properties['feature_type'] === 'past_vessel_locations',
    )
    const points = drawn.flatMap(pointsOf)
    assert.ok(points.length > 20)
    const bearings = points.slice(1).flatMap((point, index) => {
      const last = points[index]
      return last === undefined || distanceNm(last, point) < 1 ? [] : [bearingDegrees(last, point)]
    })
    const turns = bearings.slice(1).map((bearing, index) => {
      const turn = Math.abs(bearing - (bearings[index] ?? bearing))
      return Math.round(Math.min(turn, 360 - turn))
    })
    assert.ok(Math.max(...turns) < 100, String(turns))
  } finally {
    await carrier.close()
    await other.close()
  }
})

function pointsOf(feature: Feature | undefined): readonly GeoPoint[] {
  return (feature?.geometry.coordinates ?? []).map((position) => {
    const [longitude = 0, latitude = 0] = position as readonly number[]
    return { latitude, longitude }
  })
}

test('a container of which only the empty pick-up is known has no route, and a map without features', async () => {
  const early = await openTestApi({ startAt: '2026-01-05T03:00:00Z' })
  const picked = await seedRoute(early, { bill: 'CNSH12345679', until: '2026-01-04T00:00:00Z' })
  try {
    const route = await early.call({ url: `/v2/containers/${picked.containerId}/route` })
    assert.equal(route.status, 404)
    assert.match(route.error().detail, /no source has named a place/)
    assert.deepEqual(await featuresOf(early, `/v2/containers/${picked.containerId}`), [])
  } finally {
    await picked.carrier.close()
    await early.close()
  }
})
