// Each audit event states who did what to which thing, and what changed; also for deleted things.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { connectApp } from '../../support/oauth.ts'
import { type Person, signUpFirst, signUpInvited } from '../../support/person.ts'

let api: TestApi
let ada: Person
before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString() })
  ada = await signUpFirst(api)
})
after(() => api.close())

interface Event {
  readonly actor: { readonly type: string; readonly name: string | null }
  readonly target: { readonly type: string; readonly name: string | null }
  readonly changes: readonly {
    readonly attribute: string
    readonly before: unknown
    readonly after: unknown
  }[]
}

async function newest(action: string): Promise<Event> {
  const { text } = await ada.ask('GET', `/v2/audit_events?filter[action]=${action}&page[size]=1`)
  const [event] = (JSON.parse(text) as { data: readonly { attributes: Event }[] }).data
  assert.ok(event, `${action} in ${text}`)
  return event.attributes
}
const targetOf = async (action: string) => {
  const { type, name } = (await newest(action)).target
  return [type, name]
}
const changesOf = async (action: string) =>
  (await newest(action)).changes.map(({ attribute, before, after }) => [attribute, before, after])

test('every audit event names the changed object, with its old and its new value', async () => {
  const attributes = { name: 'Warehouse <1>', scopes: ['read'] }
  await ada.ask('POST', '/v2/api_keys', { data: { type: 'api_key', attributes } })
  // The first key was made by the installation.
  const made = 'api_key.created&filter[actor_type]=user'
  assert.equal((await newest(made)).actor.name, 'Ada Harbour')
  assert.deepEqual(await targetOf(made), ['api_key', 'Warehouse <1>'])
  assert.deepEqual(await changesOf(made), [
    ['name', null, 'Warehouse <1>'],
    ['scopes', null, ['read']],
  ])
  await ada.send('/account/company', { company: 'Harbour & Sons' }, { page: '/account' })
  assert.deepEqual(await targetOf('account.updated'), ['account', 'Harbour & Sons'])
  assert.deepEqual(await changesOf('account.updated'), [['company_name', 'Example Imports', 'Harbour & Sons']])
  await signUpInvited(api, ada, { email: 'ben@example.com', role: 'member' })
  const { rows } = await api.service.pool.query(`select id from users where email = 'ben@example.com'`)
  await ada.ask('PATCH', `/v2/members/${rows[0]?.id}`, { data: { attributes: { role: 'admin' } } })
  assert.deepEqual(await targetOf('membership.updated'), ['membership', 'Ben Quay'])
  assert.deepEqual(await changesOf('membership.updated'), [['role', 'member', 'admin']])
  assert.deepEqual(await changesOf('user.signed_up'), [])
  await connectApp(api, ada)
  assert.deepEqual(await targetOf('oauth_grant.created'), ['oauth_grant', 'Quay Agent'])
  const redirect = (await changesOf('oauth_grant.created')).find(([name]) => name === 'redirect_to')
  assert.match(String(redirect?.[2]), /^https:\/\/app\.example\.com\/callback/)
})

test('an audit event names the API key that acted, and a deleted object by its last name', async () => {
  const make = async (url: string, type: string, attributes: object): Promise<string> =>
    (await api.call({ method: 'POST', url, body: { data: { type, attributes } } })).one().id
  const hook = { url: 'https://example.com/hook', events: ['container.created'] }
  const webhook = await make('/v2/webhooks', 'webhook', hook)
  assert.deepEqual(await targetOf('webhook.created'), ['webhook', hook.url])
  const patched = { data: { type: 'webhook', id: webhook, attributes: { active: false } } }
  assert.equal((await api.call({ method: 'PATCH', url: `/v2/webhooks/${webhook}`, body: patched })).status, 200)
  assert.deepEqual(await changesOf('webhook.updated'), [['is_active', true, false]])
  await api.call({ method: 'DELETE', url: `/v2/webhooks/${webhook}` })
  const { actor } = await newest('webhook.deleted')
  assert.equal(actor.type, 'api_key')
  assert.ok(actor.name, 'the key has a name')
  assert.deepEqual(await targetOf('webhook.deleted'), ['webhook', hook.url])
  const party = await make('/v2/parties', 'party', { company_name: 'Kestrel Imports' })
  const renamed = { data: { type: 'party', id: party, attributes: { company_name: 'Avocet Imports' } } }
  await api.call({ method: 'PATCH', url: `/v2/parties/${party}`, body: renamed })
  assert.deepEqual(await targetOf('party.updated'), ['party', 'Avocet Imports'])
  assert.deepEqual(await changesOf('party.updated'), [['company_name', 'Kestrel Imports', 'Avocet Imports']])
  await make('/v2/custom_field_definitions', 'custom_field_definition', {
    entity_type: 'Shipment',
    api_slug: 'buyer',
    display_name: 'Buyer',
    data_type: 'short_text',
  })
  assert.deepEqual(await targetOf('custom_field_definition.created'), ['custom_field_definition', 'Buyer'])
})

test('an audit event shows no name of an object of another account', async () => {
  const other = await api.newAccount()
  const key = await api.newKey(other, ['read', 'write'])
  const body = { data: { type: 'party', attributes: { company_name: 'Stranger & Co' } } }
  const made = await api.call({ method: 'POST', url: '/v2/parties', key, body })
  // Even where an event of ours pointed there.
  await api.service.pool.query(
    `insert into audit_events (account_id, id, at, actor_type, actor_id, action, target_type, target_id, request_id)
     values ($1, '01ffffff-0000-7000-8000-000000000000', now(), 'system', null, 'party.updated', 'party', $2, 'none')`,
    [api.context.account.id, made.one().id],
  )
  const { text } = await ada.ask('GET', '/v2/audit_events?page[size]=100')
  assert.ok(text.includes(made.one().id))
  assert.doesNotMatch(text, /Stranger/)
})
