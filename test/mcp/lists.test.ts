import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Carrier, openCarrier } from '../support/carrier.ts'
import { caller, connect, openTestMcp, type TestMcp } from '../support/mcp.ts'
import { discharged, journey, seededAt } from '../support/seed.ts'
import { giveAccess } from '../support/service.ts'

/** A terminal has reported the first container, only the line the second, and nobody the third. */
const numbers = ['MSCU4000005', 'MSCU4000010', 'MSCU4000026'] as const
let api: TestApi
let mcp: TestMcp
let client: Client
let stranger: Client
let carrier: Carrier
let ids: ReadonlyMap<string, string>

before(async () => {
  api = await openTestApi({ startAt: seededAt })
  mcp = await openTestMcp(api)
  client = await connect(mcp.url, { authorization: `Token ${api.key}` })
  const other = await api.newKey(await api.newAccount(), ['read', 'write'])
  stranger = await connect(mcp.url, { authorization: `Token ${other}` })
  carrier = await openCarrier()
  carrier.answers({ json: journey(numbers, 'first') }, 'CNSH30000001')
  await giveAccess(api, { scac: 'ONEY', profile: carrier.profile('ONEY') })
  const bill = { number: 'CNSH30000001', scac: 'ONEY', numberType: 'bill_of_lading' }
  await client.callTool({ name: 'track_container', arguments: bill })
  await api.drain()
  ids = await discharged(api, {
    MSCU4000005: { line: '2026-03-20', terminal: '2026-03-12', isAvailable: true, hold: 'customs' },
    MSCU4000010: { line: '2026-03-25' },
    MSCU4000026: {},
  })
})
after(async () => {
  await client.close()
  await stranger.close()
  await mcp.close()
  await carrier.close()
  await api.close()
})

interface List {
  readonly items: readonly Readonly<Record<string, unknown>>[]
  readonly understood: Readonly<Record<string, string>>
  readonly unknown: readonly { readonly what: string; readonly count: number; readonly message: string }[]
  readonly _response_contract: { readonly total_is_reliable: boolean; readonly now: string }
}

const { call, refusal } = caller(() => client)
const list = async (filters: object, tool = 'list_containers', by?: Client) =>
  (await call(tool, { filters }, by)) as unknown as List
const numbersIn = async (filters: object) => (await list(filters)).items.map(({ number }) => number).toSorted()
const refused = (filters: object, tool = 'list_containers') => refusal(tool, { filters })

