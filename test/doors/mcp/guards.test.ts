import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Context } from '../../../src/service/context.ts'
import type { VerifyBearer } from '../../../src/service/people/access/authenticate-bearer.ts'
import { createApiKey } from '../../../src/service/people/access/create-api-key.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { connect, openTestMcp, type TestMcp } from '../../support/mcp.ts'

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
}

async function send({ method = 'POST', path = '/', headers = {}, body = ping }: Sent = {}) {
  const url = new URL(path, mcp.url)
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const outgoing = request(
        url,
        {
          method,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
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
    },
  )
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

describe('who may not even knock', () => {
  test('a name that is not its own is refused before anything else, with or without a key', async () => {
    for (const host of ['evil.example', 'evil.example:3001', '169.254.169.254'])
      assert.ok([400, 403].includes((await send({ headers: { ...key(), host } })).status), host)
    assert.equal((await send({ headers: { ...key(), host: 'localhost:3001' } })).status, 200)
  })

  test('a web page of another site is refused; its own page and those of the settings are allowed by CORS headers', async () => {
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

  test('a body that is too large, no JSON or of another type is refused', async () => {
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

describe('who it is', () => {
  test('without credentials the answer names the metadata and the scopes, and no error', async () => {
    const answer = await send()
    assert.equal(answer.status, 401)
    assert.equal(
      answer.headers['www-authenticate'],
      'Bearer resource_metadata="http://127.0.0.1:3001/.well-known/oauth-protected-resource", scope="tracking:read tracking:write"',
    )
  })

  test('a wrong key, a wrong token and another scheme are one 401', async () => {
    for (const authorization of [
      'Token lf_live_wrong',
      'Bearer wrong',
      'Basic eDp5',
      `Bearer ${api.key}`,
      'Token',
    ]) {
      const answer = await send({ headers: { authorization } })
      assert.equal(answer.status, 401)
      assert.match(
        String(answer.headers['www-authenticate']),
        /^Bearer error="invalid_token", resource_metadata=/,
      )
    }
    assert.ok(asked.includes('mcp wrong'), 'the token is asked about for this resource')
  })

  test('a token without the scope to read is 403, and an authorization server that is away is 503', async () => {
    const poor = await send({ headers: { authorization: 'Bearer poor' } })
    assert.equal(poor.status, 403)
    assert.match(String(poor.headers['www-authenticate']), /error="insufficient_scope"/)
    const away = await send({ headers: { authorization: 'Bearer outage' } })
    assert.deepEqual([away.status, away.headers['retry-after']], [503, '5'])
  })

  test('a reader may list and read; a tool that changes is 403 at the HTTP level with all scopes to ask for', async () => {
    const readKey = await api.newKey(reader, ['read'])
    for (const authorization of ['Bearer reader', `Token ${readKey}`]) {
      assert.equal((await send({ headers: { authorization }, body: toolCall('get_container') })).status, 200)
      for (const name of [
        'track_container',
        'stop_tracking',
        'resume_tracking',
        'update_shipment',
        'refresh_container',
      ]) {
        const answer = await send({ headers: { authorization }, body: toolCall(name) })
        assert.equal(answer.status, 403, `${name} ${answer.text}`)
        const challenge = String(answer.headers['www-authenticate'])
        assert.match(challenge, /insufficient_scope/)
        assert.match(challenge, /tracking:read tracking:write/)
        assert.match(challenge, /resource_metadata=/)
      }
    }
  })

  test('by the 2026 protocol as well', async () => {
    const client = await connect(mcp.url, { authorization: 'Bearer reader' })
    await assert.rejects(client.callTool({ name: 'stop_tracking', arguments: { id: nowhere } }))
    await client.close()
  })
})

test('no refusal carries an id that is null, for clients refuse such an answer', async () => {
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

test('a publishable key opens nothing here', async () => {
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

describe('the metadata of the resource', () => {
  test('is at the root and at the path, and at /mcp of the API for the resource there', async () => {
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

  test('/mcp of the API answers as a resource of its own name', async () => {
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

test('MCP and REST share one limit, and the 429 says when to come again', async (t) => {
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
