/**
 * By which canal or round which cape a container sails, by the route and the map, with the real database and router.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { storeFixes } from '../../../src/pipeline/positions/fixes-sql.ts'
import { findPlaceByCode } from '../../../src/reference/places.ts'
import { vesselId } from '../../../src/reference/vessels.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { firstShip, seedRoute, type Told, told } from '../../support/route-seed.ts'

/** Three weeks out of Shanghai. */
const now = '2026-01-26T00:00:00Z'
let api: TestApi
let carrier: Carrier
before(async () => {
  api = await openTestApi({ startAt: now })
  carrier = await openCarrier()
})
after(async () => {
  await carrier.close()
  await api.close()
})

let boxes = 0
/** A separate container that sails from one port to the other; returns the address of the container. */
async function sail(of: {
  readonly from: string
  readonly to: string
  readonly leaves: string
  readonly comes: string
}): Promise<string> {
  const number = ['MSCU4000005', 'MSCU4000010', 'MSCU4000026', 'MSCU4000031'][boxes] ?? assert.fail()
  const bill = `CNSH1234570${boxes}`
  boxes += 1
  const journey: readonly Told[] = [
    told('LOAD', of.from, of.leaves, 'A', firstShip),
    told('DEPA', of.from, of.leaves, 'A', firstShip),
    told('ARRI', of.to, of.comes, 'B', firstShip),
    told('DISC', of.to, of.comes, 'B', firstShip),
  ]
  const key = await api.newKey(await api.newAccount(), ['read', 'write'])
  const { containerId } = await seedRoute(api, { bill, key, number, carrier, journey })
  keys.set(`/v2/containers/${containerId}`, key)
  return `/v2/containers/${containerId}`
}
const keys = new Map<string, string>()

async function outboundWays(url: string): Promise<readonly unknown[]> {
  const answer = await api.call({ url: `${url}/route`, key: keys.get(url) ?? '' })
  assert.equal(answer.status, 200, answer.text)
  const locations = answer.body.included?.filter(({ type }) => type === 'route_location') ?? []
  return locations.map(
    (each) => (each as unknown as { readonly meta: { readonly outbound_way: unknown } }).meta.outbound_way,
  )
}

interface Drawn {
  readonly type: unknown
  readonly chosenBy: unknown
  readonly points: readonly (readonly [longitude: number, latitude: number])[]
}

async function draw(url: string): Promise<readonly Drawn[]> {
  const answer = await api.call({ url: `${url}/map_geojson`, key: keys.get(url) ?? '' })
  const features = answer.body['features'] as readonly {
    readonly geometry: { readonly type: string; readonly coordinates: Drawn['points'] }
    readonly properties: Readonly<Record<string, unknown>>
  }[]
  return features
    .filter(({ geometry }) => geometry.type === 'LineString')
    .map(({ geometry, properties }) => ({
      type: properties['feature_type'],
      chosenBy: properties['way_chosen_by'],
      points: geometry.coordinates,
    }))
}

const isRoundTheCape = (lines: readonly Drawn[]): boolean =>
  lines.some(({ points }) => points.some(([longitude, latitude]) => latitude < -30 && longitude < 25))

test('chooses the way round the Cape for a voyage of 46 days from Shanghai to Rotterdam', async () => {
  const url = await sail({
    from: 'CNSHG',
    to: 'NLRTM',
    leaves: '2026-01-05T12:00:00Z',
    comes: '2026-02-20T12:00:00Z',
  })
  const [way, last] = await outboundWays(url)
  const { nautical_miles: nm, ...said } = way as { readonly nautical_miles: number }
  assert.deepEqual(said, { chosen_by: 'dates', passages: ['cape_of_good_hope'] })
  assert.ok(nm > 13_500 && nm < 14_300, String(nm))
  assert.equal(last, null)
  const lines = await draw(url)
  assert.deepEqual(new Set(lines.map(({ chosenBy }) => chosenBy)), new Set(['dates']))
  assert.ok(isRoundTheCape(lines))

  // Its position was received in the Red Sea after all: this counts more than the dates, for the map, the route and the
  // future positions.
  const fix = { imo: firstShip, heardAt: '2026-01-25T20:00:00Z', latitude: 20.1, longitude: 38.6 }
  const more = { speedKnots: 15, courseDegrees: 330, source: 'nmea' }
  await storeFixes(api.service.pool, { isSandbox: false, minutes: 10, fixes: [{ ...fix, ...more }] })
  const [heard] = await outboundWays(url)
  assert.deepEqual((heard as { readonly chosen_by: string }).chosen_by, 'positions')
  assert.deepEqual((heard as { readonly passages: readonly string[] }).passages, ['suez_canal'])
  const redrawn = await draw(url)
  assert.ok(!isRoundTheCape(redrawn))
  assert.equal(redrawn.find(({ type }) => type === 'estimated_partial_leg')?.chosenBy, 'positions')
  const [from, to] = ['CNSHG', 'NLRTM'].map((code) => findPlaceByCode(code)?.id)
  const ahead = await api.call({
    url: `/v2/vessels/${vesselId(firstShip)}/future_positions?port_id=${to}&previous_port_id=${from}`,
    key: keys.get(url) ?? '',
  })
  const positions = ahead.one().attributes['positions'] as readonly { readonly latitude: number }[]
  assert.ok(positions.every(({ latitude }) => latitude > 20))
})

test('takes the shortest way if dates and positions show nothing, and the answer states this', async () => {
  const url = await sail({
    from: 'CNSHG',
    to: 'NLRTM',
    leaves: '2026-01-26T12:00:00Z',
    comes: '2026-03-04T12:00:00Z',
  })
  const [way] = await outboundWays(url)
  assert.deepEqual((way as { readonly chosen_by: string }).chosen_by, 'shortest')
  assert.ok(!isRoundTheCape(await draw(url)))
})

test('draws a feeder from Bremerhaven to Gdansk through the Kiel Canal, a ship from Shanghai round Skagen', async () => {
  const feeder = await sail({
    from: 'DEBRV',
    to: 'PLGDN',
    leaves: '2026-01-25T12:00:00Z',
    comes: '2026-01-28T12:00:00Z',
  })
  const [way] = await outboundWays(feeder)
  assert.deepEqual((way as { readonly passages: readonly string[] }).passages, ['kiel_canal'])
  const northernmost = (lines: readonly Drawn[]) =>
    Math.max(...lines.flatMap(({ points }) => points.map(([, latitude]) => latitude)))
  assert.ok(northernmost(await draw(feeder)) < 55.5)
  const ocean = await sail({
    from: 'CNSHG',
    to: 'PLGDN',
    leaves: '2026-01-26T06:00:00Z',
    comes: '2026-03-06T12:00:00Z',
  })
  const [long] = await outboundWays(ocean)
  assert.deepEqual((long as { readonly chosen_by: string }).chosen_by, 'ship_size')
  assert.ok(northernmost(await draw(ocean)) > 57)
})
