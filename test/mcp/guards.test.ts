import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Context } from '../../src/modules/access/context.ts'
import { createApiKey } from '../../src/modules/api-keys/create-api-key.ts'
import type { VerifyBearer } from '../../src/modules/oauth-apps/authenticate-bearer.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { connect, eras, openTestMcp, type TestMcp, textOf } from '../support/mcp.ts'

let api: TestApi
let mcp: TestMcp
let reader: Context
const asked: string[] = []

/** Tokens by their names, because there is no authorization server here. */
const verifyBearer: VerifyBearer = async (_service, { token, resource }) => {
  asked.push(`${resource} ${token}`)
  if (token === 'reader') return { kind: 'identity', identity: { ...reader, scopes: ['read'] } }
  if (token === 'poor') return { kind: 'insufficient' }
  return { kind: token === 'outage' ? 'unavailable' : 'invalid' }
}

before(async () => {
  api = await openTestApi({ env: { LANDFALL_MCP_ORIGINS: 'chat.example' } })
  reader = await api.newAccount()
  mcp = await openTestMcp(api, { verifyBearer })
})
after(async () => {
  await mcp.close()
  await api.close()
})

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Names no type that it accepts, unless its headers do. */
  readonly isPlain?: boolean
}

async function send({ method = 'POST', path = '/', headers = {}, body = ping, isPlain = false }: Sent = {}) {
  const url = new URL(path, mcp.url)
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method,
        headers: {
          'content-type': 'application/json',
          ...(isPlain ? {} : { accept: 'application/json, text/event-stream' }),
          ...headers,
        },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
      },
    )
    outgoing.on('error', reject)
    outgoing.end(method === 'POST' ? body : undefined)
  })
}

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
const toolCall = (name: string) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: { id: nowhere } },
  })
const nowhere = '018f0000-0000-7000-8000-000000000000'
const key = () => ({ authorization: `Token ${api.key}` })

const changing = ['track_container', 'stop_tracking', 'resume_tracking', 'update_shipment', 'refresh_container']
const argumentsOf: Readonly<Record<string, Record<string, unknown>>> = {
  track_container: { number: 'MSCU4000005' },
  update_shipment: { id: nowhere, tags: ['x'] },
}

test('a client gets JSON unless its Accept header asks for a stream', async () => {
  const initialize = JSON.stringify({
    jsonrpc: '2.0',
    id: 7,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'plain', version: '1' },
    },
  })
  for (const accept of [null, '*/*', 'application/*', 'application/json', 'text/html, */*;q=0.1'])
    for (const body of [initialize, toolCall('get_container'), ping]) {
      const headers = { ...key(), ...(accept === null ? {} : { accept }) }
      const answer = await send({ headers, body, isPlain: true })
      assert.equal(answer.status, 200, `${accept}: ${answer.text}`)
      assert.match(String(answer.headers['content-type']), /^application\/json/)
      const { id, result } = JSON.parse(answer.text) as { id: number; result: object }
      assert.ok(typeof id === 'number' && typeof result === 'object', answer.text)
    }
  const both = await send({ headers: key() })
  assert.match(String(both.headers['content-type']), /^text\/event-stream/)
  assert.equal((await send({ headers: { ...key(), accept: 'image/png' } })).status, 406)
})

