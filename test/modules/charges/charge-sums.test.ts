// Charges of many containers: sums, rows, what is unknown and why; what will cost as an exception and an alert; last free
// days that differ as issues that close by themselves; and the answers to agents.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { getCharges } from '../../../src/mcp/tools/get-charges.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { connect, openTestMcp } from '../../support/mcp.ts'
import { secondShip, seedRoute, told } from '../../support/route-seed.ts'

let api: TestApi
let carrier: Carrier
let strangerKey: string
const boxes = ['MSCU4000005', 'MSCU4000010', 'MSCU4000026']
const ids = new Map<string, { readonly id: string; readonly shipmentId: string }>()
const dayMs = 86_400_000

before(async () => {
  api = await openTestApi({ startAt: '2026-01-31T20:00:00Z' })
  carrier = await openCarrier()
  for (const [index, number] of boxes.entries()) {
    const discharged = told('DISC', 'USLAX', `2026-01-${25 + index * 2}T20:00:00Z`, 'C', secondShip)
    await seedRoute(api, {
      bill: `ONEYSUMS${index}`,
      number,
      carrier,
      // The third is at sea.
      journey: [
        told('LOAD', 'KRPUS', '2026-01-11T06:00:00Z', 'B', secondShip),
        told('DEPA', 'KRPUS', '2026-01-12T00:00:00Z', 'B', secondShip),
        told('ARRI', 'USLAX', index === 2 ? '2026-02-20T00:00:00Z' : '2026-01-24T00:00:00Z', 'C', secondShip),
        ...(index === 2 ? [] : [discharged]),
      ],
      attributes: { ref_numbers: [`PO-${index}`], shipment_tags: index === 0 ? ['spring'] : [] },
    })
    const [row] = (await api.call({ url: `/v2/containers?filter[number]=${number}` })).many()
    const shipment = row?.relationships?.['shipment']?.data as { readonly id: string } | undefined
    ids.set(number, { id: row?.id ?? '', shipmentId: shipment?.id ?? '' })
  }
  strangerKey = await api.newKey(await api.newAccount(), ['read', 'write'])
})
after(async () => {
  await carrier.close()
  await api.close()
})

interface Sum {
  readonly totals: readonly { readonly minor: number; readonly currency: string }[]
  readonly charged_days: number
  readonly unpriced_days: number
}
interface Summed {
  readonly data: readonly {
    readonly id: string
    readonly attributes: {
      readonly number: string
      readonly owed: Sum
      readonly forecast: Sum
      readonly unknown: readonly string[]
      readonly terms: readonly { readonly phase: string; readonly last_free_day: string | null }[]
    }
  }[]
  readonly links: { readonly next: string | null }
  readonly meta: {
    readonly until: string
    readonly all: {
      readonly owed: Sum
      readonly forecast: Sum
      readonly avoidable: Sum['totals']
      readonly containers: number
      readonly counted: number
      readonly unknown: Readonly<Record<string, number>>
    } | null
  }
}
const sums = async (query = '', key = api.key): Promise<Summed> => {
  const answer = await api.call({ url: `/v2/charges${query}`, key })
  assert.equal(answer.status, 200, answer.text)
  return JSON.parse(answer.text) as Summed
}
const known = (counts: Readonly<Record<string, number>> | undefined) =>
  Object.fromEntries(Object.entries(counts ?? {}).filter(([, count]) => count > 0))

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
  source: 'Invented for this test',
}
const post = (path: string, type: string, attributes: object, key = api.key) =>
  api.call({ method: 'POST', url: path, key, body: { data: { type, attributes } } })
const record = (attributes: object, key = api.key) => post('/v2/charge_terms', 'charge_terms', attributes, key)

test('without terms all containers are unknown, which differs from no charges', async () => {
  const { meta, data } = await sums()
  assert.deepEqual([meta.all?.containers, meta.all?.counted, known(meta.all?.unknown)], [3, 0, { no_terms: 3 }])
  assert.deepEqual(
    data.flatMap(({ attributes }) => attributes.unknown),
    ['no_terms', 'no_terms', 'no_terms'],
  )
})

test('reports a container as being counted until new terms are applied to the container', async () => {
  assert.equal((await record(terms)).status, 201)
  assert.deepEqual(known((await sums()).meta.all?.unknown), { being_counted: 3 })
  await api.drain()
  assert.deepEqual(known((await sums()).meta.all?.unknown), { start: 1 })
})

