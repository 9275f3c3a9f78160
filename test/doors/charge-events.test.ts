// Events about charges: each change is heard once, with several workers and after a restart; a day that goes by as
// foreseen is not; another account hears nothing; and the ledger still folds to what is served.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { foldBy } from '../../src/service/ledger/fold.ts'
import { rebuild } from '../../src/service/ledger/rebuild.ts'
import { readRules } from '../../src/service/ledger/rules.ts'
import { tallyBoxes } from '../../src/service/tracking/charges/tally-boxes.ts'
import { openTestApi, type TestApi, type WireResource } from '../support/api.ts'
import { type Carrier, openCarrier } from '../support/carrier.ts'
import { secondShip, seedRoute, told } from '../support/route-seed.ts'

let api: TestApi
let carrier: Carrier
let strangerKey: string
const boxes = ['MSCU4000005', 'MSCU4000010', 'MSCU4000026']
const dayMs = 86_400_000

const journeyWith = (dischargedAt: string) => [
  told('LOAD', 'KRPUS', '2026-01-11T06:00:00Z', 'B', secondShip),
  told('DEPA', 'KRPUS', '2026-01-12T00:00:00Z', 'B', secondShip),
  told('ARRI', 'USLAX', '2026-01-24T00:00:00Z', 'C', secondShip),
  told('DISC', 'USLAX', dischargedAt, 'C', secondShip),
]
const report = (index: number, dischargedAt: string) =>
  seedRoute(api, {
    bill: `ONEYTELL${index}`,
    number: boxes[index] ?? '',
    carrier,
    journey: journeyWith(dischargedAt),
  })

before(async () => {
  api = await openTestApi({ startAt: '2026-01-25T20:00:00Z' })
  carrier = await openCarrier()
  for (const index of boxes.keys()) await report(index, '2026-01-25T03:00:00Z')
  strangerKey = await api.newKey(await api.newAccount(), ['read', 'write'])
})
after(async () => {
  await carrier.close()
  await api.close()
})

interface Told {
  readonly name: string
  readonly container: string | undefined
  readonly terms: readonly Readonly<Record<string, unknown>>[]
}
const idOf = (event: WireResource, relation: string) =>
  (event.relationships?.[relation]?.data as { readonly id: string } | undefined)?.id
let heardUntil = 0
/** The events about charges since this was asked last. */
async function heard(): Promise<readonly Told[]> {
  const names = ['started', 'changed', 'stopped'].map((change) => `container.charges.${change}`)
  const answer = await api.call({
    url: `/v2/events?after=${heardUntil}&filter[event]=${names.join()}&include=reference_object,container`,
  })
  assert.equal(answer.status, 200, answer.text)
  heardUntil = (answer.body.meta?.['last_sequence'] as number | undefined) ?? 0
  return answer.many().map((event) => {
    const own = answer.body.included?.find(
      ({ type, id }) => type === 'container_charges_event' && id === idOf(event, 'reference_object'),
    )
    const containerId = idOf(event, 'container')
    const container = answer.body.included?.find(({ id }) => id === containerId)
    return {
      name: String(event.attributes['event']).replace('container.charges.', ''),
      container: container?.attributes['number'] as string | undefined,
      terms: own?.attributes['terms'] as Told['terms'],
    }
  })
}

const terms = {
  code: 'acme-oney',
  origin: 'contract',
  kind: 'demurrage',
  charged_by: 'line',
  charger_code: 'ONEY',
  currency: 'USD',
  start: 'vessel_discharged',
  start_first_full_day: true,
  stop: ['full_out'],
  free: 4,
  free_unit: 'calendar_days',
  tiers: [{ from: 1, to: null, rate_minor: 15_000 }],
  stops_for: ['hold:customs'],
  source: 'Invented for this test',
}
const post = (path: string, type: string, attributes: object, key = api.key) =>
  api.call({ method: 'POST', url: path, key, body: { data: { type, attributes } } })
const record = (attributes: object, key = api.key) =>
  post('/v2/charge_terms', 'charge_terms', attributes, key)

