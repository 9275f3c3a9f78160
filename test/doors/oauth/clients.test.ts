/**
 * How apps become known: they register themselves, or publish a description. Neither gives access to the internal
 * network.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openApi } from '../../../src/doors/app.ts'
import { createEgress, type EgressRequest } from '../../../src/platform/egress.ts'
import { tidyOauth } from '../../../src/service/people/oauth/tidy-oauth.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import {
  agree,
  authorizeUrl,
  begin,
  connectApp,
  type Door,
  newClient,
  register,
  tokensOf,
  trade,
} from '../../support/oauth.ts'
import { openPerson, type Person, signUpFirst } from '../../support/person.ts'

let api: TestApi
let ada: Person
before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString() })
  ada = await signUpFirst(api)
})
after(() => api.close())

test('the metadata at both well-known addresses shows what the server can do, for every host name', async () => {
  for (const path of ['oauth-authorization-server', 'openid-configuration']) {
    const { statusCode, headers, body } = await api.app.inject({
      url: `/.well-known/${path}`,
      headers: {
        host: 'evil.example.com',
        'x-forwarded-host': 'evil.example.com',
        'x-forwarded-proto': 'https',
      },
    })
    assert.equal(statusCode, 200)
    assert.match(String(headers['content-type']), /application\/json/)
    const metadata = JSON.parse(body) as Record<string, unknown>
    assert.equal(metadata.issuer, 'http://127.0.0.1:3000')
    assert.equal(metadata.token_endpoint, 'http://127.0.0.1:3000/oauth/token')
    assert.deepEqual(metadata.code_challenge_methods_supported, ['S256'])
    assert.deepEqual(metadata.grant_types_supported, ['authorization_code', 'refresh_token'])
    assert.deepEqual(metadata.response_types_supported, ['code'])
    assert.equal(metadata.client_id_metadata_document_supported, true)
    assert.equal(metadata.authorization_response_iss_parameter_supported, true)
    assert.deepEqual(metadata.scopes_supported, ['offline_access', 'tracking:read', 'tracking:write'])
  }
})

test('the resource of the API names this server', async () => {
  for (const path of ['', '/v2']) {
    const { body } = await api.app.inject({ url: `/.well-known/oauth-protected-resource${path}` })
    const { resource, authorization_servers: servers } = JSON.parse(body) as Record<string, unknown>
    assert.deepEqual([resource, servers], ['http://localhost:3000/v2', ['http://localhost:3000']])
  }
})

test('an app that says nothing of a secret gets none; one that wants one must show it', async () => {
  const { body: open } = await register(api, { scope: 'tracking:read tracking:write offline_access' })
  assert.equal(open.client_secret, undefined)
  assert.equal(open.token_endpoint_auth_method, 'none')
  const { body: closed } = await register(api, { token_endpoint_auth_method: 'client_secret_post' })
  const clientId = String(closed.client_id)
  const code = (await agree(ada, await begin(ada, authorizeUrl(clientId)))).get('code') ?? ''
  const without = await trade(api, clientId, code)
  assert.deepEqual([without.status, without.body.error], [401, 'invalid_client'])
  tokensOf(await trade(api, clientId, code, { client_secret: String(closed.client_secret) }))
})

test('programs on a machine, in a browser and with a scheme of their own may register; plain http to elsewhere and scripts may not', async () => {
  for (const uri of [
    'http://localhost:3118/callback',
    'http://127.0.0.1/cb',
    'http://[::1]:1/cb',
    'https://app.example.com/cb',
    'editor://publisher.agent/oauth/callback',
  ])
    assert.equal((await register(api, { redirect_uris: [uri] })).status, 201, uri)
  for (const application of ['web', 'native'])
    for (const uri of [
      'http://app.example.com/cb',
      'javascript:alert(1)',
      'https://app.example.com/cb#x',
      'nonsense',
    ]) {
      const { status, body } = await register(api, { redirect_uris: [uri], application_type: application })
      assert.equal(status, 400, `${application} ${uri}`)
      assert.match(String(body.error), /^invalid_(client_metadata|redirect_uri)$/)
    }
})

test('a program on the machine may listen at any port of the loopback address', async () => {
  const clientId = await newClient(api, { redirect_uris: ['http://127.0.0.1/callback'] })
  const uri = 'http://127.0.0.1:50123/callback'
  const back = await agree(ada, await begin(ada, authorizeUrl(clientId, { redirect_uri: uri })))
  tokensOf(await trade(api, clientId, back.get('code') ?? '', { redirect_uri: uri }))
})

test('an app that names no resource, and no scope, may look at what agents see and no more', async () => {
  const { scope } = await connectApp(api, ada, { ask: { scope: null, resource: null } })
  assert.equal(scope, 'tracking:read')
})

test('a client that registers without end must wait', async () => {
  const answers = []
  for (let at = 0; at < 31; at += 1) answers.push(await register(api, {}, '10.77.0.1'))
  assert.deepEqual([...new Set(answers.slice(0, 30).map(({ status }) => status))], [201])
  assert.equal(answers[30]?.status, 429)
  assert.match(String(answers[30]?.headers['retry-after']), /^\d+$/)
})

test('an app that no person has allowed is deleted after 30 days; an allowed app stays', async () => {
  const unused = await newClient(api)
  const { clientId: used } = await connectApp(api, ada)
  api.clock.advance(31 * 86_400_000)
  await tidyOauth(api.service)
  const { rows } = await api.service.pool.query<{ id: string }>(`select id from oauth_clients`)
  const kept = rows.map(({ id }) => id)
  assert.equal(kept.includes(unused), false)
  assert.equal(kept.includes(used), true)
  api.clock.advance(-31 * 86_400_000)
})

const documentUrl = 'https://agent.example.com/client.json'

/** The same API with an outgoing client whose answers the test sets. */
async function withOutside(
  answer: (request: EgressRequest) => { status?: number; body: object },
): Promise<Door & { asked: string[] }> {
  const asked: string[] = []
  const egress = {
    ...api.service.egress,
    request: async (request: EgressRequest) => {
      asked.push(request.url)
      const { status = 200, body } = answer(request)
      const headers = { 'content-type': 'application/json' }
      const bytes = Buffer.from(JSON.stringify(body))
      return {
        kind: 'answer',
        status,
        headers,
        body: bytes,
        truncated: false,
        address: '192.0.2.1',
        durationMs: 1,
      } as const
    },
  }
  const app = await openApi({ ...api.service, egress })
  await app.ready()
  return { app, asked }
}