test('sums the charges of the containers by currency, with a forecast until the requested day', async () => {
  await record({
    ...terms,
    code: 'storage',
    kind: 'storage',
    charged_by: 'terminal',
    charger_code: null,
    currency: 'CAD',
  })
  await api.drain()
  const { meta, data } = await sums('?until=2026-02-03')
  // The first is charged since 30 January, the second from 1 February on.
  assert.deepEqual(meta.all?.owed.totals, [
    { minor: 30_000, currency: 'CAD' },
    { minor: 30_000, currency: 'USD' },
  ])
  assert.deepEqual(
    meta.all?.forecast.totals.map(({ minor }) => minor),
    [120_000, 120_000],
  )
  assert.deepEqual(
    meta.all?.avoidable.map(({ minor }) => minor),
    [90_000, 90_000],
  )
  for (const { id, attributes } of data) {
    const alone = await api.call({ url: `/v2/containers/${id}/charges?until=2026-02-03` })
    const { charges } = (
      JSON.parse(alone.text) as { data: { attributes: { charges: readonly { forecast: Sum; owed: Sum }[] } } }
    ).data.attributes
    for (const sum of ['owed', 'forecast'] as const)
      assert.deepEqual(
        attributes[sum].totals.reduce((all, { minor }) => all + minor, 0),
        charges.flatMap((each) => each[sum].totals).reduce((all, { minor }) => all + minor, 0),
        attributes.number,
      )
  }
})

test('filters apply to charge rows and sums, paging has no gaps, and only the first page has the totals', async () => {
  const first = ids.get('MSCU4000005')
  for (const query of [`?filter[shipment]=${first?.shipmentId}`, '?filter[ref_number]=po-0', '?filter[tags]=spring']) {
    const { data, meta } = await sums(query)
    assert.deepEqual(
      data.map(({ attributes }) => attributes.number),
      ['MSCU4000005'],
      query,
    )
    assert.equal(meta.all?.containers, 1)
  }
  const storage = await sums('?filter[kind]=storage&filter[charged_by]=terminal&filter[running]=true')
  assert.deepEqual(storage.meta.all?.owed.totals, [{ minor: 30_000, currency: 'CAD' }])
  const seen: string[] = []
  let url: string | null = '/v2/charges?limit=2'
  for (let page = 0; url !== null; page += 1) {
    const answer = await api.call({ url: url.replace(/^https?:\/\/[^/]+/, '') })
    const { data, links, meta } = JSON.parse(answer.text) as Summed
    assert.equal(meta.all === null, page > 0)
    if (page === 0) assert.equal(meta.all?.containers, 3)
    seen.push(...data.map(({ attributes }) => attributes.number))
    url = links.next
  }
  assert.deepEqual(seen.toSorted(), boxes)
  assert.deepEqual((await sums('?filter[customer]=00000000-0000-4000-8000-000000000000')).data, [])
})

test('refuses an invalid day, one too far ahead, an invalid id and an invalid kind, naming each', async () => {
  for (const [query, parameter] of [
    ['until=soon', 'until'],
    ['until=2027-01-01', 'until'],
    ['filter[kind]=fine', 'filter[kind]'],
    ['after=1', 'after'],
    ['limit=0', 'limit'],
  ]) {
    const answer = await api.call({ url: `/v2/charges?${query}` })
    assert.ok(answer.status === 422 || answer.status === 400, `${query} ${answer.status}`)
    assert.equal(answer.error().source?.parameter, parameter, answer.text)
  }
})

test('a container that costs or will cost within 48 hours needs attention, with the amount a day', async () => {
  const found = (await api.call({ url: '/v2/attention?filter[reason]=will_cost' })).many()
  assert.deepEqual(
    found.map(({ attributes }) => [attributes['severity'], attributes['text']]),
    [
      [
        'urgent',
        'MSCU4000010 will cost from Sun 1 Feb on: 150.00 CAD and 150.00 USD a day (demurrage by acme-oney, storage by storage).',
      ],
      [
        'urgent',
        'MSCU4000005 costs since Fri 30 Jan: 150.00 CAD and 150.00 USD a day (demurrage by acme-oney, storage by storage).',
      ],
    ],
  )
  const meta = (await api.call({ url: '/v2/attention?filter[reason]=will_cost' })).body.meta
  assert.deepEqual(meta?.['unknown'], { will_cost: 0 })
  assert.deepEqual((await api.call({ url: '/v2/attention', key: strangerKey })).many(), [])
})

