// Every received ETA, with its source and time; our own estimates beside those of the line, never instead of them, and
// shown to no other account.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { GeoPoint } from '../../../src/domain/geography/great-circle.ts'
import { pointAlong } from '../../../src/domain/geography/route-line.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { noAisCounts } from '../../../src/pipeline/positions/ais-counts.ts'
import { openPositionCollector, type PositionCollector } from '../../../src/pipeline/positions/position-collector.ts'
import { findPlaceByCode } from '../../../src/reference/places.ts'
import { findSeaRoute } from '../../../src/reference/sea-routes/sea-route.ts'
import { bill, identity, imo, losAngeles, position, sailing } from '../../pipeline/positions/positions-harness.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { giveAccess } from '../../support/service.ts'
import { event } from '../../support/tracking-harness.ts'

let api: TestApi
let carrier: Carrier
let collector: PositionCollector
let shipmentId: string

const hourMs = 3_600_000
/**
 * A position on the way from Shanghai to Los Angeles: this many hours at 17 knots after a point in the middle of the
 * ocean.
 */
function seaAt(hours: number): { latitude: number; longitude: number } {
  const [from, to] = [findPlaceByCode('CNSHG'), findPlaceByCode('USLAX')]
  const ends = [from, to].map((place) => ({
    latitude: place?.latitude ?? 0,
    longitude: place?.longitude ?? 0,
  }))
  const way = findSeaRoute({ from: ends[0] as GeoPoint, to: ends[1] as GeoPoint })
  assert.ok(way.kind === 'route')
  const { latitude, longitude } = pointAlong(way.line, way.line.lengthNm - 2_400 + hours * 17)
  return { latitude, longitude }
}

before(async () => {
  api = await openTestApi({ startAt: '2026-01-15T00:00:00Z' })
  carrier = await openCarrier()
  carrier.answers({ json: sailing() })
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
  const attributes = { request_type: 'bill_of_lading', request_number: bill, scac: 'HLCU' }
  await api.call({
    method: 'POST',
    url: '/v2/tracking_requests',
    body: { data: { type: 'tracking_request', attributes } },
  })
  await api.drain()
  const [shipment] = (await api.call({ url: '/v2/shipments' })).many()
  assert.ok(shipment !== undefined)
  shipmentId = shipment.id
  const fold = foldBy(readRules(api.service.config))
  collector = openPositionCollector(api.service, { isSandbox: false, fold, counts: noAisCounts() })
})
after(async () => {
  await carrier.close()
  await api.close()
})

const etas = async (query = '', key = api.key) => api.call({ url: `/v2/shipments/${shipmentId}/etas${query}`, key })
const meta = async (): Promise<Record<string, unknown> | undefined> => {
  const { data } = (await api.call({ url: `/v2/shipments/${shipmentId}` })).body
  return (data as { meta: { own_eta?: Record<string, unknown> } }).meta.own_eta
}

async function sail(hours: number, from: number): Promise<void> {
  for (let n = 0; n <= hours; n += 2) {
    const at = from + n * hourMs
    api.clock.set(at + 60_000)
    collector.receiveReport(identity({ heardAt: new Date(at).toISOString() }), 'aisstream')
    collector.receiveReport(position(new Date(at).toISOString(), seaAt(n), { speedKnots: 17 }), 'aisstream')
    await collector.flush()
  }
}

test('shows only the ETA of the line before any ship position is received', async () => {
  const answer = await etas()
  assert.equal(answer.status, 200)
  assert.deepEqual(
    answer
      .many()
      .map(({ attributes }) => [
        attributes['said_by'],
        attributes['source_code'],
        attributes['eta_at'],
        attributes['current'],
      ]),
    [['shipping_line', 'HLCU', '2026-01-22T14:00:00Z', true]],
  )
  assert.equal(await meta(), undefined)
})

