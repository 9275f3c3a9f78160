/**
 * How agents find the server: by each name of this machine, with and without a slash, because they compare the address
 * that they read with the one that they have.
 */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { after, before, test } from 'node:test'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { UnauthorizedError as Unauthorized1 } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { FastifyInstance } from 'fastify'
import { openMcp } from '../../src/mcp/transport/open-mcp.ts'
import { createEgress } from '../../src/platform/egress.ts'
import { createApiApp } from '../../src/server/app.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { agree, authorizeUrl, begin, connectApp, redirectUri, refresh, register, tokensOf } from '../support/oauth.ts'
import { freePort } from '../support/oauth-world.ts'
import { openPerson, signIn, signUpFirst } from '../support/person.ts'

let api: TestApi
let mcp: FastifyInstance
let ports: { readonly api: number; readonly mcp: number }
before(async () => {
  ports = { api: await freePort(), mcp: await freePort() }
  const env = { LANDFALL_PORT: String(ports.api), LANDFALL_MCP_PORT: String(ports.mcp) }
  api = await openTestApi({ startAt: new Date().toISOString(), env })
  await signUpFirst(api)
  await api.app.listen({ host: '127.0.0.1', port: ports.api })
  mcp = await openMcp(api.service)
  await mcp.listen({ host: '127.0.0.1', port: ports.mcp })
})
after(async () => {
  await mcp?.close()
  await api.close()
})

const names = ['localhost', '127.0.0.1'] as const

async function read(url: string, headers: Readonly<Record<string, string>> = {}) {
  const { port, pathname, host } = new URL(url)
  const app = port === String(ports.mcp) ? mcp : api.app
  const { statusCode, body } = await app.inject({ url: pathname, headers: { host, ...headers } })
  assert.equal(statusCode, 200, `${url}: ${body}`)
  return JSON.parse(body) as Readonly<Record<string, unknown>>
}

test('metadata under a local host name refers to that name, with and without a trailing slash', async () => {
  const well = '/.well-known/'
  for (const name of [...names, 'LocalHost', '[::1]']) {
    const [atApi, atMcp] = [`http://${name}:${ports.api}`, `http://${name}:${ports.mcp}`]
    const lower = atApi.toLowerCase()
    for (const slash of ['', '/']) {
      const of = async (url: string) => read(`${url}${slash}`)
      for (const kind of ['oauth-authorization-server', 'openid-configuration']) {
        const { issuer, token_endpoint: tokens } = await of(`${atApi}${well}${kind}`)
        assert.deepEqual([issuer, tokens], [lower, `${lower}/oauth/token`])
      }
      const resources = [
        [`${atMcp}${well}oauth-protected-resource`, atMcp.toLowerCase()],
        [`${atMcp}${well}oauth-protected-resource/mcp`, atMcp.toLowerCase()],
        [`${atApi}${well}oauth-protected-resource`, `${lower}/v2`],
        [`${atApi}${well}oauth-protected-resource/v2`, `${lower}/v2`],
        [`${atApi}${well}oauth-protected-resource/mcp`, `${lower}/mcp`],
      ] as const
      for (const [url, resource] of resources) {
        const metadata = await of(url)
        assert.deepEqual([metadata['resource'], metadata['authorization_servers']], [resource, [lower]])
      }
    }
    const refused = await api.app.inject({
      url: '/v2/shipments',
      headers: { host: `${name}:${ports.api}`, authorization: `Bearer ${'x'.repeat(43)}` },
    })
    assert.ok(String(refused.headers['www-authenticate']).includes(`"${lower}${well}oauth-protected`), name)
  }
  for (const path of ['oauth-authorization-server/elsewhere', 'oauth-protected-resource/elsewhere/'])
    assert.equal((await api.app.inject({ url: `${well}${path}` })).statusCode, 404, path)
})

