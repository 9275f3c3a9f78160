/**
 * How apps are registered: they register themselves, or publish a description. Neither gives access to the internal
 * network.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pruneOauth } from '../../src/modules/oauth-apps/prune-oauth.ts'
import { createEgress, type EgressRequest } from '../../src/platform/egress.ts'
import { createApiApp } from '../../src/server/app.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
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
} from '../support/oauth.ts'
import { openPerson, type Person, signUpFirst } from '../support/person.ts'

let api: TestApi
let ada: Person
before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString() })
  ada = await signUpFirst(api)
})
after(() => api.close())

test('the metadata at both well-known addresses shows the capabilities, for every host name', async () => {
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

test("the API's resource metadata names this server", async () => {
  for (const path of ['', '/v2']) {
    const { body } = await api.app.inject({ url: `/.well-known/oauth-protected-resource${path}` })
    const { resource, authorization_servers: servers } = JSON.parse(body) as Record<string, unknown>
    assert.deepEqual([resource, servers], ['http://localhost:3000/v2', ['http://localhost:3000']])
  }
})

test('an app that requests no secret gets none; one that requests a secret must present it', async () => {
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

test('a registration with unsupported values is reduced to the supported ones, and the answer shows them', async () => {
  const { status, body } = await register(api, {
    scope: 'openid profile tracking:read mcp:tools offline_access',
    grant_types: ['authorization_code', 'implicit', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    response_types: ['code', 'code id_token', 'token'],
    token_endpoint_auth_method: 'private_key_jwt',
    client_uri: '',
    logo_uri: null,
    tos_uri: 'not an address',
    policy_uri: 'https://app.example.com/policy',
    jwks_uri: '',
    id_token_signed_response_alg: 'RS256',
    contacts: [],
    dpop_bound_access_tokens: true,
    software_id: 'quay',
  })
  assert.equal(status, 201, JSON.stringify(body))
  const { scope, grant_types, response_types, token_endpoint_auth_method, policy_uri, software_id } = body
  assert.deepEqual(
    { scope, grant_types, response_types, token_endpoint_auth_method, policy_uri, software_id },
    {
      scope: 'tracking:read offline_access',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      policy_uri: 'https://app.example.com/policy',
      software_id: 'quay',
    },
  )
  for (const dropped of ['client_uri', 'logo_uri', 'tos_uri', 'jwks_uri', 'contacts', 'dpop_bound_access_tokens'])
    assert.equal(Object.hasOwn(body, dropped), false, dropped)
  tokensOf(await connectedBy(String(body.client_id)))
  for (const foreign of [{ scope: 'openid email' }, { scope: '' }, { scope: null }, { response_types: [] }]) {
    const other = await register(api, foreign)
    assert.equal(other.status, 201, JSON.stringify(other.body))
    tokensOf(await connectedBy(String(other.body.client_id), { scope: 'openid email' }))
  }
})

async function connectedBy(clientId: string, asked: Readonly<Record<string, string>> = { scope: 'tracking:read' }) {
  const back = await agree(ada, await begin(ada, authorizeUrl(clientId, asked)))
  return trade(api, clientId, back.get('code') ?? '')
}

test('an incomplete registration or one with a forbidden redirect address is refused', async () => {
  for (const metadata of [
    { grant_types: ['client_credentials'] },
    { response_types: ['token'] },
    { redirect_uris: [] },
    { redirect_uris: null },
    { redirect_uris: ['https://app.example.com/cb', 'javascript:alert(1)'] },
    { client_name: 7 },
  ]) {
    const { status, body } = await register(api, metadata)
    assert.equal(status, 400, JSON.stringify(metadata))
    assert.match(String(body.error), /^invalid_(client_metadata|redirect_uri)$/)
  }
})

test('loopback, web and custom-scheme redirects may be registered; plain http elsewhere and scripts may not', async () => {
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

test('a native app may use any port of the loopback address', async () => {
  const clientId = await newClient(api, { redirect_uris: ['http://127.0.0.1/callback'] })
  const uri = 'http://127.0.0.1:50123/callback'
  const back = await agree(ada, await begin(ada, authorizeUrl(clientId, { redirect_uri: uri })))
  tokensOf(await trade(api, clientId, back.get('code') ?? '', { redirect_uri: uri }))
})

test('an app that names neither resource nor scope gets only the read scope', async () => {
  const { scope } = await connectApp(api, ada, { ask: { scope: null, resource: null } })
  assert.equal(scope, 'tracking:read')
})

test('a client that registers too often must wait', async () => {
  const answers = []
  for (let at = 0; at < 31; at += 1) answers.push(await register(api, {}, '10.77.0.1'))
  assert.deepEqual([...new Set(answers.slice(0, 30).map(({ status }) => status))], [201])
  assert.equal(answers[30]?.status, 429)
  assert.match(String(answers[30]?.headers['retry-after']), /^\d+$/)
})

test('a registered app without consent is deleted after 30 days; one with consent stays', async () => {
  const unused = await newClient(api)
  const { clientId: used } = await connectApp(api, ada)
  api.clock.advance(31 * 86_400_000)
  await pruneOauth(api.service)
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
  const app = await createApiApp({ ...api.service, egress })
  await app.ready()
  return { app, asked }
}

test('an app with a client metadata document needs no registration, and the consent page shows its address', async () => {
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
    assert.equal(shown.text.includes(`publishes at ${documentUrl} cannot be fetched now`), status === 404)
    assert.deepEqual(elsewhere.asked, [documentUrl])
    await elsewhere.app.close()
  }
  await outside.app.close()
})

test('a metadata document for another address, or with a plain http address, is refused', async () => {
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
    assert.match(answer.text, /at its address is not valid|must be on a loopback address/)
    assert.deepEqual(outside.asked, [documentUrl], 'once, though it is refused')
    await outside.app.close()
  }
})

test('metadata documents are never fetched from this network, by name, address or redirect', async () => {
  const guarded = createEgress({
    allowedNetworks: [],
    allowLoopback: false,
    connectTimeoutMs: 1_000,
    resolver: async () => [{ address: '10.0.0.7', family: 4 }],
  })
  const app = await createApiApp({ ...api.service, egress: guarded })
  await app.ready()
  for (const clientId of [
    'https://127.0.0.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/client.json',
    'https://inside.example.com/client.json',
  ]) {
    const answer = await openPerson({ ...api, app }).open(authorizeUrl(clientId))
    assert.deepEqual([answer.status, answer.location], [400, null], clientId)
    assert.match(answer.text, /could not fetch the description.*invalid_client/s)
  }
  await app.close()
  guarded.close()
  const outside = await withOutside(() => ({ status: 302, body: {} }))
  const refused = await openPerson({ ...api, app: outside.app }).open(authorizeUrl(documentUrl))
  assert.equal(refused.status, 400)
  assert.match(refused.text, /could not fetch the description that the app publishes/)
  assert.deepEqual(outside.asked, [documentUrl], 'once')
  await outside.app.close()
})
