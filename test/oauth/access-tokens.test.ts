/**
 * What an access token allows: one account, the granted scopes, only what its person may do now, and nothing after its
 * end.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createApiApp } from '../../src/server/app.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { ask, connectApp, post, refresh, resources } from '../support/oauth.ts'
import { openPerson, type Person, signIn, signUpFirst, signUpInvited } from '../support/person.ts'

let api: TestApi
let ada: Person
before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString() })
  ada = await signUpFirst(api)
})
after(() => api.close())

const party = { data: { type: 'party', attributes: { company_name: 'Quay Foods' } } }

test('a token with the write scope writes as its app; the refusal of a read-only token names the missing scope', async () => {
  const whole = await connectApp(api, ada)
  const made = await ask(api, whole.accessToken, { method: 'POST', url: '/v2/parties', body: party })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { rows } = await api.service.pool.query(
    `select actor_type, actor_id from audit_events where action = 'party.created'`,
  )
  assert.deepEqual(rows, [{ actor_type: 'oauth_client', actor_id: whole.clientId }])
  const reads = await connectApp(api, ada, { fields: { access: 'read' } })
  assert.equal(reads.scope, 'tracking:read')
  const refused = await ask(api, reads.accessToken, { method: 'POST', url: '/v2/parties', body: party })
  assert.equal(refused.status, 403)
  assert.match(
    String(refused.headers['www-authenticate']),
    /^Bearer error="insufficient_scope", .*scope="tracking:read tracking:write"/,
  )
})

test('a disconnected app is refused at its next request and cannot refresh its token', async () => {
  const { accessToken, refreshToken, clientId } = await connectApp(api, ada)
  assert.equal((await ask(api, accessToken)).status, 200)
  const page = await ada.open('/account/apps')
  assert.match(page.text, /Quay Agent/)
  const { rows } = await api.service.pool.query<{ id: string }>(`select id from oauth_grants where client_id = $1`, [
    clientId,
  ])
  const id = rows[0]?.id ?? ''
  const ben = await signUpInvited(api, ada, { email: 'ben@example.com', role: 'owner' })
  assert.equal((await ben.send('/account/apps/disconnect', { id }, { page: '/account' })).status, 404)
  assert.equal((await ask(api, accessToken)).status, 200)
  assert.equal((await ada.send('/account/apps/disconnect', { id }, { token: 'x'.repeat(43) })).status, 403)
  assert.equal((await ada.send('/account/apps/disconnect', { id }, { page: '/account/apps' })).status, 303)
  assert.equal((await ask(api, accessToken)).status, 401)
  assert.equal((await refresh(api, clientId, refreshToken)).body.error, 'invalid_grant')
  const { rows: left } = await api.service.pool.query(`select 1 from oauth_entries where grant_id = $1`, [id])
  assert.equal(left.length, 0)
})

test('an app can revoke its own token and is no longer listed; another app cannot revoke it', async () => {
  const { accessToken, refreshToken, clientId } = await connectApp(api, ada)
  const other = await connectApp(api, ada)
  await post(api, '/oauth/revoke', { token: refreshToken, client_id: other.clientId })
  assert.equal((await ask(api, accessToken)).status, 200)
  assert.equal((await post(api, '/oauth/revoke', { token: refreshToken, client_id: clientId })).status, 200)
  assert.equal((await ask(api, accessToken)).status, 401)
  const { rows } = await api.service.pool.query<{ revoked: boolean }>(
    `select revoked_at is not null as revoked from oauth_grants where client_id = $1`,
    [clientId],
  )
  assert.deepEqual(rows, [{ revoked: true }])
})

test('a token expires after 15 minutes', async () => {
  const { accessToken } = await connectApp(api, ada)
  api.clock.advance(14 * 60_000)
  assert.equal((await ask(api, accessToken)).status, 200)
  api.clock.advance(2 * 60_000)
  assert.equal((await ask(api, accessToken)).status, 401)
  api.clock.advance(-16 * 60_000)
})

test('when a person becomes a reader or leaves, their apps lose the same rights', async () => {
  const cleo = await signUpInvited(api, ada, { email: 'cleo@example.com', role: 'member' })
  const { accessToken } = await connectApp(api, cleo)
  const write = () =>
    ask(api, accessToken, {
      method: 'POST',
      url: '/v2/parties',
      body: { data: { type: 'party', attributes: { company_name: `Foods ${Math.random()}` } } },
    })
  assert.equal((await write()).status, 201)
  const { pool } = api.service
  const { rows } = await pool.query<{ id: string }>(`select id from users where email_key = 'cleo@example.com'`)
  await pool.query(`update memberships set role = 'read_only' where user_id = $1`, [rows[0]?.id])
  assert.equal((await write()).status, 403)
  assert.equal((await ask(api, accessToken)).status, 200)
  await pool.query(`delete from memberships where user_id = $1`, [rows[0]?.id])
  assert.equal((await ask(api, accessToken)).status, 401)
})

test('a token for all accounts of a person works only for the account that a request names', async () => {
  const second = await api.newAccount()
  const key = await api.newKey(second, ['read', 'write'])
  const dora = openPerson(api)
  await dora.send('/sign-up', {
    name: 'Dora',
    email: 'dora@example.com',
    password: 'four ships in a row',
    key,
  })
  const { pool } = api.service
  await pool.query(
    `insert into memberships (account_id, user_id, role, created_at)
     select $1, id, 'read_only', now() from users where email_key = 'dora@example.com'`,
    [api.context.account.id],
  )
  const { person } = await signIn(api, { email: 'dora@example.com' })
  const { accessToken } = await connectApp(api, person, {
    fields: { all_accounts: 'yes', account: second.account.id },
  })
  const create = (accountId?: string) =>
    ask(api, accessToken, {
      method: 'POST',
      url: '/v2/parties',
      body: { data: { type: 'party', attributes: { company_name: 'Dora Foods' } } },
      ...(accountId === undefined ? {} : { headers: { 'x-account-id': accountId } }),
    })
  assert.equal((await create()).status, 201)
  assert.equal((await create(second.account.id)).status, 201)
  const { rows } = await pool.query(`select distinct account_id as id from parties where company_name = 'Dora Foods'`)
  assert.deepEqual(rows, [{ id: second.account.id }])
  assert.equal((await create(api.context.account.id)).status, 403, 'she only reads there')
  const read = (accountId: string) => ask(api, accessToken, { headers: { 'x-account-id': accountId } })
  assert.equal((await read(api.context.account.id)).status, 200)
  const stranger = await api.newAccount()
  assert.equal((await read(stranger.account.id)).status, 403)
  assert.equal((await read('nonsense')).status, 403)
  const narrow = await connectApp(api, person, { fields: { account: second.account.id } })
  const other = await ask(api, narrow.accessToken, { headers: { 'x-account-id': api.context.account.id } })
  assert.equal(other.status, 403)
})

test("API keys and access tokens are refused in each other's scheme, and tokens in the query are refused", async () => {
  assert.equal((await ask(api, api.key)).status, 401)
  const { accessToken } = await connectApp(api, ada)
  const asKey = await api.app.inject({
    url: '/v2/shipments',
    headers: { authorization: `Token ${accessToken}` },
  })
  assert.equal(asKey.statusCode, 401)
  const inQuery = await api.app.inject({ url: `/v2/shipments?access_token=${accessToken}` })
  assert.equal(inQuery.statusCode, 401)
})

test('a resource identifier is accepted with and without a trailing slash', async () => {
  const { accessToken, refreshToken, clientId } = await connectApp(api, ada, {
    ask: { resource: `${resources.api}/` },
  })
  assert.equal((await ask(api, accessToken)).status, 200)
  const again = await refresh(api, clientId, refreshToken, { resource: resources.api })
  assert.equal(again.body.scope, 'tracking:read tracking:write')
  assert.equal((await ask(api, String(again.body.access_token))).status, 200)
})

test('while the database is unavailable, the API and the token endpoint answer 503 to tokens', async () => {
  const { accessToken, refreshToken, clientId } = await connectApp(api, ada)
  let isAway = false
  const pool = new Proxy(api.service.pool, {
    get: (target, name) => {
      if (isAway && (name === 'query' || name === 'connect'))
        return async () => Promise.reject(Object.assign(new Error('the database ends'), { code: '57P01' }))
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const app = await createApiApp({ ...api.service, pool })
  await app.ready()
  assert.equal((await ask({ app }, accessToken)).status, 200)
  assert.equal((await app.inject({ url: '/.well-known/oauth-authorization-server' })).statusCode, 200)
  isAway = true
  assert.equal((await ask({ app }, accessToken)).status, 503)
  const refused = await refresh({ app }, clientId, refreshToken)
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '5'])
  isAway = false
  assert.equal((await refresh({ app }, clientId, refreshToken)).status, 200)
  await app.close()
})
