// Keys, members, invitations and the audit log over the API: who may use them, which rights they may not give, and what
// the audit log records.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Context } from '../../../src/modules/access/context.ts'
import { listApiKeys } from '../../../src/modules/api-keys/api-keys.ts'
import { listMembers } from '../../../src/modules/members/change-members.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { askAs, type Person, signUpFirst, signUpInvited } from '../../support/person.ts'

let api: TestApi
let ada: Person
let ben: Person
let admin: string
before(async () => {
  api = await openTestApi()
  ada = await signUpFirst(api)
  ben = await signUpInvited(api, ada, { email: 'ben@example.com', role: 'member' })
  admin = await api.newKey(api.context, ['read', 'write', 'admin'])
})
after(() => api.close())

type Asked = Parameters<TestApi['call']>[0]
const as = async (person: Person, call: Omit<Asked, 'key' | 'headers'>) =>
  api.call({ ...call, key: null, headers: { host: 'localhost', ...(await askAs(person)) } })
const post = (url: string, type: string, attributes: object, key: string | null = admin) =>
  api.call({ method: 'POST', url, key, body: { data: { type, attributes } } })
const newKey = (attributes: object, key = admin) =>
  post('/v2/api_keys', 'api_key', { name: 'Made', ...attributes }, key)
const patchRole = (id: string, role: string, key = admin) =>
  api.call({ method: 'PATCH', url: `/v2/members/${id}`, key, body: { data: { attributes: { role } } } })
const memberId = async (name: string) => {
  const found = (await api.call({ url: '/v2/members', key: admin })).many()
  return found.find(({ attributes }) => attributes['name'] === name)?.id ?? ''
}
const actions = async (target: string) =>
  (await api.call({ url: `/v2/audit_events?filter[target]=${target}&sort=created_at`, key: admin }))
    .many()
    .map(({ attributes }) => attributes['action'])
    .toSorted()

test('refuses a key without the scope `admin` everywhere, and a person whose role does not manage', async () => {
  const someId = await memberId('Ada Harbour')
  const asked: readonly Asked[] = [
    { url: '/v2/api_keys' },
    { url: '/v2/members' },
    { url: '/v2/invitations' },
    { url: '/v2/audit_events' },
    {
      method: 'POST',
      url: '/v2/api_keys',
      body: { data: { type: 'api_key', attributes: { name: 'Mine' } } },
    },
    {
      method: 'POST',
      url: '/v2/members',
      body: { data: { type: 'member', attributes: { email: 'x@example.com', role: 'member' } } },
    },
    { method: 'DELETE', url: `/v2/members/${someId}` },
    { method: 'DELETE', url: `/v2/api_keys/${someId}` },
    { method: 'DELETE', url: `/v2/invitations/${someId}` },
  ]
  const publishable = (
    await newKey({ kind: 'publishable', scopes: ['read'], allowed_origins: ['https://shop.example'] })
  ).one().attributes['secret'] as string
  for (const call of asked) {
    const refused = await api.call(call)
    assert.equal(refused.status, 403, `${call.method} ${call.url}`)
    assert.match(refused.error().detail, /scope `admin`/)
    const embedded = { ...call, key: publishable, headers: { origin: 'https://shop.example' } }
    assert.equal((await api.call(embedded)).status, 403, call.url)
    if (call.url !== '/v2/members' || call.method !== undefined)
      assert.equal((await as(ben, call)).status, 403, call.url)
  }
  // Members see each other.
  assert.equal((await as(ben, { url: '/v2/members' })).status, 200)
})

test('shows a key once, masked afterwards; it works at once, and is gone when it is deleted', async () => {
  const made = (await newKey({ name: 'Warehouse' })).one()
  const secret = made.attributes['secret'] as string
  assert.match(secret, /^lf_live_/)
  assert.equal((await api.call({ url: '/v2/shipments', key: secret })).status, 200)
  const url = `/v2/api_keys/${made.id}`
  const shown = (await api.call({ url, key: admin })).one().attributes
  assert.deepEqual(
    [shown['secret'], shown['masked'], shown['scopes'], typeof shown['last_used_at']],
    [null, `${secret.slice(0, 12)}…${secret.slice(-4)}`, ['read', 'write'], 'string'],
  )
  const listed = await api.call({ url: '/v2/api_keys', key: admin })
  assert.ok(listed.many().some(({ id }) => id === made.id))
  assert.ok(!listed.text.includes(secret))
  assert.equal((await api.call({ method: 'DELETE', url, key: admin })).status, 204)
  assert.equal((await api.call({ url: '/v2/shipments', key: secret })).status, 401)
  assert.equal((await api.call({ url, key: admin })).status, 404)
  assert.deepEqual(await actions(made.id), ['api_key.created', 'api_key.deleted'])
  const event = (await api.call({ url: `/v2/audit_events?filter[target]=${made.id}`, key: admin })).many()[0]
  const { target, actor } = event?.attributes ?? {}
  assert.equal((target as { name: string }).name, 'Warehouse')
  assert.equal((actor as { type: string }).type, 'api_key')
})

test('a key gets no more rights and no longer life than its creator has', async () => {
  assert.equal((await newKey({ scopes: ['read', 'write', 'admin'] })).status, 201)
  for (const scopes of [['write'], ['read', 'admin'], ['admin']])
    assert.equal((await newKey({ scopes })).error().source?.pointer, '/data/attributes/scopes')
  const soon = new Date(api.clock.now() + 86_400_000).toISOString()
  const brief = (await newKey({ scopes: ['read', 'write', 'admin'], expires_at: soon })).one().attributes[
    'secret'
  ] as string
  const longer = await newKey({ expires_at: null }, brief)
  assert.deepEqual([longer.status, longer.error().source?.pointer], [403, '/data/attributes/expires_at'])
  assert.equal((await newKey({ expires_at: soon }, brief)).status, 201)
  // A person with the role may create such a key with their session; a person without the role may not.
  const call = {
    method: 'POST' as const,
    url: '/v2/api_keys',
    body: {
      data: { type: 'api_key', attributes: { name: 'Of a person', scopes: ['read', 'write', 'admin'] } },
    },
  }
  assert.equal((await as(ada, call)).one().attributes['created_by_name'], 'Ada Harbour')
  assert.equal((await as(ben, call)).status, 403)
})