describe('filters', () => {
  test('accept lines, ports and statuses as people write them, and show how they were understood', async () => {
    for (const filters of [
      { pod: 'Los Angeles' },
      { pod: 'Port of Los Angeles' },
      { pod: 'los angeles, CA' },
      { port_of_discharge: 'USLAX' },
      { 'filter[port_of_discharge]': 'USLAX', 'filter[created_at][start]': '2020-01-01' },
      { pod: 'Pier 400' },
      { pod: 'LAX' },
      { pol: 'Yangshan' },
      { line: 'Ocean Network Express' },
      { carrier: 'one' },
      { scac: 'ONEY', pol: 'Shanghai' },
      { status: 'at the terminal' },
      { status: 'Grounded, available' },
      { status: ['grounded', 'available'] },
      { status: 'not picked up' },
    ])
      assert.deepEqual(await numbersIn(filters), numbers, JSON.stringify(filters))
    const answer = await list({ line: 'one', pod: 'Los Angeles', status: 'at sea' })
    assert.deepEqual(
      [answer.items.length, answer.understood],
      [0, { scac: 'ONE (ONEY)', pod: 'Los Angeles (USLAX)', status: 'on_ship' }],
    )
    assert.equal((await list({ line: 'one', status: 'arrived' }, 'list_shipments')).items.length, 1)
    assert.equal(
      (await list({ line: 'one', status: 'tracking', request_type: 'bill' }, 'list_tracking_requests')).items.length,
      1,
    )
    assert.deepEqual(await numbersIn({ held: true }), ['MSCU4000005'])
    assert.deepEqual(await numbersIn({ hold: 'Customs' }), ['MSCU4000005'])
    assert.deepEqual(await numbersIn({ number: 'mscu 400001-0' }), ['MSCU4000010'])
    const [held] = (await list({ held: 'yes' })).items
    assert.deepEqual(await numbersIn({ shipment: held?.['shipmentId'] }), numbers)
    assert.deepEqual(await numbersIn({ created_before: '2020-01-01' }), [])
    const days = await list({ eta_after: '2020-01-01', eta_before: '2020-01-31', lfd_before: '2020-01-31' })
    assert.deepEqual(days.understood, {
      eta: 'from 2020-01-01 to 2020-01-31, whole days at the port of discharge',
      lfd: 'to 2020-01-31, whole days at the place',
    })
  })

  test('with unknown values are refused with suggestions', async () => {
    for (const [filters, sentence] of [
      [{ prot: 'x' }, /no filter `prot`.*Did you mean `pod`|no filter `prot`/],
      [{ port: 'USLAX' }, /no filter `port`.*`pod` or `pol`/],
      [{ staus: 'x' }, /`staus`.*Did you mean `status`/],
      [{ frobnicate: '1' }, /no filter `frobnicate`.*There are: number, status/],
      [{ status: 'grouned' }, /`status`.*`grouned`.*Did you mean `grounded`/],
      [{ pod: 'Los Angelos' }, /`pod`.*Did you mean `Los Angeles`/],
      [{ pod: 'TIW' }, /`pod`.*Did you mean `USTIW`/],
      [{ line: 'Hapak' }, /`scac`.*`Hapak`.*Did you mean `Hapag`/],
      [{ scac: 'XXXX' }, /`scac`.*`XXXX`/],
      [{ hold: 'custom' }, /Did you mean `customs`/],
      [{ held: 'maybe' }, /`held` must be true or false/],
      [{ lfd_before: 'Friday' }, /`lfd_before` must be a day as YYYY-MM-DD/],
      [{ lfd_before: '2026-02-31x' }, /`lfd_before` must be a day/],
      [{ vessel: 'NO SUCH SHIP EVER' }, /`vessel`: there is no vessel `NO SUCH SHIP EVER`/],
      [{ terminal: 'Nowhere Terminal' }, /`terminal`: there is no terminal/],
      [{ number: 'MSCU4000007' }, /check digit of MSCU4000007 is wrong/],
      [{ number: 'CNSH30000001' }, /`number` must be a container number/],
      [{ scac: 'ONEY', line: 'MAEU' }, /given twice/],
      [{ tag: { a: 1 } }, /`tag` is a text/],
      [{ shipment: 'OOLU1' }, /`shipment` is an id/],
      [{ eta_before: 'Friday' }, /`eta_before` is an ISO 8601 date-time or date/],
    ] as const)
      assert.match(await refused(filters), sentence, JSON.stringify(filters))
    assert.match(await refused({ status: 'arived' }, 'list_shipments'), /Did you mean `arrived`/)
    assert.match(await refused({ status: 'faild' }, 'list_tracking_requests'), /Did you mean `failed`/)
    assert.match(await refusal('webhook_health', { event: 'container.update' }), /Did you mean `container.updated`/)
  })
})

test('a tag is found in upper and lower case', async () => {
  const { id } = (await api.call({ url: '/v2/shipments' })).many()[0] ?? {}
  await call('update_shipment', { id, tags: ['Garden furniture'] })
  for (const tags of ['garden furniture', 'GARDEN FURNITURE', 'Garden furniture'])
    assert.equal(((await call('list_shipments', { tags }))['items'] as readonly unknown[]).length, 1, tags)
  assert.equal(
    ((await call('list_shipments', { filters: { tag: 'garden' } }))['items'] as readonly unknown[]).length,
    0,
  )
  await call('update_shipment', { id, tags: [] })
})

describe('unknown data', () => {
  test('is counted and reported when a filter needs the data', async () => {
    const none = await list({ pod: 'Los Angeles', lfd_before: '2026-03-01' })
    assert.deepEqual(none.items, [])
    assert.deepEqual(
      none.unknown.map(({ what, count }) => [what, count]),
      [['last free day', 1]],
    )
    assert.match(
      none.unknown[0]?.message ?? '',
      /Not listed: 1 container whose last free day nobody knows .not picked up yet: 1.; no line/,
    )
    assert.equal(none._response_contract.total_is_reliable, false)
    assert.equal(none._response_contract.now, '2026-03-10T00:00:00Z')
    const held = await list({ held: false })
    assert.deepEqual(
      held.unknown.map(({ what, count }) => [what, count]),
      [['holds', 2]],
    )
    const free = await call('list_containers', { has_fees: false })
    assert.deepEqual(
      (free['unknown'] as typeof held.unknown).map(({ what, count }) => [what, count]),
      [['fees', 2]],
    )
    const known = await list({ status: 'grounded' })
    assert.deepEqual([known.unknown, known._response_contract.total_is_reliable], [[], true])
    const ships = await list({ vessel_imo: '9321483', eta_before: '2026-01-01' }, 'list_shipments')
    assert.deepEqual([ships.items, ships.unknown], [[], []])
    assert.deepEqual((await list({ lfd_before: '2026-03-01' }, 'list_containers', stranger)).unknown, [])
  })
})