test('a configured public name is used, whatever Host a request has', async () => {
  const env = {
    LANDFALL_PUBLIC_URL: 'https://landfall.example',
    LANDFALL_MCP_PUBLIC_URL: 'https://mcp.landfall.example',
  }
  const proxied = await openTestApi({ env })
  try {
    for (const host of ['localhost', '127.0.0.1:3000', 'evil.example']) {
      const ask = async (path: string) => (await proxied.app.inject({ url: path, headers: { host } })).json()
      assert.equal((await ask('/.well-known/oauth-authorization-server')).issuer, 'https://landfall.example')
      const { resource } = await ask('/.well-known/oauth-protected-resource')
      assert.equal(resource, 'https://landfall.example/v2')
    }
  } finally {
    await proxied.close()
  }
  const { issuer } = await read(`http://127.0.0.1:${ports.api}/.well-known/oauth-authorization-server`, {
    host: 'evil.example',
    'x-forwarded-host': 'localhost',
  })
  assert.equal(issuer, `http://127.0.0.1:${ports.api}`)
})

/** What an agent stores, and the address to which it has sent its person. */
function openAgent() {
  let information: StoredOAuthClientInformation | undefined
  let tokens: StoredOAuthTokens | undefined
  let verifier = ''
  let discovered: OAuthDiscoveryState | undefined
  const sentTo: URL[] = []
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: { client_name: 'Harbour Agent', redirect_uris: [redirectUri] },
    clientInformation: () => information,
    saveClientInformation: (given) => {
      information = given
    },
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given
    },
    redirectToAuthorization: (url) => {
      sentTo.push(url)
    },
    saveCodeVerifier: (given) => {
      verifier = given
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (given) => {
      discovered = given
    },
    discoveryState: () => discovered,
  }
  return { provider, sentTo, accessToken: () => tokens?.access_token }
}

for (const name of names)
  test(`the official client discovers the server at ${name}, with or without a trailing slash, and renews its token`, async () => {
    const addresses = [ports.mcp, ports.api].flatMap((port) =>
      ['', '/', '/mcp', '/mcp/'].map((path) => `http://${name}:${port}${path}`),
    )
    const { person } = await signIn(api, {
      email: 'ada@example.com',
      person: openPerson(api, undefined, `${name}:${ports.api}`),
    })
    for (const address of addresses.filter((each) => !new RegExp(`:${ports.api}/?$`).test(each))) {
      const { provider, sentTo, accessToken } = openAgent()
      const open = () => new StreamableHTTPClientTransport(new URL(address), { authProvider: provider })
      const transport = open()
      await assert.rejects(new Client({ name: 'harbour', version: '1' }).connect(transport), UnauthorizedError)
      const [url] = sentTo
      assert.equal(url?.origin, `http://${name}:${ports.api}`, address)
      const back = await agree(person, await begin(person, `${url.pathname}${url.search}`))
      assert.equal(back.get('iss'), url.origin)
      await transport.finishAuth(back)
      const client = new Client({ name: 'harbour', version: '1' })
      await client.connect(open())
      assert.ok((await client.listTools()).tools.length > 0, address)
      const before = accessToken()
      await api.service.pool.query(
        `update oauth_entries set expires_at = now() - interval '1 hour' where kind = 'AccessToken'`,
      )
      assert.ok((await client.listTools()).tools.length > 0, `${address}, with a new token`)
      assert.notEqual(accessToken(), before)
      assert.equal(sentTo.length, 1, 'the person was asked again')
      await client.close()
    }
  })

test('the first generation of the official client discovers the server, uses a tool and renews its token', async () => {
  const { person } = await signIn(api, {
    email: 'ada@example.com',
    person: openPerson(api, undefined, `127.0.0.1:${ports.api}`),
  })
  for (const address of [`http://127.0.0.1:${ports.mcp}`, `http://127.0.0.1:${ports.api}/mcp`]) {
    const { provider, sentTo, accessToken } = openAgent()
    const open = () =>
      new Transport1(new URL(address), {
        // Both generations store the same of an agent.
        authProvider: provider as unknown as NonNullable<
          NonNullable<ConstructorParameters<typeof Transport1>[1]>['authProvider']
        >,
      })
    const transport = open()
    await assert.rejects(new Client1({ name: 'harbour', version: '1' }).connect(transport), Unauthorized1)
    const back = await agree(person, await begin(person, `${sentTo[0]?.pathname}${sentTo[0]?.search}`))
    await transport.finishAuth(back.get('code') ?? '')
    const client = new Client1({ name: 'harbour', version: '1' })
    await client.connect(open())
    assert.ok((await client.listTools()).tools.length > 0, address)
    const found = await client.callTool({ name: 'search_container', arguments: { query: 'MSCU' } })
    assert.notEqual(found.isError, true)
    const before = accessToken()
    await api.service.pool.query(
      `update oauth_entries set expires_at = now() - interval '1 hour' where kind = 'AccessToken'`,
    )
    assert.ok((await client.listTools()).tools.length > 0, `${address}, with a new token`)
    assert.notEqual(accessToken(), before)
    await client.close()
  }
})