test("shows our own estimate beside the line's, with its range and origin, and leaves the line's unchanged", async () => {
  const before = (await api.call({ url: `/v2/shipments/${shipmentId}` })).one().attributes
  const { rows: eventsBefore } = await api.service.pool.query('select id from events')
  await collector.flush()
  await sail(24, Date.parse('2026-01-15T00:00:00Z'))
  const own = await meta()
  assert.ok(own !== undefined)
  assert.equal(own['vessel_imo'], imo)
  assert.equal(own['port_of_discharge_locode'], 'USLAX')
  const [earliest, eta, latest] = ['earliest_at', 'eta_at', 'latest_at'].map((name) => Date.parse(String(own[name])))
  assert.ok((earliest ?? 0) <= (eta ?? 0) && (eta ?? 0) < (latest ?? 0))
  const madeOf = own['made_of'] as Record<string, unknown>
  const byShip = Date.parse(String(madeOf['vessel_eta_at']))
  assert.ok(
    byShip > Date.parse('2026-01-20T18:00:00Z') && byShip < Date.parse('2026-01-21T06:00:00Z'),
    String(madeOf['vessel_eta_at']),
  )
  assert.equal(madeOf['line_eta_at'], '2026-01-22T14:00:00Z')
  assert.equal(madeOf['line_eta_source_code'], 'HLCU')
  assert.deepEqual(madeOf['calls'], [])
  const [weight, byLine] = [Number(madeOf['line_weight']), Date.parse(String(madeOf['line_eta_at']))]
  assert.ok(weight > 0 && weight < 1)
  assert.deepEqual([madeOf['past_arrivals'], madeOf['earlier_voyage_hours']], [0, null])
  assert.ok(Math.abs((eta ?? 0) - (byShip + weight * (byLine - byShip))) < hourMs, String(own['eta_at']))
  const after = (await api.call({ url: `/v2/shipments/${shipmentId}` })).one().attributes
  assert.deepEqual(after, before)
  const { rows: eventsAfter } = await api.service.pool.query('select id from events')
  assert.deepEqual(eventsAfter, eventsBefore)
})

test('stores our estimates, at most one in six hours, and lists them newest first and by page', async () => {
  const all = (await etas('?page[size]=100')).many()
  const ours = all.filter(({ attributes }) => attributes['said_by'] === 'landfall')
  assert.ok(ours.length >= 3 && ours.length <= 5, `${ours.length} in a day`)
  const times = ours.map(({ attributes }) => Date.parse(String(attributes['heard_at'])))
  assert.ok(times.every((time, n) => n === 0 || (times[n - 1] ?? 0) - time >= 6 * hourMs))
  assert.deepEqual(
    ours.map(({ attributes }) => attributes['current']),
    [true, ...ours.slice(1).map(() => false)],
  )
  assert.equal(ours[0]?.attributes['eta_at'], (await meta())?.['eta_at'])
  assert.deepEqual(ours[0]?.attributes['made_of'], (await meta())?.['made_of'])
  const page = await etas('?page[size]=2&page[number]=2')
  assert.deepEqual(
    page.many().map(({ id }) => id),
    all.slice(2, 4).map(({ id }) => id),
  )
  assert.equal(page.body.meta?.['total'], all.length)
})

test('still lists an estimate that the line no longer states, with the time of receipt', async () => {
  const slipped = event({
    told: 801,
    code: 'ARRI',
    classifier: 'EST',
    at: '2026-01-23T20:00:00-08:00',
    place: 'USLAX',
    bill,
  })
  carrier.answers({
    json: [...sailing().slice(0, -1), { ...slipped, eventID: '00000000-0000-4000-8000-000000000800' }],
  })
  await api.pass(8)
  const fromLine = (await etas()).many().filter(({ attributes }) => attributes['said_by'] === 'shipping_line')
  assert.deepEqual(
    fromLine.map(({ attributes }) => [attributes['eta_at'], attributes['current']]),
    [
      ['2026-01-24T04:00:00Z', true],
      ['2026-01-22T14:00:00Z', false],
    ],
  )
})

test('the ETA list of a shipment of another account answers like that of an unknown shipment', async () => {
  const stranger = await api.newKey(await api.newAccount(), ['read', 'write'])
  const [theirs, nobodys] = [
    await etas('', stranger),
    await api.call({ url: '/v2/shipments/018f0000-0000-7000-8000-0000000000aa/etas', key: stranger }),
  ]
  assert.equal(theirs.status, 404)
  assert.equal(theirs.text, nobodys.text)
})

