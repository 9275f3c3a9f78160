import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { containerArguments, filterArguments } from '../../src/mcp/lists/api-filters.ts'
import { tools } from '../../src/mcp/tools.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type CallResult, connect, eras, openTestMcp, type TestMcp } from '../support/mcp.ts'
import { type Seeded, seededAt, seedShipment } from '../support/seed.ts'

let api: TestApi
let seeded: Seeded
let mcp: TestMcp
let client: Client
let stranger: Client
const ajv = new Ajv2020({ strict: false, allErrors: true })
const strict = new Map(tools.map((tool) => [tool.name, ajv.compile(tool.output)]))

before(async () => {
  api = await openTestApi({ startAt: seededAt })
  seeded = await seedShipment(api)
  mcp = await openTestMcp(api)
  client = await connect(mcp.url, { authorization: `Token ${api.key}` })
  const other = await api.newKey(await api.newAccount(), ['read', 'write'])
  stranger = await connect(mcp.url, { authorization: `Token ${other}` })
})
after(async () => {
  await client.close()
  await stranger.close()
  await mcp.close()
  await seeded.carrier.close()
  await api.close()
})

const textOf = (block: CallResult['content'][number] | undefined): string => (block?.type === 'text' ? block.text : '')

/** Calls the tool and checks the answer against its whole schema, and the order of its blocks. */
async function call(name: string, args: object, by: Client = client): Promise<Readonly<Record<string, unknown>>> {
  const answer = await by.callTool({ name, arguments: { ...args } })
  assert.notEqual(answer.isError, true, textOf(answer.content[0]))
  const data = answer.structuredContent as Record<string, unknown>
  const check = strict.get(name)
  assert.ok(check?.(data), `${name}: ${ajv.errorsText(check?.errors)}`)
  assert.deepEqual(JSON.parse(textOf(answer.content[0])), data)
  const last = answer.content.at(-1)
  // A compact answer has its rows and nothing else.
  if (answer.content.length === 1) return data
  assert.equal(last?.type, 'text')
  assert.deepEqual(last?.annotations?.audience, ['assistant'])
  const steering = JSON.parse(textOf(last)) as Readonly<Record<string, unknown>>
  assert.equal(steering['_agent_steering'], true)
  for (const filled of [steering['suggested_follow_ups'], steering['suggested_tools']])
    assert.notEqual((filled as readonly string[] | undefined)?.length, 0, 'filled or gone')
  return data
}

async function refusal(name: string, args: object, by: Client = client): Promise<string> {
  const answer = await by.callTool({ name, arguments: { ...args } })
  assert.equal(answer.isError, true, `${name} was answered`)
  return textOf(answer.content[0])
}

const items = (list: Readonly<Record<string, unknown>>) => list['items'] as readonly Record<string, unknown>[]
const nowhere = '018f0000-0000-7000-8000-000000000000'

describe('the list of tools', () => {
  for (const era of eras) {
    test(`is smaller than 40 KB and in a stable order, with protocol ${era}`, async () => {
      const own = await connect(mcp.url, { authorization: `Token ${api.key}`, era })
      const listed = await own.listTools()
      assert.ok(JSON.stringify(listed).length < 40_000, `${JSON.stringify(listed).length}`)
      assert.deepEqual(
        listed.tools.map(({ name }) => name),
        tools.map(({ name }) => name),
      )
      for (const { outputSchema, inputSchema } of listed.tools) {
        assert.equal(outputSchema?.type, 'object')
        assert.equal(inputSchema['additionalProperties'], false)
      }
      await own.close()
    })
  }

  test('says of each tool whether it changes, repeats or asks outside', async () => {
    const hints = (await client.listTools()).tools.map(({ name, annotations }) => [name, annotations] as const)
    const having = (hint: 'readOnlyHint' | 'idempotentHint' | 'openWorldHint', value: boolean) =>
      hints.flatMap(([name, annotations]) => (annotations?.[hint] === value ? [name] : []))
    const changing = tools.filter(({ effect }) => effect === 'change').map(({ name }) => name)
    assert.deepEqual(having('readOnlyHint', false), changing)
    const again = ['refresh_container', 'redeliver', 'correct_tracking_request', 'track_container']
    assert.deepEqual(having('idempotentHint', false).toSorted(), [...again, 'brief', 'share_shipment'].toSorted())
    assert.deepEqual(
      having('openWorldHint', true).toSorted(),
      [...again, 'track_numbers', 'resume_tracking'].toSorted(),
    )
    assert.equal(having('openWorldHint', false).length + 6, tools.length)
  })

  test('describes every argument that is no filter of the API', () => {
    const filters = Object.keys({ ...filterArguments.shipments, ...containerArguments })
    for (const { name, input } of tools)
      for (const [argument, schema] of Object.entries(input.properties))
        assert.ok(
          filters.includes(argument) || String((schema as { description?: unknown }).description ?? '').length > 5,
          `${name} ${argument}`,
        )
  })

  test('matches the table of docs/mcp.md', () => {
    const page = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8')
    for (const { name, effect, input } of tools) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`))
      assert.ok(row, `${name} is missing`)
      assert.equal(row.includes('| write |'), effect === 'change', row)
      for (const argument of Object.keys(input.properties))
        assert.ok(row.includes(`\`${argument}\``), `${name} ${argument}`)
    }
  })
})