test('the tested versions of the official SDK are those in the documentation', () => {
  const tested = ['sdk', 'client'].map((name) => {
    const file = new URL(`../../node_modules/@modelcontextprotocol/${name}/package.json`, import.meta.url)
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }
    return version.split('.').slice(0, 2).join('.')
  })
  const page = readFileSync(new URL('../../docs/accounts.md', import.meta.url), 'utf8')
  assert.equal(/SDK in its versions ([\d., and]+\d)/.exec(page)?.[1], tested.join(' and '))
})

test('an agent without RFC 8707, which names no resource, may use the tools at both addresses, but not the API', async () => {
  const { person } = await signIn(api, { email: 'ada@example.com' })
  const { clientId, accessToken, refreshToken } = await connectApp(api, person, { ask: { resource: null } })
  const renewed = tokensOf(await refresh(api, clientId, refreshToken))
  for (const token of [accessToken, renewed.accessToken])
    for (const url of [`http://127.0.0.1:${ports.mcp}/`, `http://localhost:${ports.api}/mcp`])
      assert.equal(await ping(url, token), 200)
  const named = await refresh(api, clientId, renewed.refreshToken, {
    resource: `http://127.0.0.1:${ports.mcp}/`,
  })
  assert.equal(await ping(`http://127.0.0.1:${ports.mcp}/`, tokensOf(named).accessToken), 200)
  assert.equal(await ping(`http://127.0.0.1:${ports.api}/mcp`, tokensOf(named).accessToken), 401)
  const rest = await api.app.inject({
    url: '/v2/shipments',
    headers: { authorization: `Bearer ${accessToken}` },
  })
  assert.equal(rest.statusCode, 401)
})

async function ping(url: string, accessToken: string): Promise<number> {
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const answer = await fetch(url, { method: 'POST', headers, body })
  await answer.body?.cancel()
  return answer.status
}

test('a token for a named resource opens only that address, however the address is spelled', async () => {
  const { person } = await signIn(api, { email: 'ada@example.com' })
  const [own, beside] = [`http://127.0.0.1:${ports.mcp}`, `http://127.0.0.1:${ports.api}/mcp`]
  for (const [resource, opened] of [
    [own, [200, 401]],
    [`http://localhost:${ports.mcp}/`, [200, 401]],
    [beside, [401, 200]],
    [`http://localhost:${ports.api}/mcp/`, [401, 200]],
  ] as const) {
    const { accessToken } = await connectApp(api, person, { ask: { resource } })
    assert.deepEqual([await ping(own, accessToken), await ping(beside, accessToken)], opened, resource)
  }
})

test('client metadata is never fetched from this machine, even if other outgoing requests may reach it', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const egress = createEgress({
    allowedNetworks: ['127.0.0.0/8', '0.0.0.0/8'],
    allowLoopback: true,
    connectTimeoutMs: 1_000,
    resolver: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  const app = await createApiApp({ ...api.service, egress })
  try {
    for (const host of ['127.0.0.1', '127.9.9.9', 'localhost', 'inside.example.com', '0.0.0.0', '[::1]']) {
      const url = `https://${host}:${port}/client.json`
      const answer = await openPerson({ ...api, app }).open(authorizeUrl(url))
      assert.deepEqual([answer.status, answer.location], [400, null], url)
      assert.match(answer.text, /invalid_client/)
      const { status } = await register({ app }, { sector_identifier_uri: url })
      assert.equal(status, 201)
    }
    assert.equal(connections, 0)
    // The same outgoing client reaches it for callers who may.
    assert.equal(
      (await egress.request({ url: `http://127.0.0.1:${port}/`, timeoutMs: 1_000, maxBytes: 10 })).kind,
      'failed',
    )
    assert.equal(connections, 1)
  } finally {
    await app.close()
    egress.close()
    server.close()
  }
})
