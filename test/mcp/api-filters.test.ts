// The lists by the filters of the API: as arguments, in `advanced_filters`, beside our own, and tracked rows alone.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { tools } from '../../src/mcp/tools.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Carrier, openCarrier } from '../support/carrier.ts'
import { caller, connect, openTestMcp, type TestMcp, textOf } from '../support/mcp.ts'
import { discharged, journey, seededAt } from '../support/seed.ts'
import { giveAccess } from '../support/service.ts'

type Json = Readonly<Record<string, unknown>>

/** The shipment of the last one is no longer tracked. */
const [held, free, stopped] = ['MSCU4000005', 'MSCU4000010', 'MSCU4000026'] as const
const [bill, stoppedBill] = ['CNSH30000001', 'CNSH30000002'] as const
const ajv = new Ajv2020({ strict: false })
const schemas = new Map(tools.map((tool) => [tool.name, ajv.compile(tool.output)]))
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
  carrier.answers({ json: journey([held, free], 'first') }, bill)
  carrier.answers({ json: journey([stopped], 'first') }, stoppedBill)
  await giveAccess(api, { scac: 'ONEY', profile: carrier.profile('ONEY') })
  for (const number of [bill, stoppedBill])
    await call('track_container', { number, scac: 'ONEY', numberType: 'bill_of_lading' })
  await api.drain()
  ids = await discharged(api, {
    [held]: { line: '2026-03-20', terminal: '2026-03-12', isAvailable: true, hold: 'customs' },
    [free]: { line: '2026-03-25' },
    [stopped]: {},
  })
  await call('update_shipment', { id: bill, tags: ['priority', 'hot'] })
  await call('stop_tracking', { id: stoppedBill })
})
after(async () => {
  await client.close()
  await stranger.close()
  await mcp.close()
  await carrier.close()
  await api.close()
})

const { call, refusal } = caller(() => client)
async function list(args: object, tool = 'list_containers', by?: Client) {
  const data = await call(tool, args, by)
  const check = schemas.get(tool)
  assert.ok(check?.(data), `${JSON.stringify(args)} ${ajv.errorsText(check?.errors)}`)
  return data as Json & { readonly items: readonly Json[]; readonly _metadata: Json }
}
const numbersIn = async (args: object) => (await list(args)).items.map(({ number }) => number).toSorted()
const billsIn = async (args: object) =>
  (await list(args, 'list_shipments')).items.map(({ billOfLading }) => billOfLading).toSorted()