test('an alert rule reports coming charges once', async () => {
  const made = await post('/v2/alert_rules', 'alert_rule', {
    name: 'Costs',
    reasons: ['will_cost'],
    webhook: { url: 'https://example.com/costs', format: 'json' },
    delivery: 'immediately',
  })
  assert.equal(made.status, 201, made.text)
  await api.drain()
  const { rows } = await api.service.pool.query<{ subject: string }>(
    `select count(*)::int as n from alert_told where reason = 'will_cost'`,
  )
  assert.deepEqual(rows, [{ n: 2 }])
})

test('a different reported last free day is an issue with both values and its source, and closes when they agree', async () => {
  const first = ids.get('MSCU4000005')
  const issues = async (key = api.key) =>
    (await api.call({ url: '/v2/issues?filter[kind]=last_free_day_differs', key })).many()
  assert.deepEqual(await issues(), [])
  const say = async (value: string | null) => {
    const answer = await post(`/v2/containers/${first?.id}/statements`, 'statement', {
      says: 'pickup_lfd_line',
      value,
    })
    assert.equal(answer.status, 201, answer.text)
    await api.drain()
  }
  await say('2026-01-27')
  const [issue, ...others] = await issues()
  assert.deepEqual(others, [])
  assert.equal(
    issue?.attributes['detail'],
    "MSCU4000005: a user reports 2026-01-27 as the line's last free day, terms acme-oney version 1 give 2026-01-29",
  )
  assert.equal(issue?.attributes['lost'], 'nothing')
  assert.deepEqual(issue?.relationships?.['shipment']?.data, { type: 'shipment', id: first?.shipmentId })
  assert.deepEqual(await issues(strangerKey), [])
  const fold = foldBy(readRules(api.service.config))
  for (const repair of [false, true]) {
    const report = await rebuildProjections(api.service, fold, {
      repair,
      differencesMax: 20,
      progress: () => {},
    })
    assert.deepEqual(report.differences, [], 'the issue is no part of what the ledger yields')
  }
  assert.equal((await issues()).length, 1)
  await say('2026-01-29')
  assert.deepEqual(await issues(), [])
})

test('shows an agent what is owed and what is unknown, and nothing of another account', async () => {
  const mcp = await openTestMcp(api)
  const client = await connect(mcp.url, { authorization: `Token ${api.key}` })
  const stranger = await connect(mcp.url, { authorization: `Token ${strangerKey}` })
  try {
    const ask = async (args: Record<string, unknown>, by = client) =>
      by.callTool({ name: 'get_charges', arguments: args })
    const all = (await ask({ until: '2026-02-03' })).structuredContent as Record<string, unknown>
    const check = new Ajv2020({ strict: false }).compile(getCharges.output)
    assert.ok(check(all), JSON.stringify(check.errors))
    assert.deepEqual(all['sums'], {
      owed: ['300.00 CAD', '300.00 USD', '4 charged days'],
      forecast: ['1200.00 CAD', '1200.00 USD', '16 charged days'],
      avoidable: ['900.00 CAD', '900.00 USD'],
      fees: null,
    })
    assert.deepEqual(all['unknown'], [
      '1: no source has reported the event that starts the clock',
      '3: no terminal or railway has said whether it has fees',
    ])
    const one = (await ask({ container_id: ids.get('MSCU4000010')?.id })).structuredContent as {
      items: readonly { terms: readonly string[] }[]
    }
    assert.match(one.items[0]?.terms[0] ?? '', /last free day 2026-01-31; charged from 2026-02-01; 150\.00 USD a day/)
    assert.equal((await ask({ until: 'soon' })).isError, true)
    const theirs = await ask({ container_id: ids.get('MSCU4000010')?.id }, stranger)
    assert.match(JSON.stringify(theirs.content), /No such container/)
    const prompt = await client.getPrompt({
      name: 'check-demurrage',
      arguments: { container_id: ids.get('MSCU4000010')?.id ?? '' },
    })
    assert.match(JSON.stringify(prompt.messages), /get_charges/)
  } finally {
    await client.close()
    await stranger.close()
    await mcp.close()
  }
})

test('terms of another account do not apply to these containers', async () => {
  const before = (await sums()).meta.all
  await record({ ...terms, charger_code: null, free: 0 }, strangerKey)
  await api.drain()
  assert.deepEqual((await sums()).meta.all, before)
  const theirs = await sums('', strangerKey)
  assert.deepEqual([theirs.data, theirs.meta.all?.containers], [[], 0])
  api.clock.advance(dayMs)
})