test('an app that publishes what it is needs no registration, and the page says where it is published', async () => {
  const document = {
    client_id: documentUrl,
    client_name: 'Published Agent',
    redirect_uris: ['http://127.0.0.1/callback'],
  }
  const outside = await withOutside(() => ({ body: document }))
  const person = openPerson({ ...api, app: outside.app })
  for (const [name, value] of ada.cookies) person.cookies.set(name, value)
  const uri = 'http://127.0.0.1:5000/callback'
  const page = await begin(person, authorizeUrl(documentUrl, { redirect_uri: uri }))
  assert.match((await person.open(page)).text, /https:\/\/agent\.example\.com\/client\.json/)
  const back = await agree(person, page)
  tokensOf(await trade(outside, documentUrl, back.get('code') ?? '', { redirect_uri: uri }))
  assert.deepEqual(outside.asked, [documentUrl], 'once')
  const question = await begin(person, authorizeUrl(documentUrl, { redirect_uri: uri }))
  // Another process has not read the document yet; for a third process it no longer exists.
  for (const [status, body] of [
    [200, document],
    [404, {}],
  ] as const) {
    const elsewhere = await withOutside(() => ({ status, body }))
    const there = openPerson({ ...api, app: elsewhere.app })
    for (const [name, value] of person.cookies) there.cookies.set(name, value)
    const shown = await there.open(question)
    assert.equal(shown.status, status, shown.text)
    assert.deepEqual(elsewhere.asked, [documentUrl])
    await elsewhere.app.close()
  }
  await outside.app.close()
})

test('a document about another address, or with an address in plain http, is refused', async () => {
  for (const document of [
    { client_id: 'https://other.example.com/client.json', redirect_uris: ['http://127.0.0.1/callback'] },
    { client_id: documentUrl, redirect_uris: ['http://app.example.com/callback'] },
    {
      client_id: documentUrl,
      redirect_uris: ['http://127.0.0.1/callback'],
      client_secret: 'x',
      token_endpoint_auth_method: 'client_secret_post',
    },
  ]) {
    const outside = await withOutside(() => ({ body: document }))
    const answer = await openPerson({ ...api, app: outside.app }).open(authorizeUrl(documentUrl))
    assert.deepEqual([answer.status, answer.location], [400, null], JSON.stringify(document))
    assert.deepEqual(outside.asked, [documentUrl], 'once, though it is refused')
    await outside.app.close()
  }
})

test('a document is fetched only from the outside: names and addresses of this network, and redirects into it, are not followed', async () => {
  const guarded = createEgress({
    allowedNetworks: [],
    allowLoopback: false,
    connectTimeoutMs: 1_000,
    resolver: async () => [{ address: '10.0.0.7', family: 4 }],
  })
  const app = await openApi({ ...api.service, egress: guarded })
  await app.ready()
  for (const clientId of [
    'https://127.0.0.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/client.json',
    'https://inside.example.com/client.json',
  ]) {
    const answer = await openPerson({ ...api, app }).open(authorizeUrl(clientId))
    assert.deepEqual([answer.status, answer.location], [400, null], clientId)
    assert.match(answer.text, /invalid_client/)
  }
  await app.close()
  guarded.close()
  const outside = await withOutside(() => ({ status: 302, body: {} }))
  assert.equal((await openPerson({ ...api, app: outside.app }).open(authorizeUrl(documentUrl))).status, 400)
  assert.deepEqual(outside.asked, [documentUrl], 'once')
  await outside.app.close()
})
