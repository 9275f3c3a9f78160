// /v2/me: who makes the request, for a key and for a person with two accounts.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { askAs, signUpFirst } from '../../support/person.ts'

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

test('GET /v2/me with an API key returns the label, the account and the features, but no person', async () => {
  const answer = await api.call({ url: '/v2/me' })
  assert.match(String(answer.headers['cache-control']), /no-store/)
  const me = answer.one()
  assert.deepEqual([me.type, me.attributes['kind'], me.attributes['channel']], ['credential', 'api_key', 'api'])
  assert.equal(me.attributes['name'], 'Test')
  const features = me.attributes['features'] as Record<string, { status: string }>
  assert.deepEqual([features['custom_fields']?.status, features['trade_intel']?.status], ['available', 'not_enabled'])
  assert.equal(features['email_alerts']?.status, 'not_enabled', 'no mail server is set')
  const account = { type: 'account', id: api.context.account.id }
  assert.deepEqual(me.relationships, { account: { data: account }, user: { data: null } })
  assert.deepEqual(
    answer.body.included?.map(({ type, id, attributes }) => [type, id, attributes['company_name'], attributes['plan']]),
    [['account', account.id, api.context.account.companyName, null]],
  )
})

test('a person gets their accounts, the current one first', async () => {
  const person = await signUpFirst(api)
  const headers = await askAs(person)
  const answer = await api.call({ url: '/v2/me', key: null, headers })
  assert.deepEqual([answer.one().attributes['kind'], answer.one().attributes['name']], ['user', null])
  const user = answer.body.included?.find(({ type }) => type === 'user')
  assert.deepEqual(
    [user?.id, user?.attributes['email'], user?.attributes['role']],
    [answer.one().id, 'ada@example.com', 'account_manager'],
  )
  assert.deepEqual(user?.relationships?.['accounts'], { data: [{ type: 'account', id: api.context.account.id }] })
})

test('GET /v2/me refuses a wrong key with 401, and refuses any unknown parameter', async () => {
  assert.equal((await api.call({ url: '/v2/me', key: 'lf_live_wrong' })).status, 401)
  assert.equal((await api.call({ url: '/v2/me?colour=green' })).error().source?.parameter, 'colour')
})