test('invites a person once with the role, and no key appoints an admin or changes an owner', async () => {
  const invite = (role: string, email = 'cleo@example.com') => post('/v2/members', 'member', { email, role })
  for (const role of ['admin', 'owner']) {
    const refused = await invite(role)
    assert.deepEqual([refused.status, refused.error().source?.pointer], [403, '/data/attributes/role'])
  }
  const invited = await invite('member')
  assert.match(String(invited.one().attributes['url']), /\/invitation\?token=/)
  assert.match(String(invited.headers['location']), new RegExp(`/v2/invitations/${invited.one().id}$`))
  const url = `/v2/invitations/${invited.one().id}`
  assert.equal((await api.call({ url, key: admin })).one().attributes['url'], null)
  assert.equal((await api.call({ url: '/v2/invitations', key: admin })).many().length, 1)
  assert.equal((await api.call({ method: 'DELETE', url, key: admin })).status, 204)
  assert.equal((await api.call({ url, key: admin })).status, 404)
  const again = await invite('member', 'ben@example.com')
  assert.deepEqual([again.status, again.error().source?.pointer], [422, '/data/attributes/email'])
  const [adaId, benId] = [await memberId('Ada Harbour'), await memberId('Ben Quay')]
  assert.equal((await patchRole(benId, 'read_only')).one().attributes['role'], 'read_only')
  assert.equal((await patchRole(benId, 'admin')).status, 403)
  assert.equal((await patchRole(adaId, 'member')).status, 403)
  assert.equal((await api.call({ method: 'DELETE', url: `/v2/members/${adaId}`, key: admin })).status, 403)
  assert.deepEqual(
    (await actions(benId)).filter((action) => action === 'membership.updated'),
    ['membership.updated'],
  )
})

test('an app that acts for an owner manages neither keys nor members', async () => {
  const context: Context = {
    ...api.context,
    actor: { kind: 'oauth_client', id: 'app' },
    scopes: ['read', 'write'],
    role: 'owner',
  }
  await assert.rejects(listApiKeys(api.service, context), /scope `admin`/)
  await assert.rejects(listMembers(api.service, context), /scope `admin`/)
})

test('the last owner can be neither removed nor demoted, not even by the owner', async () => {
  const adaId = await memberId('Ada Harbour')
  const demoted = await as(ada, {
    method: 'PATCH',
    url: `/v2/members/${adaId}`,
    body: { data: { attributes: { role: 'member' } } },
  })
  assert.deepEqual([demoted.status, demoted.error().source?.pointer], [409, '/data/attributes/role'])
  assert.equal((await as(ada, { method: 'DELETE', url: `/v2/members/${adaId}` })).status, 409)
})

test('filters, pages and exports the audit log, and hides it from other accounts', async () => {
  const ask = async (query: string, key = admin) => (await api.call({ url: `/v2/audit_events?${query}`, key })).many()
  const keys = await ask('filter[action]=api_key')
  assert.ok(keys.length > 3)
  assert.ok(keys.every(({ attributes }) => String(attributes['action']).startsWith('api_key.')))
  assert.deepEqual(await ask('filter[action]=api'), [])
  const deleted = await ask('filter[action]=api_key.deleted&filter[target_type]=api_key')
  assert.equal(deleted.length, 1)
  const by = deleted[0]?.attributes['actor'] as { id: string }
  const actor = by.id
  assert.ok((await ask(`filter[actor]=${actor}`)).length > 3)
  assert.deepEqual(await ask('filter[created_at][end]=2001-01-01'), [])
  const seen: string[] = []
  let next: string | undefined = '/v2/audit_events?page[size]=3&page[after]='
  while (next !== undefined) {
    const page = await api.call({ url: next, key: admin })
    seen.push(...page.many().map(({ id }) => id))
    const link: string | undefined = page.body.links?.['next']
    next = link === undefined ? undefined : link.slice(link.indexOf('/v2/'))
  }
  const { rows } = await api.service.pool.query<{ id: string }>(
    'select id from audit_events where account_id = $1 order by at desc, id',
    [api.context.account.id],
  )
  assert.deepEqual(
    seen,
    rows.map(({ id }) => id),
  )
  const table = await api.call({ url: '/v2/audit_events?format=csv', key: admin })
  assert.equal(table.text.trim().split('\r\n').length, rows.length + 1)
  const other = await api.newKey(await api.newAccount(), ['read', 'write', 'admin'])
  const theirs = (await ask('', other)).map(({ id }) => id)
  assert.equal(theirs.length, 1, 'only that its own key was made')
  assert.ok(theirs.every((id) => !seen.includes(id)))
  assert.deepEqual((await api.call({ url: '/v2/members', key: other })).many(), [])
  assert.equal((await api.call({ url: `/v2/api_keys/${actor}`, key: other })).status, 404)
  assert.equal((await api.call({ method: 'DELETE', url: `/v2/api_keys/${actor}`, key: other })).status, 404)
  const adaId = await memberId('Ada Harbour')
  assert.equal((await api.call({ method: 'DELETE', url: `/v2/members/${adaId}`, key: other })).status, 404)
})