test('withdraws an estimate whose position is older than its range allows, and keeps it in the list', async () => {
  const before = await meta()
  const [fixAt, earliest, latest] = ['position_heard_at', 'earliest_at', 'latest_at'].map((name) =>
    Date.parse(String(before?.[name])),
  ) as [number, number, number]
  const until = fixAt + Math.max(12 * hourMs, latest - earliest)
  api.clock.set(until)
  assert.deepEqual(await meta(), before)
  api.clock.set(until + 1_000)
  assert.equal(await meta(), undefined)
  const [listed] = (await api.call({ url: '/v2/shipments' })).many()
  assert.equal((listed as { meta?: { own_eta?: unknown } }).meta?.own_eta, undefined)
  const ours = (await etas('?page[size]=100'))
    .many()
    .filter(({ attributes }) => attributes['said_by'] === 'landfall' && attributes['eta_at'] === before?.['eta_at'])
  assert.deepEqual(
    ours.map(({ attributes }) => attributes['current']),
    [false],
  )
  const then = await api.call({ url: `/v2/shipments/${shipmentId}?as_of=${new Date(until).toISOString()}` })
  assert.deepEqual((then.body.data as { meta: { own_eta?: unknown } }).meta.own_eta, before)
})

test("the range follows how wrong estimates for this account were, and not another account's", async () => {
  const own = { past: -1, width: 0 }
  const judged = async (account: string, hours: number): Promise<void> => {
    await api.service.pool.query(
      `insert into eta_outcomes (account_id, shipment_id, kind, source_code, told_at, scac, pol, pod, days_ahead,
                                 error_hours, arrived_at, arrival_by, is_within, moved_hours)
       select $1, gen_random_uuid(), 'own', 'landfall', t, 'HLCU', 'CNSHG', 'USLAX', d, case when n % 2 = 0 then -$2::real else $2::real end,
              t + interval '5 days', 'shipping_line', true, null
         from generate_series(1, 200) n cross join generate_series(0, 14) d
        cross join lateral (select timestamptz '2025-12-01' + n * interval '1 hour' as t) at`,
      [account, hours],
    )
  }
  const estimate = async (): Promise<void> => {
    // What is known of the past is read again after an hour.
    await sail(2, api.clock.now() + 7 * hourMs)
    const eta = await meta()
    const [earliest, latest] = ['earliest_at', 'latest_at'].map((name) => Date.parse(String(eta?.[name])))
    own.past = Number((eta?.['made_of'] as Record<string, unknown> | undefined)?.['past_arrivals'])
    own.width = ((latest ?? 0) - (earliest ?? 0)) / hourMs
  }
  await judged((await api.newAccount()).account.id, 300)
  await estimate()
  assert.equal(own.past, 0)
  const { rows } = await api.service.pool.query<{ account: string }>(
    'select account_id as account from shipments where id = $1',
    [shipmentId],
  )
  await judged(rows[0]?.account ?? '', 100)
  await estimate()
  assert.equal(own.past, 200)
  assert.ok(own.width > 140 && own.width < 200, `${own.width} hours`)
})

test('shows the arrival by AIS when the ship is in its port, and no further estimates', async () => {
  assert.ok((await meta()) !== undefined)
  const at = '2026-01-20T20:00:00Z'
  api.clock.set(Date.parse(at) + 60_000)
  collector.receiveReport(position(at, losAngeles, { speedKnots: 0 }), 'aisstream')
  await collector.flush()
  await api.drain()
  assert.equal(await meta(), undefined)
  const shipment = (await api.call({ url: `/v2/shipments/${shipmentId}` })).one()
  assert.equal(shipment.attributes['pod_ata_at'], at)
  const [container] = (await api.call({ url: '/v2/containers' })).many()
  const events = (await api.call({ url: `/v2/containers/${container?.id}/transport_events` })).many()
  assert.deepEqual(
    events
      .filter(({ attributes }) => attributes['event'] === 'container.transport.vessel_arrived')
      .map(({ attributes }) => [attributes['timestamp'], attributes['data_source'], attributes['location_locode']]),
    [[at, 'ais', 'USLAX']],
  )
  const raw = (await api.call({ url: `/v2/containers/${container?.id}/raw_events` })).many()
  assert.ok(raw.some(({ attributes }) => attributes['event'] === 'vessel_arrived' && attributes['timestamp'] === at))
})