test('new terms are told once for each container that they change, and what is on record already is not told', async () => {
  assert.deepEqual(await heard(), [])
  assert.equal((await record(terms)).status, 201)
  await api.drain()
  const told = await heard()
  assert.deepEqual(told.map(({ name, container }) => `${name} ${container}`).toSorted(), [
    'changed MSCU4000005',
    'changed MSCU4000010',
    'changed MSCU4000026',
  ])
  const [change] = told[0]?.terms ?? []
  assert.deepEqual(
    [change?.['code'], change?.['last_free_day_before'], change?.['last_free_day'], change?.['causes']],
    ['acme-oney', null, '2026-01-28', ['terms']],
  )
  assert.match(JSON.stringify(change?.['claim_ids']), /^\["[0-9a-f-]{36}"\]$/)
  await record(terms)
  await record({ ...terms, code: 'elsewhere', charger_code: 'HLCU' })
  await api.drain()
  api.clock.advance(120_000)
  await api.drain()
  assert.deepEqual(await heard(), [])
})

test('a day that goes by as foreseen is not told; the first charged day is, once, by its timer, also with two workers', async () => {
  api.clock.advance(2 * dayMs)
  await api.drain()
  assert.deepEqual(await heard(), [])
  // 29 January begins at 08:00 UTC in Los Angeles, and each box rings within ten minutes after.
  api.clock.advance(Date.parse('2026-01-29T08:11:00Z') - api.clock.now())
  await Promise.all([tallyBoxes(api.service), tallyBoxes(api.service), tallyBoxes(api.service)])
  await api.drain()
  const told = await heard()
  assert.deepEqual(
    told.map(({ name, container }) => `${name} ${container}`).toSorted(),
    boxes.map((box) => `started ${box}`),
  )
  const [change] = told[0]?.terms ?? []
  assert.deepEqual(change?.['owed'], {
    totals: [{ minor: 15_000, currency: 'USD' }],
    charged_days: 1,
    unpriced_days: 0,
    unknown_days: 0,
  })
  assert.deepEqual(change?.['rate'], { minor: 15_000, currency: 'USD' })
  api.clock.advance(3 * dayMs)
  await api.drain()
  assert.deepEqual(await heard(), [])
})

test('a corrected discharge makes exactly one event', async () => {
  await report(0, '2026-01-26T03:00:00Z')
  api.clock.advance(dayMs)
  await api.drain()
  const told = await heard()
  assert.deepEqual(
    told.map(({ name, container }) => `${name} ${container}`),
    ['changed MSCU4000005'],
  )
  assert.deepEqual(
    told[0]?.terms.map((each) => [each['last_free_day_before'], each['last_free_day'], each['causes']]),
    [['2026-01-28', '2026-01-29', ['last_free_day', 'days']]],
  )
})

test('a hold and its end change the charges, and each is heard once', async () => {
  const containerId = (await api.call({ url: '/v2/containers?filter[number]=MSCU4000010' })).many()[0]?.id
  const say = (status: string) =>
    post(`/v2/containers/${containerId}/statements`, 'statement', {
      says: 'hold',
      value: { name: 'customs', status },
    })
  assert.equal((await say('hold')).status, 201)
  await api.drain()
  assert.deepEqual(
    (await heard()).map(({ name }) => name),
    ['changed'],
  )
  api.clock.advance(2 * dayMs)
  await api.drain()
  assert.deepEqual(await heard(), [])
  assert.equal((await say('released')).status, 201)
  await api.drain()
  assert.deepEqual(
    (await heard()).map(({ name }) => name),
    ['changed'],
  )
})

test('what breaks off tells nothing by half, and the next worker tells it once', async () => {
  const { pool } = api.service
  await pool.query(`create function refuse_told() returns trigger language plpgsql as $$
    begin raise exception 'the worker breaks off'; end $$`)
  await pool.query(`create trigger refuse_told before insert on events for each row
    when (new.reference_type = 'container_charges_event') execute function refuse_told()`)
  await record({ ...terms, free: 5 })
  await assert.rejects(() => tallyBoxes(api.service), /breaks off/)
  await pool.query('drop function refuse_told cascade')
  await api.drain()
  assert.equal((await heard()).length, 3)
  await record(terms)
  await api.drain()
  assert.equal((await heard()).length, 3)
})

