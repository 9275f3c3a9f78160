// Events about charges: each change is announced once, with several workers and after a restart; a day that passes as
// planned is not; another account gets nothing; and the ledger still folds to what is served.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tallyContainers } from '../../../src/modules/charges/tally-containers.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { openTestApi, type TestApi, type WireResource } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { secondShip, seedRoute, told } from '../../support/route-seed.ts'

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

interface ChargeEvent {
  readonly name: string
  readonly container: string | undefined
  readonly terms: readonly Readonly<Record<string, unknown>>[]
}
const idOf = (event: WireResource, relation: string) =>
  (event.relationships?.[relation]?.data as { readonly id: string } | undefined)?.id
let heardUntil = 0
/** The events about charges since the last call. */
async function newEvents(): Promise<readonly ChargeEvent[]> {
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
      terms: own?.attributes['terms'] as ChargeEvent['terms'],
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
const record = (attributes: object, key = api.key) => post('/v2/charge_terms', 'charge_terms', attributes, key)

test('announces new terms once for each container that they change, and nothing when they are repeated', async () => {
  assert.deepEqual(await newEvents(), [])
  assert.equal((await record(terms)).status, 201)
  await api.drain()
  const told = await newEvents()
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
  assert.deepEqual(await newEvents(), [])
})

test('sends an event for the first charged day, and none for other days that pass as planned', async () => {
  api.clock.advance(2 * dayMs)
  await api.drain()
  assert.deepEqual(await newEvents(), [])
  // 29 January begins at 08:00 UTC in Los Angeles, and the timer of each container fires within ten minutes after.
  api.clock.advance(Date.parse('2026-01-29T08:11:00Z') - api.clock.now())
  await Promise.all([tallyContainers(api.service), tallyContainers(api.service), tallyContainers(api.service)])
  await api.drain()
  const told = await newEvents()
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
  assert.deepEqual(await newEvents(), [])
})

test('a corrected discharge time sends exactly one charge event', async () => {
  await report(0, '2026-01-26T03:00:00Z')
  api.clock.advance(dayMs)
  await api.drain()
  const told = await newEvents()
  assert.deepEqual(
    told.map(({ name, container }) => `${name} ${container}`),
    ['changed MSCU4000005'],
  )
  assert.deepEqual(
    told[0]?.terms.map((each) => [each['last_free_day_before'], each['last_free_day'], each['causes']]),
    [['2026-01-28', '2026-01-29', ['last_free_day', 'days']]],
  )
})

test('a hold and its end each change the charges and send one event', async () => {
  const containerId = (await api.call({ url: '/v2/containers?filter[number]=MSCU4000010' })).many()[0]?.id
  const say = (status: string) =>
    post(`/v2/containers/${containerId}/statements`, 'statement', {
      says: 'hold',
      value: { name: 'customs', status },
    })
  assert.equal((await say('hold')).status, 201)
  await api.drain()
  assert.deepEqual(
    (await newEvents()).map(({ name }) => name),
    ['changed'],
  )
  api.clock.advance(2 * dayMs)
  await api.drain()
  assert.deepEqual(await newEvents(), [])
  assert.equal((await say('released')).status, 201)
  await api.drain()
  assert.deepEqual(
    (await newEvents()).map(({ name }) => name),
    ['changed'],
  )
})

test('a failing worker sends no event, and the next worker sends each event once', async () => {
  const { pool } = api.service
  await pool.query(`create function refuse_told() returns trigger language plpgsql as $$
    begin raise exception 'the worker breaks off'; end $$`)
  await pool.query(`create trigger refuse_told before insert on events for each row
    when (new.reference_type = 'container_charges_event') execute function refuse_told()`)
  await record({ ...terms, free: 5 })
  await assert.rejects(() => tallyContainers(api.service), /breaks off/)
  await pool.query('drop function refuse_told cascade')
  await api.drain()
  assert.equal((await newEvents()).length, 3)
  await record(terms)
  await api.drain()
  assert.equal((await newEvents()).length, 3)
})

test('skips a container that is being written, and calculates its charges when it is written', async () => {
  const { pool } = api.service
  const writer = await pool.connect()
  try {
    await writer.query('begin')
    await writer.query(
      `update containers set projection = jsonb_set(projection, '{milestones}', '[]') where number = 'MSCU4000026'`,
    )
    await tallyContainers(api.service)
    await writer.query('commit')
    await api.drain()
    assert.deepEqual(
      (await newEvents()).map(({ name, container, terms: [change] }) => [
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
  await rebuildProjections(api.service, fold, { repair: true, differencesMax: 20, progress: () => {} })
  await api.drain()
  assert.deepEqual(
    (await newEvents()).map(({ name, container }) => [name, container]),
    [['started', 'MSCU4000026']],
  )
})

test('announces a new version only if it changes days or rates, with the earlier values', async () => {
  await record({ ...terms, source: 'The same, from elsewhere' })
  await api.drain()
  assert.deepEqual(await newEvents(), [])
  await record({ ...terms, tiers: [{ from: 1, to: null, rate_minor: 20_000 }] })
  await api.drain()
  const told = await newEvents()
  assert.deepEqual(
    told.map(({ name }) => name),
    ['changed', 'changed', 'changed'],
  )
  assert.deepEqual(told[0]?.terms[0]?.['causes'], ['days'])
})

test('a webhook gets the charge events that it names, and a webhook for `*` gets none', async () => {
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
  assert.equal((await newEvents()).length, 3)
})

test('another account gets charge events only for its own container, and its terms cause none for ours', async () => {
  const before = await newEvents()
  assert.deepEqual(before, [])
  await record({ ...terms, charger_code: null, free: 1 }, strangerKey)
  await api.drain()
  assert.deepEqual(await newEvents(), [])
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
  assert.deepEqual(await newEvents(), [])
})

test('a rebuild from the ledger finds no difference, and keeps the charge events that were sent', async () => {
  const fold = foldBy(readRules(api.service.config))
  const count = async () =>
    (
      await api.service.pool.query<{ n: number }>(
        `select count(*)::int as n from events where reference_type = 'container_charges_event'`,
      )
    ).rows[0]?.n
  const told = await count()
  for (const repair of [false, true]) {
    const report = await rebuildProjections(api.service, fold, {
      repair,
      differencesMax: 20,
      progress: () => {},
    })
    assert.deepEqual(report.differences, [])
  }
  await api.drain()
  assert.equal(await count(), told)
  assert.deepEqual(await newEvents(), [])
})
