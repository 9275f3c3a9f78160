import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../support/api.ts'
import { openTestMcp, type TestMcp } from '../support/mcp.ts'
import { connectApp, resources } from '../support/oauth.ts'
import { openPerson, signIn, signUpFirst } from '../support/person.ts'
import { giveAccess } from '../support/service.ts'

let api: TestApi
let mcp: TestMcp

before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString() })
  await signUpFirst(api)
  mcp = await openTestMcp(api)
  await giveAccess(api, { scac: 'TEST', source: 'test', profile: {} })
  const attributes = { request_type: 'container', request_number: 'TEST-TR-FAILED', scac: 'TEST' }
  const body = { data: { type: 'tracking_request', attributes } }
  assert.equal((await api.call({ method: 'POST', url: '/v2/tracking_requests', body })).status, 201)
})
after(async () => {
  await mcp.close()
  await api.close()
})

/** How many tracking requests the caller gets; if it is refused, the status. */
async function ask(authorization: string, accountId?: string, name = 'list_tracking_requests', args: object = {}) {
  const response = await fetch(mcp.url, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(accountId === undefined ? {} : { 'x-account-id': accountId }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  const text = await response.text()
  const total = /"total":(\d+)/.exec(text)?.[1]
  return {
    status: response.status,
    total: total === undefined ? null : Number(total),
    text,
    headers: response.headers,
  }
}

test('a token for all accounts of a person works only for the account in x-account-id', async () => {
  const first = api.context.account.id
  const second = await api.newAccount()
  const key = await api.newKey(second, ['read', 'write'])
  const dora = openPerson(api)
  await dora.send('/sign-up', {
    name: 'Dora',
    email: 'dora@example.com',
    password: 'four ships in a row',
    key,
  })
  await api.service.pool.query(
    `insert into memberships (account_id, user_id, role, created_at)
     select $1, id, 'read_only', now() from users where email_key = 'dora@example.com'`,
    [first],
  )
  const { person } = await signIn(api, { email: 'dora@example.com' })
  const resource = { resource: resources.mcp }
  const { accessToken } = await connectApp(api, person, {
    ask: resource,
    fields: { all_accounts: 'yes', account: second.account.id },
  })
  const token = `Bearer ${accessToken}`
  assert.equal((await ask(token)).total, 0, 'the one that was chosen')
  assert.equal((await ask(token, second.account.id)).total, 0)
  assert.equal((await ask(token, first)).total, 1)
  assert.equal((await ask(token, first.toUpperCase())).total, 1)
  const stop = await ask(token, first, 'stop_tracking', { id: first })
  assert.match(stop.text, /your role in this account.*"isError":true/, 'she only reads there, and no scope would help')
  const stranger = await api.newAccount()
  for (const named of [stranger.account.id, 'nonsense', '']) {
    const refused = await ask(token, named)
    assert.equal(refused.status, named === '' ? 200 : 403, `${named} ${refused.text}`)
    if (named === '') continue
    assert.match(refused.text, /x-account-id/)
    assert.doesNotMatch(refused.text, /"id":null/)
    assert.equal(refused.headers.get('www-authenticate'), null, 'no scope would help')
  }
  const narrow = await connectApp(api, person, { ask: resource, fields: { account: second.account.id } })
  assert.equal((await ask(`Bearer ${narrow.accessToken}`, first)).status, 403)
})

test('a key gives access only to its own account, and is refused with another account', async () => {
  const own = api.context.account.id
  assert.equal((await ask(`Token ${api.key}`, own)).total, 1)
  const other = await api.newAccount()
  const refused = await ask(`Token ${api.key}`, other.account.id)
  assert.deepEqual([refused.status, refused.total], [403, null])
  assert.match(refused.text, /only for its own account/)
})
