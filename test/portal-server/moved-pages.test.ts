// Pages of the server that are now pages of the app: their addresses redirect there, and their forms change nothing.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Person, signUpFirst, signUpInvited } from '../support/person.ts'

let api: TestApi
let ada: Person
before(async () => {
  api = await openTestApi()
  ada = await signUpFirst(api)
})
after(() => api.close())

const accept = { accept: 'text/html' }

test('an old address redirects to the page of the app, whatever its query', async () => {
  for (const [from, to] of [
    ['/account/keys', '/administration/keys'],
    ['/account/keys?done=deleted', '/administration/keys'],
    ['/account/keys/delete?id=01900000-0000-7000-8000-000000000000', '/administration/keys'],
    ['/account/members', '/administration/members'],
    ['/account/webhooks', '/developers/webhooks'],
    ['/account/activity?before=01900000-0000-7000-8000-000000000000', '/administration/record'],
  ] as const) {
    const { status, location } = await ada.open(from, accept)
    assert.deepEqual([status, location], [308, to], from)
    const page = await ada.open(to, accept)
    assert.equal(page.status, 200, to)
    assert.match(page.text, /<meta name="landfall-session"/, to)
  }
})

test('a form of an old page in an open tab changes nothing', async () => {
  for (const [action, fields] of [
    ['/account/keys', { name: 'Late', may: 'admin' }],
    ['/account/members/invite', { email: 'late@example.com', role: 'owner' }],
  ] as const)
    assert.ok([404, 405].includes((await ada.send(action, fields, { page: '/account' })).status), action)
  const { rows } = await api.service.pool.query(
    `select name from api_keys where name = 'Late' union select email from invitations`,
  )
  assert.deepEqual(rows, [])
})

test('the account navigation links only existing pages, for each role those that it may see', async () => {
  const reader = await signUpInvited(api, ada, { email: 'reader@example.com', role: 'read_only' })
  const shared = ['/account', '/developers/webhooks', '/administration/members', '/account/apps']
  for (const [person, more] of [
    [ada, ['/administration/keys', '/administration/record']],
    [reader, []],
  ] as const) {
    const { text } = await person.open('/account')
    const [navigation = ''] = /<nav aria-label="Account">[\s\S]*?<\/nav>/.exec(text) ?? []
    const links = [...navigation.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
    assert.deepEqual(links.toSorted(), [...shared, ...more].toSorted())
    for (const link of links) assert.equal((await person.open(link, accept)).status, 200, link)
  }
})
