/** The parts of the server: what only reads, what lists fewer tools, and what shows one customer or shipment only. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import { tools } from '../../src/mcp/tools.ts'
import type { VerifyBearer } from '../../src/modules/oauth-apps/authenticate-bearer.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { caller, connect, eras, openTestMcp, type TestMcp, textOf } from '../support/mcp.ts'
import { equipment, type Seeded, seededAt, seedShipment, transport } from '../support/seed.ts'

type Row = Readonly<Record<string, unknown>>

let api: TestApi
let mcp: TestMcp
let own: Seeded
let acme: string
let kestrel: string
let all: Client
let ofCustomer: Client
let ofShipment: Client

/** The shipment of another customer: no answer may show any of this. */
const foreign = { bill: 'CNSH87654321', box: 'MSCU4000026', reference: 'KESTREL-9', shipmentId: '', containerId: '' }
/** The same, of nobody. */
const nobody = {
  bill: 'CNSH11111111',
  box: 'MSCU4000031',
  reference: 'NOBODY-99',
  shipmentId: '018f0000-0000-7000-8000-000000000001',
  containerId: '018f0000-0000-7000-8000-000000000002',
}
const role: { shipmentId: string; bill: string; box: string } = {
  shipmentId: '',
  bill: 'CNSH22222222',
  box: 'MSCU4000047',
}

const verifyBearer: VerifyBearer = async (_service, { token }) => {
  const actor = { kind: 'oauth_client', id: api.context.account.id } as const
  const { account } = api.context
  if (token === 'reader') return { kind: 'identity', identity: { account, actor, scopes: ['read'], role: 'member' } }
  if (token === 'read_only')
    return { kind: 'identity', identity: { account, actor, scopes: ['read'], role: 'read_only' } }
  return { kind: 'invalid' }
}

before(async () => {
  api = await openTestApi({ startAt: seededAt })
  acme = await makeParty('Acme')
  kestrel = await makeParty('Kestrel')
  own = await seedShipment(api, { relationships: { customer: party(acme) } })
  const made = await sail(foreign, { customer: party(kestrel) }, [foreign.reference])
  Object.assign(foreign, made)
  Object.assign(role, await sail(role, {}, []))
  const body = { data: { type: 'party_role', attributes: { role: 'customer' }, relationships: { party: party(acme) } } }
  const given = await api.call({ method: 'POST', url: `/v2/shipments/${role.shipmentId}/party_roles`, body })
  assert.equal(given.status, 201)
  mcp = await openTestMcp(api, { verifyBearer })
  const at = (path: string) => connect(`${mcp.url}/mcp${path}`, { authorization: `Token ${api.key}` })
  all = await at('')
  ofCustomer = await at(`/customers/${acme}`)
  ofShipment = await at(`/shipments/${own.shipmentId}`)
})
after(async () => {
  for (const each of [all, ofCustomer, ofShipment]) await each.close()
  await mcp.close()
  await own.carrier.close()
  await api.close()
})

const party = (id: string) => ({ data: { type: 'party', id } })
async function makeParty(company_name: string): Promise<string> {
  const body = { data: { type: 'party', attributes: { company_name } } }
  return (await api.call({ method: 'POST', url: '/v2/parties', body })).one().id
}

/** One more shipment, of one box that is at sea. */
async function sail(of: { bill: string; box: string }, relationships: object, ref_numbers: readonly string[]) {
  const at = (call: string, unlocode: string, sequence: number) =>
    ({
      call: `${of.bill} ${call}`,
      unlocode,
      facility: null,
      sequence,
      mode: 'VESSEL',
      vessel: { vesselIMONumber: '9321495', vesselName: 'ESTELLE MAERSK' },
      voyage: '7E',
    }) as const
  const events = [
    equipment('LOAD', 'LADEN', '2026-03-05T04:00:00+08:00', { ...at('1', 'CNSHA', 1), number: of.box }),
    transport('DEPA', 'ACT', '2026-03-06T04:00:00+08:00', at('1', 'CNSHA', 1)),
    transport('ARRI', 'EST', '2026-03-20T08:00:00-07:00', at('2', 'USLAX', 2)),
  ]
  own.carrier.answers({ json: events }, of.bill)
  const attributes = { request_type: 'bill_of_lading', request_number: of.bill, scac: 'ONEY', ref_numbers }
  const body = { data: { type: 'tracking_request', attributes, relationships } }
  await api.call({ method: 'POST', url: '/v2/tracking_requests', body })
  await api.drain()
  const [shipment] = (await api.call({ url: `/v2/shipments?filter[number]=${of.bill}` })).many()
  const containers = shipment?.relationships?.['containers']?.data as readonly { readonly id: string }[]
  return { shipmentId: shipment?.id ?? '', containerId: containers[0]?.id ?? '' }
}