test('a container that is being written meanwhile is passed over, and tallied when it is written', async () => {
  const { pool } = api.service
  const writer = await pool.connect()
  try {
    await writer.query('begin')
    await writer.query(
      `update containers set projection = jsonb_set(projection, '{milestones}', '[]') where number = 'MSCU4000026'`,
    )
    await tallyBoxes(api.service)
    await writer.query('commit')
    await api.drain()
    assert.deepEqual(
      (await heard()).map(({ name, container, terms: [change] }) => [
        name,
        container,
        change?.['missing'],
        change?.['last_free_day'],
      ]),
      [['changed', 'MSCU4000026', 'start', null]],
    )
  } finally {
    writer.release()
  }
  // As the line has it again.
  const fold = foldBy(readRules(api.service.config))
  await rebuild(api.service, fold, { repair: true, differencesMax: 20, progress: () => {} })
  await api.drain()
  assert.deepEqual(
    (await heard()).map(({ name, container }) => [name, container]),
    [['started', 'MSCU4000026']],
  )
})

test('a new version that gives the same days is not told; one with other rates is, with what it was', async () => {
  await record({ ...terms, source: 'The same, from elsewhere' })
  await api.drain()
  assert.deepEqual(await heard(), [])
  await record({ ...terms, tiers: [{ from: 1, to: null, rate_minor: 20_000 }] })
  await api.drain()
  const told = await heard()
  assert.deepEqual(
    told.map(({ name }) => name),
    ['changed', 'changed', 'changed'],
  )
  assert.deepEqual(told[0]?.terms[0]?.['causes'], ['days'])
})

test('a webhook gets what it subscribes to, and `*` means no event about charges', async () => {
  await post('/v2/webhooks', 'webhook', {
    url: 'https://example.com/charges',
    active: true,
    events: ['container.charges.changed'],
  })
  await post('/v2/webhooks', 'webhook', { url: 'https://example.com/all', active: true, events: ['*'] })
  await record(terms)
  await api.drain()
  const { rows } = await api.service.pool.query<{ url: string; n: number }>(
    `select w.url, count(*)::int as n from webhook_notifications n join webhooks w on w.id = n.webhook_id
      where n.event like 'container.charges.%' group by 1`,
  )
  assert.deepEqual(rows, [{ url: 'https://example.com/charges', n: 3 }])
  assert.equal((await heard()).length, 3)
})

test('another account hears of its own container alone, and its terms are told of none of ours', async () => {
  const before = await heard()
  assert.deepEqual(before, [])
  await record({ ...terms, charger_code: null, free: 1 }, strangerKey)
  await api.drain()
  assert.deepEqual(await heard(), [])
  const theirs = async () =>
    (await api.call({ url: '/v2/events?after=0', key: strangerKey }))
      .many()
      .map(({ attributes }) => String(attributes['event']))
      .filter((name) => name.startsWith('container.charges.'))
  assert.deepEqual(await theirs(), [])
  await seedRoute(api, {
    bill: 'ONEYTELL9',
    number: boxes[0] ?? '',
    key: strangerKey,
    carrier,
    journey: journeyWith('2026-01-25T03:00:00Z'),
  })
  await api.drain()
  assert.deepEqual(await theirs(), ['container.charges.started'])
  assert.deepEqual(await heard(), [])
})

test('the ledger folds to the same bytes, and what was told of charges stays', async () => {
  const fold = foldBy(readRules(api.service.config))
  const count = async () =>
    (
      await api.service.pool.query<{ n: number }>(
        `select count(*)::int as n from events where reference_type = 'container_charges_event'`,
      )
    ).rows[0]?.n
  const told = await count()
  for (const repair of [false, true]) {
    const report = await rebuild(api.service, fold, { repair, differencesMax: 20, progress: () => {} })
    assert.deepEqual(report.differences, [])
  }
  await api.drain()
  assert.equal(await count(), told)
  assert.deepEqual(await heard(), [])
})
