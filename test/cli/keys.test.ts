// The operator's commands for keys and people, while a server may use the same database.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../support/api.ts'
import { openCommandLine } from '../support/command-line.ts'
import { openPerson, signIn, signUpFirst } from '../support/person.ts'

let api: TestApi
const { landfall: call } = openCommandLine(() => ({ DATABASE_URL: api.databaseUrl }))

before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString() })
})
after(() => api.close())

test('a key is created, works, is listed masked, and is deleted', async () => {
  const made = await call('keys', 'create', 'Warehouse', '--read-only')
  assert.equal(made.code, 0, made.err)
  const key = made.out.trim()
  assert.equal((await api.call({ url: '/v2/shipments', key })).status, 200)
  const listed = (await call('keys', 'list')).out
  assert.ok(!listed.includes(key))
  const [id = ''] =
    listed
      .split('\n')
      .find((line) => line.includes(`…${key.slice(-4)}`))
      ?.split(' ') ?? []
  assert.match(listed, new RegExp(`${id}  lf_live_.{4}….{4}  read  used .*Z  Warehouse`))
  assert.equal((await call('keys', 'delete', id)).code, 0)
  api.clock.advance(5_000)
  assert.equal((await api.call({ url: '/v2/shipments', key })).status, 401)
  assert.equal((await call('keys', 'delete', id)).code, 1)
})

test('a publishable key needs valid origins, and an expiry must be a future day', async () => {
  const made = await call('keys', 'create', 'Shop', '--origins', 'https://www.example.com')
  assert.match(made.out, /^lf_pub_[0-9A-Za-z]{36}\n$/)
  for (const origins of ['*', 'www.example.com', 'https://*.example.com', 'https://www.example.com/page', ''])
    assert.notEqual((await call('keys', 'create', 'Shop', '--origins', origins)).code, 0, origins)
  assert.equal((await call('keys', 'create', 'Old', '--expires', '2020-01-01')).code, 1)
  assert.equal((await call('keys', 'create', 'Old', '--expires', 'soon')).code, 2)
})

test('the operator can print a link with which a person sets a new password', async () => {
  await signUpFirst(api)
  assert.match((await call('users', 'list')).out, /^ada@example\.com {2}Ada Harbour {2}Example Imports \(owner\)$/m)
  const link = new URL((await call('users', 'reset-link', 'Ada@Example.com')).out.trim())
  const person = openPerson(api)
  const fields = { token: link.searchParams.get('token') ?? '', password: 'quite another password' }
  const answer = await person.send('/reset-password', fields, { page: `${link.pathname}${link.search}` })
  assert.equal(answer.status, 303, answer.text)
  const again = await signIn(api, { email: 'ada@example.com', password: 'quite another password' })
  assert.equal(again.answer.status, 303)
  assert.equal((await call('users', 'reset-link', 'nobody@example.com')).code, 2)
})
