/**
 * Estimates of the line, of positions alone and of our own are judged when the ship has come, and again when its arrival
 * is corrected. The scorecard of all accounts counts those that agreed to it.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { GeoPoint } from '../../../src/domain/geography/great-circle.ts'
import { pointAlong } from '../../../src/domain/geography/route-line.ts'
import { shareScorecards } from '../../../src/modules/scorecards/list-eta-scores.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { noAisCounts } from '../../../src/pipeline/positions/ais-counts.ts'
import { openPositionCollector, type PositionCollector } from '../../../src/pipeline/positions/position-collector.ts'
import { findPlaceByCode } from '../../../src/reference/places.ts'
import { findSeaRoute } from '../../../src/reference/sea-routes/sea-route.ts'
import { bill, identity, losAngeles, position, sailing } from '../../pipeline/positions/positions-harness.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { giveAccess } from '../../support/service.ts'
import { event } from '../../support/tracking-harness.ts'

let api: TestApi
let carrier: Carrier
let collector: PositionCollector
const hourMs = 3_600_000

before(async () => {
  api = await openTestApi({ startAt: '2026-01-15T00:00:00Z' })
  carrier = await openCarrier()
  carrier.answers({ json: sailing() })
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
  const attributes = { request_type: 'bill_of_lading', request_number: bill, scac: 'HLCU' }
  const body = { data: { type: 'tracking_request', attributes } }
  await api.call({ method: 'POST', url: '/v2/tracking_requests', body })
  await api.drain()
  const fold = foldBy(readRules(api.service.config))
  collector = openPositionCollector(api.service, { isSandbox: false, fold, counts: noAisCounts() })
})
after(async () => {
  await carrier.close()
  await api.close()
})

const list = async (path = '', key = api.key) => api.call({ url: `/v2/scorecards/etas${path}`, key })
const outcomes = async (query = '') =>
  (await list(`/outcomes?page[size]=100${query}`)).many().map(({ attributes }) => attributes)

/** A day at 17 knots towards Los Angeles. */
async function sailADay(): Promise<void> {
  const [from, to] = ['CNSHG', 'USLAX'].map((code) => findPlaceByCode(code) as GeoPoint)
  const way = findSeaRoute({ from: from as GeoPoint, to: to as GeoPoint })
  assert.ok(way.kind === 'route')
  for (let hours = 0; hours <= 24; hours += 2) {
    const at = Date.parse('2026-01-15T00:00:00Z') + hours * hourMs
    const { latitude, longitude } = pointAlong(way.line, way.line.lengthNm - 2_400 + hours * 17)
    api.clock.set(at + 60_000)
    collector.receiveReport(identity({ heardAt: new Date(at).toISOString() }), 'aisstream')
    const here = { latitude, longitude }
    collector.receiveReport(position(new Date(at).toISOString(), here, { speedKnots: 17 }), 'aisstream')
    await collector.flush()
  }
}

test('nothing is judged before the ship has come', async () => {
  await sailADay()
  await api.drain()
  assert.deepEqual(await outcomes(), [])
  assert.deepEqual((await list()).many(), [])
})

test('an arrival by AIS judges the estimates of the line, of positions alone and of our own', async () => {
  const at = '2026-01-21T14:00:00Z'
  api.clock.set(Date.parse(at) + 60_000)
  collector.receiveReport(position(at, losAngeles, { speedKnots: 0 }), 'aisstream')
  await collector.flush()
  await api.drain()
  const all = await outcomes()
  const kinds = Map.groupBy(all, ({ kind }) => String(kind))
  assert.deepEqual([...kinds.keys()].toSorted(), ['first', 'line', 'own', 'vessel'])
  assert.deepEqual(new Set(all.map((each) => each['arrival_reported_by'])), new Set(['ais']))
  assert.deepEqual(
    kinds.get('line')?.map((each) => [each['told_at'], each['days_ahead'], each['error_hours'], each['moved_hours']]),
    [['2026-01-15T00:00:00Z', 7.583, -24, null]],
    'the ship came a day earlier than told',
  )
  const own = kinds.get('own') ?? []
  assert.ok(own.length >= 3)
  for (const each of own) assert.equal(typeof each['range_held'], 'boolean')
  for (const each of kinds.get('vessel') ?? []) assert.equal(each['range_held'], null)
})