describe('reading tools', () => {
  test('search_container finds by part of a number, and an empty result is no error', async () => {
    const found = await call('search_container', { query: '4000005' })
    assert.equal(found['total_results'], 1)
    const [container] = found['containers'] as readonly Record<string, unknown>[]
    assert.equal(container?.['id'], seeded.containerIds[0])
    assert.equal(container?.['pod_terminal'], 'APM Terminals')
    assert.equal((await call('search_container', { query: 'NOSUCH' }))['total_results'], 0)
    assert.equal((await call('search_container', { query: '4000005' }, stranger))['total_results'], 0)
  })

  test('get_container gives local times with their zone, and marks unknown values', async () => {
    const container = await call('get_container', {
      id: seeded.containerIds[0],
      include: ['shipment', 'transport_events'],
    })
    const location = container['location'] as Record<string, unknown>
    assert.equal(location['pod_arrived_at_local'], '2026-02-01T11:30:00-08:00[America/Los_Angeles]')
    assert.equal(location['delivered_at_local'], null)
    const demurrage = container['demurrage'] as Record<string, unknown>
    assert.deepEqual([demurrage['fees'], demurrage['holds'], demurrage['pickup_lfd']], [null, null, null])
    assert.equal((container['events'] as unknown[]).length, 11)
    assert.equal((container['shipment'] as { id: string }).id, seeded.shipmentId)
    const metadata = container['_metadata'] as Record<string, readonly string[]>
    assert.ok(metadata['needs_more_data_for']?.some((each) => each.includes('never state a daily rate')))
  })

  test('get_shipment_details can leave out the containers of a shipment', async () => {
    const shipment = await call('get_shipment_details', { id: seeded.shipmentId })
    assert.equal(shipment['bill_of_lading'], seeded.bill)
    assert.equal(shipment['estimate_by_landfall'], null)
    const without = await call('get_shipment_details', { id: seeded.shipmentId, include_containers: false })
    assert.deepEqual(without['containers'], { count: 2 })
  })

  test('milestones, raw events and the route describe the same journey', async () => {
    const [id] = seeded.containerIds
    const events = await call('get_container_transport_events', { id })
    assert.equal(
      (events['milestones'] as Record<string, string>)['vessel_departed_at'],
      '2026-01-05T22:00:00+08:00[Asia/Shanghai]',
    )
    const raw = await call('get_container_raw_events', { id })
    const active = await call('get_container_raw_events', { id, standing_only: true })
    assert.ok(Number(raw['total_events']) > Number(active['total_events']), 'a withdrawn one is among all')
    const route = await call('get_container_route', { id })
    assert.equal(route['total_legs'], 2)
  })

  test('lists have filters and pages, and refuse unknown filters', async () => {
    assert.equal(items(await call('list_shipments', { query: 'CNSH', include_containers: true })).length, 1)
    assert.equal(items(await call('list_shipments', { number: 'OTHER1' })).length, 0)
    assert.equal(items(await call('list_shipments', { tracking_stopped: true })).length, 0)
    for (const [filters, count] of [
      [{ status: 'picked_up', scac: 'oney', pol: 'CNSHA', pod: 'USLAX', ref_number: 'PO-77' }, 1],
      [{ status: 'completed' }, 0],
      [{ vessel_imo: '9321483', eta_after: '2026-01-01' }, 1],
      [{ pod: 'NLRTM' }, 0],
      [{ tag: 'none' }, 0],
    ] as const)
      assert.equal(items(await call('list_shipments', { filters })).length, count, JSON.stringify(filters))
    assert.equal(items(await call('list_containers', { filters: { lfd_before: '2030-01-01' } })).length, 0)
    assert.equal(
      items(
        await call('list_containers', {
          filters: { status: 'picked_up', pod: 'USLAX' },
          include: 'shipment',
        }),
      ).length,
      2,
    )
    assert.equal(items(await call('list_containers', { filters: { updated_after: '2027-01-01T00:00:00Z' } })).length, 0)
    const page = await call('list_containers', { page: 2, page_size: 1 })
    assert.deepEqual(
      [page['links'], page['meta']],
      [
        { prev: 1, next: null },
        { size: 1, total: 2, unknown_rows: 0 },
      ],
    )
    const requests = await call('list_tracking_requests', {
      filters: { scac: 'oney' },
      status: 'created',
    })
    assert.deepEqual(requests['unsupportedFilters'], [])
    assert.equal((requests['_response_contract'] as Record<string, unknown>)['total_is_reliable'], true)
    assert.equal(items(requests).length, 1)
    assert.match(await refusal('list_tracking_requests', { filters: { port: 'USLAX' } }), /no filter `port`/)
    for (const list of ['list_shipments', 'list_containers', 'list_tracking_requests', 'webhook_health'])
      assert.equal(items(await call(list, {}, stranger)).length, 0)
  })

  test('list_containers links each container as a readable resource', async () => {
    const answer = await client.callTool({ name: 'list_containers', arguments: {} })
    const links = answer.content.filter((each) => each.type === 'resource_link')
    assert.equal(links.length, 2)
    const { contents } = await client.readResource({ uri: links[0]?.uri ?? '' })
    assert.match((contents[0] as { text: string }).text, /# Container MSCU40000/)
  })

  test('the list of lines has their number types, and no test line', async () => {
    const all = await call('get_supported_shipping_lines', {})
    const lines = all['shipping_lines'] as readonly Record<string, unknown>[]
    assert.ok(lines.length > 30 && !lines.some(({ scac }) => scac === 'TEST'))
    const ask = async (search: string) => {
      const found = await call('get_supported_shipping_lines', { search })
      return (found['shipping_lines'] as readonly Record<string, unknown>[])[0]
    }
    const one = await ask('ONEY')
    assert.deepEqual(one?.['tracked_by'], ['bill_of_lading', 'booking_number', 'container'])
    assert.equal(one['enabled'], true)
    const unreached = await ask('EGLV')
    assert.deepEqual([unreached?.['tracked_by'], unreached?.['enabled']], [[], false])
    assert.match(String(unreached?.['notes']), /no access/)
  })

  test('infer_number gives candidates and reasons, and refuses invalid numbers', async () => {
    const inferred = await call('infer_number', { number: 'HLCU1234567' })
    assert.ok((inferred['explanation'] as unknown[]).length > 0)
    assert.match(await refusal('infer_number', { number: '!!' }), /not valid/)
  })

  test('explain_value names the chosen claim, the rule and the rejected claims', async () => {
    const explained = await call('explain_value', {
      type: 'shipment',
      id: seeded.shipmentId,
      value: 'pod_ata_at',
    })
    const [value] = explained['values'] as readonly { rule: string; said: { source: string; value: string } }[]
    assert.equal(value?.said.source, 'shipping_line ONEY')
    assert.equal(value.said.value, '2026-02-01T11:30:00-08:00[America/Los_Angeles]')
    assert.ok(value.rule.length > 10)
    assert.match(await refusal('explain_value', { type: 'shipment', id: seeded.shipmentId, value: 'x' }), /no value/)
  })

  test('invalid arguments are refused with their names and the valid values', async () => {
    const id = seeded.shipmentId
    for (const [name, args, sentence] of [
      ['get_container', {}, /`id` is missing/],
      ['get_container', { id: 'x' }, /No container that is tracked has the number x/],
      ['get_container', { id: 'x'.repeat(101) }, /`id` has more than 100 characters/],
      [
        'get_container',
        { id, include: ['shipmet'] },
        /`include\[0\]` is one of shipment, pod_terminal, transport_events/,
      ],
      ['list_containers', { status: 'grounded' }, /`status` .* is a filter: send it in `filters`/],
      ['list_containers', { pagesize: 5 }, /`pagesize` .*Did you mean `page_size`/],
      ['list_containers', { page_size: '5' }, /`page_size` must be a whole number/],
      ['list_containers', { page: 0 }, /`page` must be 1 or more/],
      ['list_tracking_requests', { status: 'done' }, /`status` is one of pending, awaiting_manifest, created, failed/],
      [
        'track_container',
        { number: 'X', numberType: 'bol' },
        /`numberType` is one of bill_of_lading, booking_number, container/,
      ],
      ['search_container', { query: '' }, /`query` is empty/],
      ['update_shipment', { id, tags: 'urgent' }, /`tags` must be a list/],
      ['stop_tracking', { id: 'x', why: 'y' }, /`why` is an additional argument/],
      ['correct_tracking_request', { id: 'x' }, /`id` must be a uuid/],
    ] as const)
      assert.match(await refusal(name, args), sentence, name)
  })

  test('every tool accepts `intent`, and treats null as a missing argument', async () => {
    const [id] = seeded.containerIds
    const args: Readonly<Record<string, object>> = {
      search_container: { query: 'CNSH' },
      list_containers: { filters: null, page: null },
      infer_number: { number: 'HLCU1234567' },
      get_shipment_details: { id: seeded.shipmentId },
      explain_value: { type: 'container', id },
      track_container: { number: 'MSCU4000005', scac: null },
      stop_tracking: { id: seeded.shipmentId },
      resume_tracking: { id: seeded.shipmentId },
      update_shipment: { id: seeded.shipmentId, tags: [] },
      track_numbers: { numbers: ['MSCU4000005'] },
      search: { query: 'CNSH' },
      summarize_containers: { group_by: 'current_status', filters: null },
      search_docs: { query: 'webhooks' },
      list_invoice_audits: { number: null },
      share_shipment: { id: seeded.shipmentId, name: 'For a customer' },
      get_vessel: { vessel: 'EMMA MAERSK' },
      verify_answer: { draft: 'MSCU4000005 was discharged.' },
    }
    const ownTests = ['redeliver', 'correct_tracking_request']
    for (const { name, input } of tools) {
      if (ownTests.includes(name)) continue
      const needsId = 'id' in input.properties && !(name in args)
      await call(name, { intent: 'The user asks where it is', ...(needsId ? { id } : args[name]) })
    }
  })

  test('each row names the container number under both field names', async () => {
    const [row] = items(await call('list_containers', { view: 'full' }))
    assert.equal(row?.['number'], row?.['containerNumber'])
    const [shipment] = items(await call('list_shipments', { include_containers: true }))
    const [inShipment] = (shipment?.['containers'] ?? []) as readonly Record<string, unknown>[]
    assert.equal(inShipment?.['number'], inShipment?.['containerNumber'])
    const [found] = (await call('search_container', { query: '4000005' }))['containers'] as readonly Record<
      string,
      unknown
    >[]
    assert.deepEqual([found?.['number'], found?.['container_number']], ['MSCU4000005', 'MSCU4000005'])
  })

  test('missing data, data of another account and invalid input are refused with a sentence', async () => {
    const byId = ['get_container', 'get_container_transport_events', 'get_container_raw_events', 'get_container_route']
    for (const name of byId) {
      assert.match(await refusal(name, { id: nowhere }), /No such container/)
      assert.match(await refusal(name, { id: seeded.containerIds[0] }, stranger), /No such container/)
      assert.match(await refusal(name, { id: 'MSCU4000005' }, stranger), /No container that is tracked/)
      assert.match(await refusal(name, { id: nowhere, more: 1 }), /additional/)
    }
    assert.match(await refusal('get_shipment_details', { id: seeded.shipmentId }, stranger), /No such shipment/)
    const asked = { type: 'shipment', id: seeded.shipmentId, value: 'pod_ata_at' }
    assert.match(await refusal('explain_value', asked, stranger), /No such/)
    assert.match(await refusal('list_containers', { filters: { updated_after: 'yesterday' } }), /updated_after/)
    for (const kind of ['container', 'shipment']) {
      const id = kind === 'container' ? seeded.containerIds[0] : seeded.shipmentId
      await assert.rejects(stranger.readResource({ uri: `landfall://${kind}/${id}` }), { code: -32602 })
    }
  })
})

describe('writing tools', () => {
  test('tracking is stopped and resumed, references are replaced, and another account can do none of it', async () => {
    const id = seeded.shipmentId
    assert.equal((await call('stop_tracking', { id }))['is_tracked'], false)
    assert.equal((await call('resume_tracking', { id }))['is_tracked'], true)
    const updated = await call('update_shipment', { id, tags: ['urgent'] })
    assert.deepEqual([updated['tags'], updated['ref_numbers']], [['urgent'], ['PO-77']])
    for (const name of ['stop_tracking', 'resume_tracking', 'update_shipment'])
      assert.match(await refusal(name, { id }, stranger), /No such shipment/)
    assert.match(String((await call('refresh_container', { id: seeded.containerIds[0] }))['message']), /polled/)
    assert.match(await refusal('refresh_container', { id: seeded.containerIds[0] }, stranger), /No such/)
  })

  test('webhook_health shows each webhook and its failed deliveries, only of the own account', async () => {
    // Earlier events are numbered before a client listens.
    await api.drain()
    const url = 'http://127.0.0.1:9/hook'
    const attributes = { url, active: true, events: ['tracking_request.tracking_stopped'] }
    await api.call({ method: 'POST', url: '/v2/webhooks', body: { data: { type: 'webhook', attributes } } })
    await call('stop_tracking', { id: seeded.shipmentId })
    await api.drain()
    const [failure, ...others] = items(await call('webhook_health', { status: 'pending' }))
    assert.equal(others.length, 0)
    assert.equal(failure?.['event'], 'tracking_request.tracking_stopped')
    assert.deepEqual([failure['attempts'], failure['lastStatusCode']], [1, null])
    assert.match(String(failure['lastError']), /^⟦.+⟧$/)
    assert.equal(items(await call('webhook_health', { status: 'pending' }, stranger)).length, 0)
    assert.equal(items(await call('webhook_health', { event: 'container.updated' })).length, 0)
    const now = await call('webhook_health', {})
    assert.equal(items(now).length, 1, 'what is still tried fails now as well')
    const [webhook] = now['webhooks'] as readonly Record<string, unknown>[]
    assert.deepEqual([webhook?.['host'], webhook?.['active']], ['127.0.0.1:9', true])
    assert.match(String(webhook?.['failingSince']), /^2026-/)
    assert.doesNotMatch(JSON.stringify(now), /hook"/, 'no path, for it may hold a secret')
    assert.deepEqual((await call('webhook_health', {}, stranger))['webhooks'], [])
    const earlier = await client.callTool({ name: 'list_webhook_failures', arguments: {} })
    assert.equal((earlier.structuredContent as { items: readonly unknown[] }).items.length, 1, 'its earlier name')
    await call('resume_tracking', { id: seeded.shipmentId })
  })

  test('track_container creates one request for a number that is not tracked yet', async () => {
    const shown = await call('track_container', { number: 'mscu 400000-5' })
    assert.deepEqual([shown['tracking_request_created'], shown['id']], [false, seeded.containerIds[0]])
    const byBill = await call('track_container', { number: seeded.bill })
    assert.equal((byBill['other_containers'] as unknown[]).length, 1)
    const first = await call('track_container', { number: 'ONEYSH1234567', refNumbers: ['PO-1'] })
    assert.equal(first['tracking_request_created'], true)
    const again = await call('track_container', { number: 'ONEYSH1234567' })
    assert.equal(again['tracking_request_created'], false)
    const idOf = (data: Readonly<Record<string, unknown>>) => (data['tracking_request'] as { id: string }).id
    assert.equal(idOf(again), idOf(first))
    assert.match(await refusal('track_container', {}), /number/)
    assert.match(
      await refusal('track_container', { number: 'ABC123', scac: 'XXXX', numberType: 'booking_number' }),
      /XXXX/,
    )
  })
})