describe('requests that are refused before authentication', () => {
  test('an unknown host name is refused, with or without a key', async () => {
    for (const host of ['evil.example', 'evil.example:3001', '169.254.169.254'])
      assert.ok([400, 403].includes((await send({ headers: { ...key(), host } })).status), host)
    assert.equal((await send({ headers: { ...key(), host: 'localhost:3001' } })).status, 200)
  })

  test('a web page of another site is refused unless its origin is configured', async () => {
    for (const origin of ['https://evil.example', 'null', 'https://127.0.0.1.evil.example'])
      assert.equal((await send({ headers: { ...key(), origin } })).status, 403, origin)
    for (const origin of ['https://chat.example', 'http://localhost:5173']) {
      const answer = await send({ headers: { ...key(), origin } })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.headers['access-control-allow-origin'], origin)
      assert.match(String(answer.headers['access-control-expose-headers']), /WWW-Authenticate/)
    }
    const preflight = await send({ method: 'OPTIONS', headers: { origin: 'https://chat.example' } })
    assert.equal(preflight.status, 204)
    assert.match(String(preflight.headers['access-control-allow-headers']), /Mcp-Name/)
  })

  test('every method but POST is 405, at / and at /mcp', async () => {
    for (const path of ['/', '/mcp'])
      for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
        const answer = await send({ method, path, headers: key() })
        assert.equal(answer.status, 405)
        assert.equal(answer.headers['allow'], 'POST')
      }
    assert.equal((await send({ path: '/elsewhere', headers: key() })).status, 404)
  })

  test('a body that is too large, not JSON or of another type is refused', async () => {
    // Not over a socket, because the socket is closed before everything is written.
    const large = await api.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { ...key(), host: 'localhost', 'content-type': 'application/json' },
      payload: `"${'x'.repeat(1_100_000)}"`,
    })
    assert.equal(large.statusCode, 413)
    assert.equal((await send({ headers: key(), body: '{' })).status, 400)
    assert.equal((await send({ headers: { ...key(), 'content-type': 'text/plain' } })).status, 415)
  })
})

describe('authentication and scopes', () => {
  test('without credentials, the answer names the metadata and the scopes', async () => {
    const answer = await send()
    assert.equal(answer.status, 401)
    assert.equal(
      answer.headers['www-authenticate'],
      'Bearer resource_metadata="http://127.0.0.1:3001/.well-known/oauth-protected-resource", scope="tracking:read tracking:write"',
    )
  })

  test('a wrong key, a wrong token and another scheme get the same 401', async () => {
    for (const authorization of ['Token lf_live_wrong', 'Bearer wrong', 'Basic eDp5', `Bearer ${api.key}`, 'Token']) {
      const answer = await send({ headers: { authorization } })
      assert.equal(answer.status, 401)
      assert.match(String(answer.headers['www-authenticate']), /^Bearer error="invalid_token", resource_metadata=/)
    }
    assert.ok(asked.includes('mcp wrong'), 'the token is asked about for this resource')
  })

  test('a token without the read scope is 403, and an unavailable authorization server is 503', async () => {
    const poor = await send({ headers: { authorization: 'Bearer poor' } })
    assert.equal(poor.status, 403)
    assert.match(String(poor.headers['www-authenticate']), /error="insufficient_scope"/)
    const away = await send({ headers: { authorization: 'Bearer outage' } })
    assert.deepEqual([away.status, away.headers['retry-after']], [503, '5'])
  })

  test('an app with the read scope can list and read; a writing tool is 403 and names all scopes to request', async () => {
    const headers = { authorization: 'Bearer reader' }
    assert.equal((await send({ headers, body: toolCall('get_container') })).status, 200)
    for (const name of changing) {
      const answer = await send({ headers, body: toolCall(name) })
      assert.equal(answer.status, 403, `${name} ${answer.text}`)
      const challenge = String(answer.headers['www-authenticate'])
      assert.match(challenge, /insufficient_scope/)
      assert.match(challenge, /tracking:read tracking:write/)
      assert.match(challenge, /resource_metadata=/)
    }
  })

  test('a read-only key sees only the reading tools, and a call of another tool is a tool error in words', async () => {
    const authorization = `Token ${await api.newKey(reader, ['read'])}`
    for (const era of eras) {
      const client = await connect(mcp.url, { authorization, era })
      const { tools } = await client.listTools()
      assert.ok(tools.some(({ name }) => name === 'get_container'))
      assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true))
      for (const name of changing) {
        const { isError, content } = await client.callTool({
          name,
          arguments: argumentsOf[name] ?? { id: nowhere },
        })
        assert.equal(isError, true, name)
        assert.match(textOf(content[0]), new RegExp(`may only read.*${name}.*scope`), name)
      }
      await client.close()
    }
    const writer = await connect(mcp.url, key())
    assert.ok((await writer.listTools()).tools.some(({ name }) => name === 'track_container'))
    await writer.close()
  })

  test('a writing tool is refused for an app with only the read scope in the 2026 protocol too', async () => {
    const client = await connect(mcp.url, { authorization: 'Bearer reader' })
    await assert.rejects(client.callTool({ name: 'stop_tracking', arguments: { id: nowhere } }))
    await client.close()
  })
})

