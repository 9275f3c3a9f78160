// The audit page: each line says who did what to which thing, and what changed.
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

/** From the newest line of this action: who, what, to which thing, and the changes. */
async function line(action: string): Promise<readonly string[]> {
  const { text } = await ada.open('/account/activity')
  const row = text.split('<tr>').find((each) => each.includes(`<code>${action}</code>`))
  assert.ok(row, `${action} in ${text}`)
  return row
    .split('</td>')
    .slice(1, 5)
    .map((cell) =>
      cell
        .replace(/<br>|<\/li>/g, ' | ')
        .replace(/<s>([^<]*)<\/s>/g, '-$1-')
        .replace(/<[^>]+>/g, '')
        .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
        .trim(),
    )
}

test('every line names what was changed, with its old and its new value', async () => {
  const page = { page: '/account/members' }
  await ada.send('/account/keys', { name: 'Warehouse <1>', may: 'read' })
  assert.deepEqual(await line('api_key.created'), [
    'Ada Harbour',
    'API key: created | api_key.created',
    'API key | Warehouse <1>',
    'name: Warehouse <1> | scopes: read |',
  ])
  await ada.send('/account/members/company', { company: 'Harbour & Sons' }, page)
  assert.deepEqual((await line('account.updated')).slice(2), [
    'Account | Harbour & Sons',
    'company name: -Example Imports- → Harbour & Sons |',
  ])
  await signUpInvited(api, ada, { email: 'ben@example.com', role: 'member' })
  const { rows } = await api.service.pool.query(`select id from users where email = 'ben@example.com'`)
  await ada.send('/account/members/role', { id: String(rows[0]?.id), role: 'admin' }, page)
  assert.deepEqual((await line('membership.updated')).slice(1), [
    'Member: updated | membership.updated',
    'Member | Ben Quay',
    'role: -member- → admin |',
  ])
  assert.equal((await line('user.signed_up'))[3], 'nothing else')
  await connectApp(api, ada)
  const granted = await line('oauth_grant.created')
  assert.equal(granted[2], 'Connected app | Quay Agent')
  assert.match(granted[3] ?? '', /redirect to: https:\/\/app\.example\.com\/callback/)
})

test('what a key did has the key’s name, and what is gone has the name it had', async () => {
  const make = async (url: string, type: string, attributes: object): Promise<string> =>
    (await api.call({ method: 'POST', url, body: { data: { type, attributes } } })).one().id
  const hook = { url: 'https://example.com/hook', events: ['container.created'] }
  const webhook = await make('/v2/webhooks', 'webhook', hook)
  assert.equal((await line('webhook.created'))[2], 'Webhook | https://example.com/hook')
  const patched = { data: { type: 'webhook', id: webhook, attributes: { active: false } } }
  assert.equal(
    (await api.call({ method: 'PATCH', url: `/v2/webhooks/${webhook}`, body: patched })).status,
    200,
  )
  assert.match((await line('webhook.updated'))[3] ?? '', /active: -yes- → no/)
  await api.call({ method: 'DELETE', url: `/v2/webhooks/${webhook}` })
  const [who, , what] = await line('webhook.deleted')
  assert.notEqual(who, 'api key')
  assert.equal(what, 'Webhook | https://example.com/hook')
  const party = await make('/v2/parties', 'party', { company_name: 'Kestrel Imports' })
  const renamed = { data: { type: 'party', id: party, attributes: { company_name: 'Avocet Imports' } } }
  await api.call({ method: 'PATCH', url: `/v2/parties/${party}`, body: renamed })
  assert.deepEqual((await line('party.updated')).slice(2), [
    'Party | Avocet Imports',
    'company name: -Kestrel Imports- → Avocet Imports |',
  ])
  await make('/v2/custom_field_definitions', 'custom_field_definition', {
    entity_type: 'Shipment',
    api_slug: 'buyer',
    display_name: 'Buyer',
    data_type: 'short_text',
  })
  assert.equal((await line('custom_field_definition.created'))[2], 'Custom field definition | Buyer')
})

test('nothing of another account is named in it', async () => {
  const other = await api.newAccount()
  const key = await api.newKey(other, ['read', 'write'])
  const body = { data: { type: 'party', attributes: { company_name: 'Stranger & Co' } } }
  const made = await api.call({ method: 'POST', url: '/v2/parties', key, body })
  // Even where a line of ours pointed there.
  await api.service.pool.query(
    `insert into audit_events (account_id, id, at, actor_type, actor_id, action, target_type, target_id, request_id)
     values ($1, '01ffffff-0000-7000-8000-000000000000', now(), 'system', null, 'party.updated', 'party', $2, 'none')`,
    [api.context.account.id, made.one().id],
  )
  assert.doesNotMatch((await ada.open('/account/activity')).text, /Stranger/)
})
