// The tools about the account itself: who asks, its parties, the counts of its containers, and the guide.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { tools } from '../../src/mcp/tools.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { connect, openTestMcp, type TestMcp } from '../support/mcp.ts'
import { type Seeded, seededAt, seedShipment } from '../support/seed.ts'

let api: TestApi
let seeded: Seeded
let mcp: TestMcp
let client: Client
let stranger: Client
const ajv = new Ajv2020({ strict: false })
const schemas = new Map(tools.map((tool) => [tool.name, ajv.compile(tool.output)]))

before(async () => {
  api = await openTestApi({ startAt: seededAt })
  seeded = await seedShipment(api)
  mcp = await openTestMcp(api)
  client = await connect(mcp.url, { authorization: `Token ${api.key}` })
  const other = await api.newKey(await api.newAccount(), ['read'])
  stranger = await connect(mcp.url, { authorization: `Token ${other}` })
})
after(async () => {
  await client.close()
  await stranger.close()
  await mcp.close()
  await seeded.carrier.close()
  await api.close()
})

async function call(name: string, args: object, by: Client = client): Promise<Readonly<Record<string, unknown>>> {
  const answer = await by.callTool({ name, arguments: { ...args } })
  const data = answer.structuredContent as Record<string, unknown>
  const check = schemas.get(name)
  assert.ok(check?.(data), `${name}: ${JSON.stringify(answer.content)} ${ajv.errorsText(check?.errors)}`)
  return data
}

test('whoami gives the account and the label of the key', async () => {
  const me = await call('whoami', {})
  assert.deepEqual([me['kind'], me['channel'], me['credential_name'], me['user']], ['api_key', 'mcp', 'Test', null])
  assert.deepEqual(me['account'], { id: api.context.account.id, company_name: api.context.account.companyName })
})

test('list_parties finds parties of the account by a part of their name', async () => {
  for (const name of ['Acme North', 'Acme South', 'Borealis'])
    await api.call({
      method: 'POST',
      url: '/v2/parties',
      body: { data: { type: 'party', attributes: { company_name: name } } },
    })
  const names = (data: Readonly<Record<string, unknown>>) =>
    (data['parties'] as readonly { readonly name: string }[]).map(({ name }) => name).toSorted()
  const acme = await call('list_parties', { search: 'acme', limit: 1 })
  assert.deepEqual([acme['total_matched'], names(acme).length, acme['truncated']], [2, 1, true])
  assert.deepEqual(names(await call('list_parties', { search: 'acme' })), ['Acme North', 'Acme South'])
  assert.deepEqual(names(await call('list_parties', {})), ['Acme North', 'Acme South', 'Borealis'])
  assert.deepEqual(names(await call('list_parties', {}, stranger)), [])
})

test('summarize_containers counts the containers that match, of the account alone', async () => {
  const counted = await call('summarize_containers', { group_by: 'shipping_line', filters: { line: 'ONE' } })
  assert.deepEqual(counted['groups'], [{ key: 'ONEY', label: 'ONE', count: 2 }])
  assert.deepEqual([counted['total'], counted['truncated']], [2, false])
  assert.match(JSON.stringify(counted['applied_filters']), /ONEY/)
  assert.equal((await call('summarize_containers', { group_by: 'current_status' }, stranger))['total'], 0)
  const wrong = await client.callTool({ name: 'summarize_containers', arguments: { group_by: 'colour' } })
  assert.equal(wrong.isError, true)
})

test('search_docs gives sections of the guide with their address', async () => {
  const found = await call('search_docs', { query: 'webhook signature', limit: 3 })
  const [first] = found['results'] as readonly { readonly url: string; readonly content: string }[]
  assert.match(first?.url ?? '', /^\/docs\/guide\/[\w-]+/)
  const page = await api.call({ url: (first?.url ?? '').split('#')[0] ?? '', key: null })
  assert.equal(page.status, 200)
  assert.equal((await call('search_docs', { query: 'zzzznothing' }))['total_results'], 0)
})