test('no error answer has a null id, because clients refuse such an answer', async () => {
  const refusals = [
    await send(),
    await send({ headers: { authorization: 'Bearer wrong' } }),
    await send({ headers: { authorization: 'Bearer poor' } }),
    await send({ headers: { authorization: 'Bearer reader' }, body: toolCall('stop_tracking') }),
    await send({ headers: { ...key(), origin: 'https://evil.example' } }),
    await send({ headers: { ...key(), host: 'evil.example' } }),
  ]
  assert.deepEqual(
    refusals.map(({ status }) => status),
    [401, 401, 403, 403, 403, 403],
  )
  for (const { text } of refusals) {
    const body = JSON.parse(text) as Readonly<Record<string, unknown>>
    assert.notEqual(body['id'], null, text)
    assert.ok('error' in body, text)
  }
})

test('a publishable key is refused', async () => {
  const { key: publishable } = await createApiKey(api.service, {
    accountId: api.context.account.id,
    name: 'Page',
    kind: 'publishable',
    allowedOrigins: ['https://chat.example'],
    scopes: ['read'],
  })
  const headers = { authorization: `Token ${publishable}`, origin: 'https://chat.example' }
  assert.equal((await send({ headers })).status, 401)
})

describe('the metadata of the protected resource', () => {
  test('is served for the root address and for /mcp', async () => {
    for (const path of ['', '/mcp']) {
      const answer = await send({ method: 'GET', path: `/.well-known/oauth-protected-resource${path}` })
      assert.equal(answer.status, 200)
      const metadata = JSON.parse(answer.text) as Record<string, unknown>
      assert.equal(metadata['resource'], 'http://127.0.0.1:3001')
      assert.deepEqual(metadata['authorization_servers'], ['http://127.0.0.1:3000'])
      assert.deepEqual(metadata['scopes_supported'], ['tracking:read', 'tracking:write'])
    }
    const beside = await api.app.inject({ url: '/.well-known/oauth-protected-resource/mcp' })
    assert.equal((beside.json() as { resource: string }).resource, 'http://localhost:3000/mcp')
  })

  test('names /mcp of the API as a protected resource of its own', async () => {
    await api.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = api.app.server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/mcp`
    const unknown = await fetch(url, {
      method: 'POST',
      body: ping,
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(unknown.status, 401)
    assert.match(unknown.headers.get('www-authenticate') ?? '', /oauth-protected-resource\/mcp"/)
    const client = await connect(url, { authorization: `Token ${api.key}` })
    assert.ok((await client.listTools()).tools.length > 10)
    await client.close()
  })
})

test('MCP and REST share one rate limit, and the 429 has Retry-After', async (t) => {
  const limited = await openTestApi({ env: { LANDFALL_RATE_LIMIT_DEFAULT: '3' } })
  const own = await openTestMcp(limited)
  t.after(async () => {
    await own.close()
    await limited.close()
  })
  const headers = {
    authorization: `Token ${limited.key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const ask = () => fetch(own.url, { method: 'POST', headers, body: ping })
  assert.equal((await limited.call({ url: '/v2/shipments' })).status, 200)
  assert.equal((await ask()).status, 200)
  assert.equal((await ask()).status, 200)
  const refused = await ask()
  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  assert.ok(!('id' in ((await refused.json()) as object)))
  assert.equal((await limited.call({ url: '/v2/shipments' })).status, 429)
})