const { call, refusal } = caller(() => all)
const rows = (data: Row, name = 'items') => data[name] as readonly Row[]
const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)

async function post(path: string, headers: Readonly<Record<string, string>>, body: object = ping) {
  const response = await fetch(`${mcp.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const key = () => ({ authorization: `Token ${api.key}` })

describe('/mcp/read', () => {
  test('offers only tools that read, by path and by header, in both eras, whatever the key may do', async () => {
    const reading = tools.filter(({ effect }) => effect === 'read').map(({ name }) => name)
    for (const era of eras) {
      const client = await connect(`${mcp.url}/mcp/read`, { authorization: `Token ${api.key}`, era })
      assert.deepEqual(await namesOf(client), reading)
      for (const name of ['stop_tracking', 'track_container']) {
        const args = name === 'stop_tracking' ? { id: own.shipmentId } : { number: 'ONEYSH1234567' }
        assert.match(await refusal(name, args, client), /This address only reads/)
      }
      assert.equal(rows(await call('list_shipments', {}, client)).length, 3)
      await client.close()
    }
    const listed = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const byHeader = await post('/', { ...key(), 'x-landfall-mcp': 'read' }, listed)
    assert.doesNotMatch(byHeader.text, /"stop_tracking"/)
    assert.match(byHeader.text, /"list_shipments"/)
    assert.match((await post('/', key(), listed)).text, /"stop_tracking"/)
  })

  test('never asks an app for the scope to write', async () => {
    const stop = { name: 'stop_tracking', arguments: { id: own.shipmentId } }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: stop }
    const authorization = 'Bearer reader'
    assert.equal((await post('/mcp', { authorization }, body)).status, 403)
    const there = await post('/mcp/read', { authorization }, body)
    assert.equal(there.status, 200)
    assert.match(there.text, /only reads/)
    const challenge = (await post('/mcp/read', {})).headers.get('www-authenticate')
    assert.equal(
      challenge,
      'Bearer resource_metadata="http://127.0.0.1:3001/.well-known/oauth-protected-resource", scope="tracking:read"',
    )
  })

  test('is the same protected resource as the whole server', async () => {
    for (const path of ['read', 'core', `customers/${acme}`, 'read/']) {
      const response = await fetch(`${mcp.url}/.well-known/oauth-protected-resource/mcp/${path}`)
      assert.equal(((await response.json()) as Row)['resource'], 'http://127.0.0.1:3001', path)
    }
    const unknown = await fetch(`${mcp.url}/.well-known/oauth-protected-resource/mcp/other`)
    assert.equal(unknown.status, 404)
  })
})

test('an app whose person may not let it write is offered only tools that read, and refused in words', async () => {
  for (const era of eras) {
    const client = await connect(mcp.url, { authorization: 'Bearer read_only', era })
    const { tools: listed } = await client.listTools()
    assert.ok(listed.every(({ annotations }) => annotations?.readOnlyHint === true))
    assert.match(await refusal('stop_tracking', { id: own.shipmentId }, client), /your role in this account/)
    await client.close()
    const writer = await connect(mcp.url, { authorization: 'Bearer reader', era })
    assert.ok((await namesOf(writer)).includes('stop_tracking'), 'its person can let it write')
    await writer.close()
  }
})

test('a read-only key may call every tool that it is offered', async () => {
  const client = await connect(mcp.url, { authorization: `Token ${await api.newKey(api.context, ['read'])}` })
  const args: Readonly<Record<string, object>> = {
    explain_value: { type: 'shipment', id: own.shipmentId },
    fetch: { id: own.bill },
    get_shipment_details: { id: own.shipmentId },
    summarize_containers: { group_by: 'current_status' },
    infer_number: { number: own.numbers[0] },
    get_vessel: { vessel: '9321483' },
    verify_answer: { draft: own.bill },
  }
  for (const { name, inputSchema } of (await client.listTools()).tools) {
    const needs = inputSchema.required ?? []
    const usual = needs.includes('id') ? { id: own.containerIds[0] } : needs.includes('query') ? { query: 'CNSH' } : {}
    await call(name, args[name] ?? usual, client)
  }
  await client.close()
})

describe('/mcp/core', () => {
  test('lists fifteen tools, finds the others by words, and answers all by name', async () => {
    const client = await connect(`${mcp.url}/mcp/core`, { authorization: `Token ${api.key}` })
    const names = await namesOf(client)
    assert.equal(names.length, 15)
    const size = JSON.stringify(await client.listTools()).length
    assert.ok(size < 22_000, `${size}`)
    const found = await call('find_tools', { query: 'failed webhooks' }, client)
    assert.equal(rows(found, 'tools')[0]?.['name'], 'webhook_health')
    const { inputSchema } = rows(found, 'tools')[0] as { readonly inputSchema: { readonly properties: Row } }
    assert.ok('webhook_id' in inputSchema.properties)
    assert.ok(!names.includes('webhook_health'))
    assert.deepEqual((await call('webhook_health', {}, client))['webhooks'], [])
    const reader = await connect(`${mcp.url}/mcp/core`, {
      authorization: `Token ${await api.newKey(api.context, ['read'])}`,
    })
    const forReader = await call('find_tools', { query: 'stop tracking', limit: 50 }, reader)
    assert.ok(rows(forReader, 'tools').every((each) => each['reads_only'] === true))
    assert.ok(!(await namesOf(all)).includes('find_tools'))
    for (const each of [client, reader]) await each.close()
  })
})

describe('an address of a part that there is not', () => {
  test('is answered with the same 404 for a foreign, an unknown and an unreadable id', async () => {
    const other = await api.newKey(await api.newAccount(), ['read'])
    const bodies = new Set<string>()
    for (const [path, authorization] of [
      [`/mcp/customers/${acme}`, `Token ${other}`],
      [`/mcp/customers/${nobody.shipmentId}`, `Token ${api.key}`],
      [`/mcp/customers/${own.shipmentId}`, `Token ${api.key}`],
      ['/mcp/customers/acme', `Token ${api.key}`],
    ] as const) {
      const answer = await post(path, { authorization })
      assert.equal(answer.status, 404, path)
      bodies.add(answer.text)
    }
    assert.deepEqual(
      [...bodies].map((text) => JSON.parse(text) as unknown),
      [{ jsonrpc: '2.0', error: { code: -32000, message: 'There is no customer with the id in the address.' } }],
    )
    const shipments = await post(`/mcp/shipments/${own.shipmentId}`, { authorization: `Token ${other}` })
    assert.deepEqual([shipments.status, /no shipment/.test(shipments.text)], [404, true])
    assert.equal((await post(`/mcp/customers/${acme}`, {})).status, 401, 'without a key nothing is told')
  })

  test('is refused: an unknown name, an unknown header, two that differ', async () => {
    for (const path of ['/mcp/other', '/mcp/read/more', '/mcp/customers', '/mcp/customers/a/b'])
      assert.equal((await post(path, key())).status, 404, path)
    for (const [path, part] of [
      ['/', 'reed'],
      ['/mcp', 'customers'],
      ['/mcp/read', 'core'],
      [`/mcp/customers/${acme}`, `customers/${kestrel}`],
    ] as const)
      assert.equal((await post(path, { ...key(), 'x-landfall-mcp': part })).status, 400, path)
    assert.equal((await post('/mcp/read/', { ...key(), 'x-landfall-mcp': 'read' })).status, 200)
  })
})

/** The arguments of each tool that is offered where rows are limited; a new one needs a case below. */
const argumentsOf: Readonly<Record<string, readonly string[]>> = {
  search_container: ['query'],
  get_container: ['id', 'include', 'cite'],
  get_shipment_details: ['id', 'include_containers', 'include_custom_fields', 'cite'],
  get_container_transport_events: ['id', 'page_size'],
  get_supported_shipping_lines: ['search'],
  get_container_route: ['id'],
  get_container_raw_events: ['id', 'standing_only', 'page_size'],
  explain_value: ['type', 'id', 'value', 'claim', 'as_of'],
  attention: ['reason', 'line', 'shipment_id', 'count_by', 'fields', 'page', 'page_size'],
  what_changed: ['since', 'id', 'events', 'place', 'day', 'page_size'],
  get_charges: ['container_id', 'shipment_id', 'until', 'after'],
  search: ['query'],
  fetch: ['id'],
  search_docs: ['query', 'limit'],
  verify_answer: ['draft', 'shipments'],
}
const limitedTools = [...Object.keys(argumentsOf), 'list_containers', 'summarize_containers'].toSorted()

/** Calls that are about the foreign shipment, or about nobody's. */
function asking(about: typeof foreign): readonly (readonly [string, Row])[] {
  const { shipmentId, containerId, bill, box, reference } = about
  const texts = [bill, box, reference]
  const ids = [shipmentId, containerId, ...texts]
  const filters = [
    { number: box },
    { custom_fields: { nothing: box } },
    { advanced_filters: { search_by_ids: box } },
    { advanced_filters: { search_by_shipment_number: bill } },
    { filters: { shipment: shipmentId } },
    { filters: { customer_id: kestrel } },
    { filters: { vessel: 'ESTELLE MAERSK' } },
    { filters: { ref_number: reference } },
  ]
  return [
    ...texts.flatMap((query) => [['search_container', { query }] as const, ['search', { query }] as const]),
    ...ids.flatMap((id) => [
      ...[
        'get_container',
        'get_shipment_details',
        'get_container_transport_events',
        'get_container_route',
        'get_container_raw_events',
        'what_changed',
      ].map((name) => [name, { id }] as const),
      ...['container', 'shipment'].map((type) => ['explain_value', { type, id }] as const),
      ...[id, `container:${id}`, `shipment:${id}`].map((each) => ['fetch', { id: each }] as const),
      ['attention', { shipment_id: id }] as const,
      [
        'verify_answer',
        { draft: `Bill ${bill}: ${box} was discharged in Los Angeles on 2 Feb. Its number: ${reference}.` },
      ] as const,
      ['verify_answer', { draft: 'It was discharged on 2 Feb.', shipments: [id] }] as const,
      ['what_changed', { id, place: 'USLAX', day: '<=2030-01-01' }] as const,
      ['get_charges', { shipment_id: id }] as const,
      ['get_charges', { container_id: id }] as const,
    ]),
    ...filters.flatMap((each) => [
      ['list_containers', { ...each, include_stopped_tracking: true }] as const,
      ['summarize_containers', { ...each, include_stopped_tracking: true, group_by: 'pod_terminal' }] as const,
    ]),
    ...[{ number: bill }, { query: reference }, { advanced_filters: { q: box } }].map(
      (each) => ['list_shipments', each] as const,
    ),
  ]
}

for (const [name, part] of [
  ['customer', () => ofCustomer],
  ['shipment', () => ofShipment],
] as const)
  describe(`a server of one ${name}`, () => {
    const offered = name === 'customer' ? [...limitedTools, 'list_shipments'].toSorted() : limitedTools

    test('offers only tools whose rows it limits, no prompts, and nothing that changes', async () => {
      const { tools: listed } = await part().listTools()
      assert.deepEqual(listed.map((each) => each.name).toSorted(), offered)
      for (const [tool, known] of Object.entries(argumentsOf))
        assert.deepEqual(Object.keys(tools.find((each) => each.name === tool)?.input.properties ?? {}), known, tool)
      assert.equal(
        part().getServerCapabilities()?.prompts === undefined ? 0 : (await part().listPrompts()).prompts.length,
        0,
      )
      for (const each of tools) {
        if (offered.includes(each.name)) continue
        const needs = (each.input as { readonly required?: readonly string[] }).required ?? []
        const args = Object.fromEntries(
          needs.map((argument) => [argument, argument === 'numbers' ? ['X'] : own.shipmentId]),
        )
        assert.match(await refusal(each.name, args, part()), /only reads|not offered at this address/, each.name)
      }
    })

    test('answers about its own rows', async () => {
      const { call: ask } = caller(part)
      const [id] = own.containerIds
      for (const tool of ['get_container_transport_events', 'get_container_route'])
        assert.match(JSON.stringify(await ask(tool, { id })), /Busan/, tool)
      for (const tool of ['get_container', 'fetch'])
        assert.match(JSON.stringify(await ask(tool, { id })), new RegExp(own.shipmentId), tool)
      assert.ok(rows(await ask('get_container_raw_events', { id: own.numbers[0] }), 'raw_events').length > 0)
      for (const given of [own.bill, own.shipmentId, 'PO-77'])
        assert.equal((await ask('get_shipment_details', { id: given }))['id'], own.shipmentId)
      assert.equal((await ask('search_container', { query: own.bill }))['total_results'], 3)
      assert.equal(rows(await ask('search', { query: own.numbers[0] }), 'results').length, 1)
      assert.ok(rows(await ask('explain_value', { type: 'shipment', id: own.bill }), 'values').length > 0)
      assert.ok(rows(await ask('what_changed', { id: own.bill, since: '0' }), 'changes').length > 0)
      assert.equal((await ask('get_charges', { shipment_id: own.bill }))['containers'], 2)
      await ask('attention', { shipment_id: own.bill })
      const verified = await ask('verify_answer', { draft: `${own.numbers[0]} was discharged on 2 Feb.` })
      assert.equal((verified['summary'] as Row)['said'], 3)
      const numbers = rows(await ask('list_containers', { include_stopped_tracking: true })).map(
        (each) => each['number'],
      )
      const ownRows = name === 'customer' ? [...own.numbers, role.box] : own.numbers
      assert.deepEqual(numbers.toSorted(), ownRows.toSorted())
      const counted = { group_by: 'current_status', include_stopped_tracking: true }
      assert.equal((await ask('summarize_containers', counted))['total'], ownRows.length)
      const { contents } = await part().readResource({ uri: `landfall://container/${id}` })
      assert.match(JSON.stringify(contents), /MSCU4000005/)
    })

    test('tells nothing about another shipment: the answer is the one for a shipment that there is not', async () => {
      const clean = (text: string, about: typeof foreign) =>
        Object.values(about).reduce((left, each) => left.replaceAll(each, '…'), text)
      const others = asking(nobody)
      for (const [at, [tool, args]] of asking(foreign).entries()) {
        if (!offered.includes(tool)) continue
        const [answer, other] = [
          await part().callTool({ name: tool, arguments: { ...args } }),
          await part().callTool({ name: tool, arguments: { ...others[at]?.[1] } }),
        ]
        const about = `${tool} ${JSON.stringify(args)}`
        const [text, expected] = [JSON.stringify(answer.content), JSON.stringify(other.content)]
        assert.equal(clean(text, foreign), clean(expected, nobody), about)
        assert.equal(answer.isError, other.isError, about)
      }
      for (const kind of ['container', 'shipment', 'snapshot'] as const) {
        const ids = kind === 'container' ? [foreign.containerId, foreign.box] : [foreign.shipmentId, foreign.bill]
        for (const id of ids)
          await assert.rejects(
            part().readResource({ uri: `landfall://${kind}/${id}` }),
            { code: -32602 },
            `${kind} ${id}`,
          )
      }
      const templates = (await part().listResourceTemplates()).resourceTemplates.map((each) => each.name)
      assert.deepEqual(templates, ['container', 'shipment'])
      for (const [kind, value, wanted] of [
        ['container', foreign.box, []],
        ['shipment', foreign.bill, []],
        ['container', 'MSCU4000005', ['MSCU4000005']],
      ] as const) {
        const ref = { type: 'ref/resource', uri: `landfall://${kind}/{id}` } as const
        const { completion } = await part().complete({ ref, argument: { name: 'id', value } })
        assert.deepEqual(completion.values, wanted, value)
      }
    })

    test('shows nothing of another shipment where no shipment is named', async () => {
      for (const tool of offered) {
        if (['get_container', 'get_shipment_details'].includes(tool)) continue
        const { isError, content } = await part().callTool({
          name: tool,
          arguments: {
            ...(tool.startsWith('list_') ? { include_stopped_tracking: true, page_size: 100 } : {}),
            ...(tool === 'summarize_containers' ? { group_by: 'pod_terminal' } : {}),
            ...(tool.startsWith('search') ? { query: 'CNSH' } : {}),
          },
        })
        const text = JSON.stringify(content)
        for (const each of Object.values(foreign)) assert.ok(!text.includes(each), `${tool}: ${text}`)
        if (['attention', 'what_changed', 'get_charges'].includes(tool))
          assert.equal(isError === true, name === 'customer', `${tool}: ${text}`)
      }
    })

    test('tells what happened on a day or at a place of its own rows only', async () => {
      const where = { place: 'CNSHA', day: '<=2030-01-01' }
      const { isError, content } = await part().callTool({ name: 'what_changed', arguments: where })
      assert.equal(isError === true, name === 'customer')
      const text = JSON.stringify(content)
      for (const each of Object.values(foreign)) assert.ok(!text.includes(each), text)
      if (name === 'shipment') assert.match(text, /MSCU4000005/)
    })

    test('counts and names no ships or fields of another shipment', async () => {
      for (const args of [{ count_by: 'vessel' }, { count_by: 'status' }, { filters: { vessel: 'ESTELLE' } }]) {
        const answer = await part().callTool({ name: 'list_containers', arguments: { ...args } })
        const text = textOf(answer.content[0])
        if (name === 'shipment') assert.doesNotMatch(text, /ESTELLE MAERSK/, text)
        const counts = ((answer.structuredContent as Row | undefined)?.['counts'] ?? []) as readonly {
          readonly count: number
        }[]
        assert.ok(counts.reduce((sum, { count }) => sum + count, 0) <= (name === 'customer' ? 3 : 2), text)
      }
    })

    test('watches only its own resources', async () => {
      const watching = await part().listen({ resourceSubscriptions: [`landfall://shipment/${own.shipmentId}`] })
      await watching.close()
      for (const uri of [`landfall://shipment/${foreign.shipmentId}`, `landfall://container/${foreign.containerId}`])
        await assert.rejects(part().listen({ resourceSubscriptions: [uri] }), /no resource|400/i)
    })

    test('shows the rest of the account at the whole server', async () => {
      assert.equal((await call('get_shipment_details', { id: foreign.bill }))['id'], foreign.shipmentId)
    })
  })

for (const era of eras)
  test(`the rows are limited with protocol ${era}`, async () => {
    const authorization = `Token ${api.key}`
    for (const path of [`/customers/${acme}`, `/shipments/${own.shipmentId}`]) {
      const client = await connect(`${mcp.url}/mcp${path}`, { authorization, era })
      assert.equal((await call('get_container', { id: own.numbers[0] }, client))['id'], own.containerIds[0])
      assert.match(await refusal('get_container', { id: foreign.containerId }, client), /No such container/)
      assert.match(await refusal('get_container', { id: foreign.box }, client), /No container that is tracked/)
      assert.ok(!JSON.stringify(await call('list_containers', { page_size: 100 }, client)).includes(foreign.box))
      await client.close()
    }
  })

test('a server of a customer follows the roles that the customer has now', async () => {
  const record = `/v2/shipments/${role.shipmentId}/party_roles`
  assert.equal((await call('get_shipment_details', { id: role.bill }, ofCustomer))['id'], role.shipmentId)
  const [given] = (await api.call({ url: record })).many()
  await api.call({ method: 'DELETE', url: `${record}/${given?.id}` })
  assert.match(await refusal('get_shipment_details', { id: role.shipmentId }, ofCustomer), /No such shipment/)
})