describe('lists', () => {
  test('take filters of the API as arguments, and all of them in advanced_filters', async () => {
    for (const [args, found] of [
      [{}, [held, free]],
      [{ number: `${held},${free}` }, [held, free]],
      [{ has_holds: true }, [held]],
      [{ has_holds: 'true' }, [held]],
      [{ pod_code: 'USLAX', pol_code: ['CNSHG', 'NLRTM'] }, [held, free]],
      [{ pod_code: 'NLRTM' }, []],
      [{ current_status: 'grounded,available', shipping_line_scac: 'ONEY' }, [held, free]],
      [{ arrival: ['>=2026-02-01', '<=2026-02-02'] }, [held, free]],
      [{ arrival: '<2026-02-01' }, []],
      [{ advanced_filters: { vessel_name: 'EMMA MAERSK', pod_terminal_id: '@exists' } }, [held, free]],
      [{ advanced_filters: { search_by_shipment_number: 'cnsh3' } }, [held, free]],
      [{ advanced_filters: { pod_ata_at: ['>=2026-02-01', '<=2026-02-02'] }, filters: { held: true } }, [held]],
      [{ advanced_filters: { created_at: { start: '2027-01-01' } } }, []],
      [{ advanced_filters: { pod: 'Los Angeles', delivered_at: '@not_exists' } }, [held, free]],
      [{ advanced_filters: { last_free_day_on: ['2026-03-01', '2026-03-21'] } }, []],
      [{ tags: 'hot,cold' }, [held, free]],
      [{ tags: ['hot', 'cold'], advanced_filters: { tags_and: true } }, []],
      [{ filters: { tag: 'hot, cold' } }, []],
      [{ filters: { tag: 'hot, priority' } }, [held, free]],
      [{ requires_attention: true }, [held]],
      [{ filters: { arrival: '2026-02-01', pod_code: 'Los Angeles' } }, [held, free]],
      [{ advanced_filters: null, pod_code: null }, [held, free]],
    ] as const)
      assert.deepEqual(await numbersIn(args), found, JSON.stringify(args))
    for (const [args, found] of [
      [{ voyage_status: 'arrived', created_at: '>=2020-01-01T00:00:00Z' }, [bill]],
      [{ voyage_status: 'on_ship' }, []],
      [{ pod_arrival: '2026-02-01', advanced_filters: { arriving_today: false } }, [bill]],
      [{ advanced_filters: { q: 'cnsh30000001' } }, [bill]],
      [{ number: bill }, [bill]],
      [{ number: [bill, stoppedBill] }, [bill, stoppedBill]],
      [{ advanced_filters: { tag: 'hot' } }, [bill]],
    ] as const)
      assert.deepEqual(await billsIn(args), found, JSON.stringify(args))
    assert.deepEqual((await list({}, 'list_containers', stranger)).items, [])
  })

  test('take the parties by their roles, and the parties of a shipment in any role', async () => {
    const post = async (url: string, data: object) => (await api.call({ method: 'POST', url, body: { data } })).one().id
    const party = await post('/v2/parties', { type: 'party', attributes: { company_name: 'Acme' } })
    const [shipment] = (await api.call({ url: `/v2/shipments?number=${bill}` })).many()
    await post(`/v2/shipments/${shipment?.id}/party_roles`, {
      type: 'party_role',
      attributes: { role: 'shipper' },
      relationships: { party: { data: { type: 'party', id: party } } },
    })
    assert.deepEqual(await numbersIn({ advanced_filters: { parties: { shipper: party } } }), [held, free])
    assert.deepEqual(await numbersIn({ advanced_filters: { parties: { shipper: [party], consignee: party } } }), [])
    assert.deepEqual(await billsIn({ advanced_filters: { party_id: { value: [party], operator: 'all' } } }), [bill])
  })

  test('refuse unknown names, bad values and a filter that is given twice, by its name', async () => {
    for (const [args, sentence] of [
      [{ advanced_filters: { pod_cod: 'USLAX' } }, /no filter `pod_cod`.*Did you mean `pod_code`/],
      [{ advanced_filters: { __proto__: 1, constructor: 'x' } }, /no filter `constructor`/],
      [{ pod_cod: 'USLAX' }, /`pod_cod` is an additional argument.*Did you mean `pod_code`/],
      [{ pod_code: 'USLAX', advanced_filters: { pod_code: 'USLAX' } }, /`pod_code` is given twice/],
      [{ pod_code: 'USLAX', filters: { pod: 'Los Angeles' } }, /`pod_code` is given twice/],
      [{ tags: 'a', filters: { tag: 'a' } }, /`tags` is given twice/],
      [
        { advanced_filters: { created_at: { start: '2026-01-01' } }, filters: { created_after: '2026-01-01' } },
        /twice/,
      ],
      [{ arrival: 'Friday' }, /`arrival` must be a day as YYYY-MM-DD/],
      [{ arrival: ['>=2026-01-01', 'x'] }, /`arrival\[\]` must be a day/],
      [{ advanced_filters: { last_free_day_on: '2026-03-01' } }, /`last_free_day_on\[\]` must be given twice/],
      [{ has_fees: 'maybe' }, /`has_fees` must be true or false/],
      [{ has_fees: 1 }, /`has_fees` must be true or false or a text/],
      [{ pod_code: { a: 1 } }, /`pod_code` must be a text/],
      [{ advanced_filters: { pod_code: { a: 1 } } }, /`pod_code` is a text/],
      [{ advanced_filters: { pod_code: [['USLAX']] } }, /`pod_code` is a text/],
      [{ shipping_line_scac: 'O\u0000' }, /must be letters, digits/],
      [{ custom_fields: { po: 'x' } }, /`custom_fields` has no field `po`/],
      [{ view: 'short' }, /`view` is one of compact, full/],
    ] as const)
      assert.match(await refusal('list_containers', args), sentence, JSON.stringify(args))
    for (const args of [
      { advanced_filters: { tag: 'a' }, tags: 'a' },
      { number: bill, filters: { number: bill } },
    ])
      assert.match(await refusal('list_shipments', args), /is given twice/)
    assert.match(await refusal('summarize_containers', { group_by: 'current_status', has_holds: 7 }), /`has_holds`/)
  })

  test('leave out what is no longer tracked, unless a filter wants it, and show that they do', async () => {
    assert.deepEqual((await list({}))._metadata['applied_filters'], { actively_tracked: true })
    for (const [args, found] of [
      [{ filters: { status: 'grounded, available' } }, [held, free]],
      [{ include_stopped_tracking: true }, [held, free, stopped]],
      [{ actively_tracked: false }, [stopped]],
      [{ advanced_filters: { actively_tracked: 'false' } }, [stopped]],
      [{ number: stopped }, [stopped]],
      [{ filters: { number: stopped } }, [stopped]],
    ] as const)
      assert.deepEqual(await numbersIn(args), found, JSON.stringify(args))
    for (const [args, found] of [
      [{}, [bill]],
      [{ tracking_stopped: true }, [stoppedBill]],
      [{ filters: { tracking_stopped: true } }, [stoppedBill]],
      [{ query: 'CNSH3' }, [bill, stoppedBill]],
      [{ include_stopped_tracking: true, pod_code: 'USLAX' }, [bill, stoppedBill]],
    ] as const)
      assert.deepEqual(await billsIn(args), found, JSON.stringify(args))
    const counted = await list({ count_by: 'line' })
    assert.deepEqual(counted['counts'], [{ value: 'ONEY', name: 'ONE', count: 2 }])
    assert.deepEqual(counted._metadata['applied_filters'], { actively_tracked: true })
    const asked = { include_stopped_tracking: true, pod_code: 'USLAX' }
    const all = await call('summarize_containers', { group_by: 'shipping_line', ...asked })
    assert.deepEqual([all['total'], all['applied_filters']], [3, { pod_code: 'USLAX' }])
    const noGoods = await list({ advanced_filters: { product: 'CHAIR' } }, 'list_shipments')
    assert.match(JSON.stringify(noGoods._metadata['notes']), /`product`: No row is listed, because/)
    assert.equal((await call('summarize_containers', { group_by: 'pickup_lfd_date' }))['total'], 2)
    const answer = await client.callTool({ name: 'list_containers', arguments: {} })
    assert.match(textOf(answer.content.at(-1)), /Only tracked ones are listed/)
  })

  test('count what the filters of the API cannot decide on', async () => {
    const unknownOf = async (args: object) =>
      ((await list(args))['unknown'] as readonly Json[]).map(({ what, count }) => [what, count])
    const before = { pickup_lfd: '<=2026-03-01', include_stopped_tracking: true }
    assert.deepEqual(await numbersIn(before), [])
    assert.deepEqual(await unknownOf(before), [['last free day', 1]])
    assert.deepEqual(await unknownOf({ has_holds: false }), [['holds', 1]])
    assert.deepEqual(await unknownOf({ advanced_filters: { pickup_lfd: '@not_exists' } }), [])
    assert.deepEqual(await unknownOf({ pod_code: 'NLRTM', arrival: '<2026-01-01' }), [])
  })

  test('have short rows by default, and the earlier ones with `view: full` and in the earlier form', async () => {
    const [row] = (await list({ has_holds: true })).items
    const {
      shipment,
      pod_arrived_at,
      pod_discharged_at,
      terminal_checked_at: _,
      ...rest
    } = row as Json & {
      readonly shipment: Json
    }
    assert.deepEqual(rest, {
      id: ids.get(held),
      number: held,
      status: rest['status'],
      available_for_pickup: true,
      availability_known: true,
      pod_terminal: 'APM Terminals',
      pickup_lfd: '2026-03-20',
      earliest_lfd: '2026-03-12',
      urgency: 'ok',
      act_by: '2026-02-02',
      days_until_lfd: 3,
      holds: [{ name: 'customs' }],
      fees: [],
      pod_timezone: 'America/Los_Angeles',
    })
    assert.deepEqual(
      [pod_arrived_at, pod_discharged_at, shipment['pod_ata_at'], shipment['bill_of_lading'], shipment['pod_vessel']],
      ['2026-02-01T10:00:00-08:00', '2026-02-02T13:00:00-08:00', '2026-02-01T10:00:00-08:00', bill, 'EMMA MAERSK'],
    )
    const [silent] = (await list({ number: free })).items
    assert.deepEqual(
      [silent?.['holds'], silent?.['fees'], silent?.['availability_known']],
      [undefined, undefined, false],
    )
    for (const args of [{ view: 'full' }, { filters: { held: true } }, { include: 'shipment' }])
      assert.equal((await list(args)).items[0]?.['containerNumber'] !== undefined, true, JSON.stringify(args))
    for (const args of [{ view: 'compact', filters: { held: true } }, { include: ['shipment', 'pod_terminal'] }])
      assert.equal((await list(args)).items[0]?.['shipment'] !== undefined, true, JSON.stringify(args))
    assert.deepEqual(Object.keys((await list({ fields: 'number' })).items[0] ?? {}), ['number'])
  })

  test('tell which page follows, and by what they are sorted', async () => {
    const first = await list({ page_size: 1, sort: 'attention_priority' })
    assert.deepEqual(first._metadata, {
      applied_filters: { actively_tracked: true },
      sort: 'attention_priority',
      page: 1,
      page_size: 1,
      has_more: true,
      next_page: 2,
    })
    assert.equal(first.items[0]?.['number'], held)
    const { has_more, next_page } = (await list({ page_size: 1, page: 2, sort: '-last_status_refresh_at' }))._metadata
    assert.deepEqual([has_more, next_page], [false, undefined])
  })

  test('filter by a custom field, by its name or its slug', async () => {
    const attributes = {
      api_slug: 'po_number',
      display_name: 'PO number',
      entity_type: 'Container',
      data_type: 'short_text',
    }
    const created = await api.call({
      method: 'POST',
      url: '/v2/custom_field_definitions',
      body: { data: { type: 'custom_field_definition', attributes } },
    })
    assert.equal(created.status, 201, created.text)
    const set = await api.call({
      method: 'POST',
      url: `/v2/containers/${ids.get(free)}/custom_fields`,
      body: { data: { type: 'custom_field', attributes: { api_slug: 'po_number', value: 'PO 4711' } } },
    })
    assert.equal(set.status, 201, set.text)
    for (const name of ['po_number', 'PO Number']) {
      const found = await list({ custom_fields: { [name]: '4711' } })
      assert.deepEqual(
        found.items.map(({ number }) => number),
        [free],
      )
      assert.deepEqual(found._metadata['custom_fields'], [
        { field: 'PO number', api_slug: 'po_number', data_type: 'short_text', value: '4711' },
      ])
    }
    assert.match(await refusal('list_containers', { custom_fields: { po_nummer: 'x' } }), /Did you mean `po_number`/)
    const container = await call('get_container', { id: free, include: ['custom_fields'] })
    assert.deepEqual(container['custom_fields'], [{ api_slug: 'po_number', data_type: 'short_text', value: 'PO 4711' }])
    const shipment = await call('get_shipment_details', { id: bill, include_custom_fields: true })
    assert.deepEqual(shipment['custom_fields'], [])
  })
})

test('list_tracking_requests takes a number, a line and `succeeded`', async () => {
  const found = (await list({ request_number: bill, scac: 'ONE', status: 'succeeded' }, 'list_tracking_requests')).items
  assert.deepEqual(
    found.map(({ requestNumber, status }) => [requestNumber, status]),
    [[bill, 'created']],
  )
  const twice = { scac: 'ONEY', filters: { scac: 'ONEY' } }
  assert.match(await refusal('list_tracking_requests', twice), /`scac` is given twice/)
})

test('the tools of trade data are not listed, and say by name that there is none', async () => {
  const { tools: listed } = await client.listTools()
  const names = ['search_importers', 'get_trade_data_coverage', 'trade_intel']
  assert.equal(
    listed.some(({ name }) => names.includes(name)),
    false,
  )
  for (const name of names.slice(0, 2)) {
    const answer = await client.callTool({ name, arguments: { query: 'furniture' } })
    assert.equal(answer.isError, undefined)
    assert.equal((answer.structuredContent as Json)['error'], 'FeatureNotEnabled')
  }
})