describe('the earliest of the last free days', () => {
  test('determines the urgency and the list filters', async () => {
    assert.deepEqual(await numbersIn({ lfd_before: '2026-03-14' }), ['MSCU4000005'])
    assert.deepEqual(await numbersIn({ lfd_after: '2026-03-13' }), ['MSCU4000010'])
    assert.deepEqual(await numbersIn({ lfd_after: '2026-03-12', lfd_before: '2026-03-25' }), numbers.slice(0, 2))
    const { items } = await list({ lfd_before: '2026-03-14' })
    const { pickupLfd, earliestLfd, urgency, daysUntilLfd, containerNumber } = items[0] ?? {}
    assert.deepEqual(
      [pickupLfd, earliestLfd, urgency, daysUntilLfd, containerNumber],
      ['2026-03-20', '2026-03-12', 'ok', 3, 'MSCU4000005'],
    )
    const { demurrage } = (await call('get_container', { id: ids.get('MSCU4000005') })) as {
      readonly demurrage: Readonly<Record<string, unknown>>
    }
    assert.deepEqual([demurrage['pickup_lfd'], demurrage['earliest_lfd']], ['2026-03-20', '2026-03-12'])
    assert.match(String(demurrage['urgency_reason']), /Free time ends Thu 12 Mar, 3 days left, says the terminal/)
  })

  test('is what rows are sorted by, whichever last free day is named', async () => {
    const { pool } = api.service
    const line = (day: string) =>
      pool.query(
        `update containers set projection = jsonb_set(projection, '{freeTime,line,on}', to_jsonb($1::text)) where number = 'MSCU4000010'`,
        [day],
      )
    await line('2026-03-15')
    for (const sort of ['lfd', 'pickup_lfd', 'free_until', 'last free day']) {
      const { items } = (await call('list_containers', { sort, filters: {} })) as unknown as List
      assert.deepEqual(
        items.map(({ number }) => number),
        numbers,
        sort,
      )
    }
    await line('2026-03-25')
  })
})

describe('the page of a container', () => {
  const pageOf = async (number: string) => {
    const { contents } = await client.readResource({ uri: `landfall://container/${ids.get(number)}` })
    return (contents[0] as { readonly text: string }).text
  }

  test('can be read by the number of the container, and that of its shipment by its bill', async () => {
    const read = async (uri: string, by = client) => (await by.readResource({ uri })).contents[0]
    const byNumber = await read('landfall://container/MSCU4000005')
    assert.equal((byNumber as { readonly text: string }).text, await pageOf('MSCU4000005'))
    assert.match(JSON.stringify(await read('landfall://shipment/CNSH30000001')), /CNSH30000001/)
    for (const uri of ['landfall://container/MSCU4000005', 'landfall://shipment/CNSH30000001'])
      await assert.rejects(read(uri, stranger), { code: -32602 })
    // A number of several containers is the address of none.
    await assert.rejects(read('landfall://container/CNSH30000001'), { code: -32602 })
  })

  test('shows availability, holds and fees, or that no terminal has reported them', async () => {
    const spoken = await pageOf('MSCU4000005')
    for (const line of ['- Available for pick-up: yes', '- Holds: customs hold', '- Fees: none'])
      assert.ok(spoken.includes(line), spoken)
    const silent = await pageOf('MSCU4000010')
    for (const name of ['Available for pick-up', 'Holds', 'Fees'])
      assert.ok(silent.includes(`- ${name}: unknown: no terminal has reported`), silent)
  })
})

test('a place inland is found as the destination, and also by who names it as the port', async () => {
  await api.service.pool.query(
    `update containers set projection = jsonb_set(projection, '{destination}',
            (projection -> 'portOfDischarge') || '{"place": {"unlocode": "USCHI", "name": "Chicago"}}')
      where number = 'MSCU4000010'`,
  )
  assert.deepEqual(await numbersIn({ destination: 'Chicago' }), ['MSCU4000010'])
  assert.deepEqual(await numbersIn({ destination: 'Los Angeles' }), [])
  const named = await list({ pod: 'Chicago' })
  assert.deepEqual(
    [named.items.map(({ number }) => number), named.understood['pod']],
    [['MSCU4000010'], 'Chicago (USCHI), as port or destination'],
  )
  assert.deepEqual((await list({ destination: 'USCHI' }, 'list_shipments')).items, [])
})

test('an arrival that nobody estimated is not counted as unknown once the container has arrived', async () => {
  const { pool } = api.service
  await pool.query(`update containers set projection = jsonb_set(projection, '{portOfDischarge,eta}', 'null')`)
  assert.deepEqual((await list({ eta_after: '2026-01-01' })).unknown, [])
  await pool.query(
    `update containers set projection = jsonb_set(projection, '{status}', '"on_ship"'), status = 'on_ship'`,
  )
  assert.deepEqual(
    (await list({ eta_after: '2026-01-01' })).unknown.map(({ what, count }) => [what, count]),
    [['arrival estimate', 3]],
  )
})