test('a correction of the arrival by the line replaces all outcomes of the shipment', async () => {
  const arrived = event({ told: 802, code: 'ARRI', at: '2026-01-21T10:00:00-08:00', place: 'USLAX', bill })
  carrier.answers({ json: [...sailing(), arrived] })
  const were = await outcomes()
  await api.pass(8)
  const all = await outcomes()
  assert.equal(all.length, were.length)
  assert.deepEqual(new Set(all.map((each) => each['arrival_reported_by'])), new Set(['shipping_line']))
  assert.deepEqual(new Set(all.map((each) => each['arrived_at'])), new Set(['2026-01-21T18:00:00Z']))
  assert.equal(all.find(({ kind }) => kind === 'line')?.['error_hours'], -20)
})

test('the figures can be narrowed and exported as a table', async () => {
  const narrow = async (query: string) => (await list(`?${query}`)).many().length
  assert.equal(await narrow('filter[kind]=line'), 1)
  assert.equal(await narrow('filter[kind]=line&filter[days_ahead]=7'), 1)
  for (const query of [
    'filter[kind]=line&filter[days_ahead]=5',
    'filter[scac]=MAEU',
    'filter[port_of_lading]=USLAX',
    'filter[port_of_discharge]=CNSHG',
    'filter[lading_country]=US',
    'filter[arrived_at][end]=2026-01-20',
  ])
    assert.equal(await narrow(query), 0, query)
  assert.equal(await narrow('filter[kind]=line&filter[lading_country]=CN&filter[discharge_country]=US'), 1)
  const { text, headers } = await list('?format=csv&group_by=lane&filter[kind]=line')
  assert.match(String(headers['content-type']), /text\/csv/)
  const [head, row, ...more] = text.split('\r\n')
  assert.match(head ?? '', /^id,shipping_line_scac,port_of_lading_locode,.*,mean_error_hours,/)
  assert.match(row ?? '', /,CNSHG,USLAX,,,line,7,10,1,20,20,-20,1,/)
  assert.deepEqual(more, [''])
})

test('a value that is unknown is refused by its name', async () => {
  const refused = [
    ['group_by', 'ship'],
    ['scope', 'world'],
    ['filter[kind]', 'rail'],
    ['filter[days_ahead]', '4'],
    ['filter[port_of_lading]', 'Shanghai'],
    ['filter[lading_country]', 'China'],
  ] as const
  for (const [name, value] of refused) {
    const answer = await list(`?${name}=${value}`)
    assert.equal(answer.status, 422, name)
    assert.equal(answer.error().source?.parameter, name)
  }
})

test('another account sees nothing of it', async () => {
  const stranger = await api.newKey(await api.newAccount(), ['read'])
  assert.deepEqual((await list('', stranger)).many(), [])
  assert.deepEqual((await list('/outcomes', stranger)).many(), [])
})

test('the figures of all accounts are shown when five of them agreed, and only rows of five', async () => {
  const share = (account: TestApi['context'], shares: boolean) => shareScorecards(api.service, account, { shares })
  const others = await Promise.all(Array.from({ length: 6 }, (_, n) => api.newAccount({ isSandbox: n === 5 })))
  const columns = `shipment_id, source_code, told_at, scac, pol, pod, days_ahead, error_hours, arrived_at, arrival_by,
                   is_within, moved_hours`
  for (const { account } of others)
    await api.service.pool.query(
      `insert into eta_outcomes (account_id, kind, ${columns})
       select $1, kind, ${columns} from eta_outcomes where account_id = $2 and kind <> 'own'`,
      [account.id, api.context.account.id],
    )
  const refusal = async (count: number) => {
    const answer = await list('?scope=installation')
    assert.deepEqual([answer.status, answer.error().source?.parameter], [422, 'scope'])
    assert.match(answer.error().detail, new RegExp(`needs 5 accounts that share their figures; ${count} do`))
  }
  await refusal(0)
  await share(api.context, true)
  for (const other of others.slice(2)) await share(other, true)
  await refusal(4)
  await share(others[0] as TestApi['context'], true)
  const shown = (await list('?scope=installation')).many().map(({ attributes }) => attributes)
  assert.deepEqual(new Set(shown.map(({ kind }) => kind)), new Set(['first', 'line', 'vessel']), 'own has one account')
  const line = shown.find(({ kind }) => kind === 'line')
  assert.deepEqual([line?.['estimates'], line?.['outcomes_path']], [5, null], 'neither the sandbox nor who keeps it')
  await share(api.context, false)
  await refusal(4)
})
