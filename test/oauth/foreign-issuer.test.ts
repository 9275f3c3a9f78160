/**
 * Another authorization server instead of our own: its tokens are read as JWTs, and during its outage the answer is
 * 503.
 */

import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../support/api.ts'
import { ask } from '../support/oauth.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
let server: Server
let issuer: string
let api: TestApi
let keysStatus = 200
let isAway = false
let discoveries = 0

before(async () => {
  server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url?.startsWith('/.well-known/') === true) discoveries += 1
    if (request.url === '/.well-known/oauth-authorization-server' && !isAway)
      return response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }))
    response.statusCode = request.url === '/keys' ? keysStatus : 404
    response.end(
      JSON.stringify({
        keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1', alg: 'ES256', use: 'sig' }],
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  api = await openTestApi({ startAt: new Date().toISOString(), env: { LANDFALL_OAUTH_ISSUER: issuer } })
})
after(async () => {
  await api.close()
  server.closeAllConnections()
  server.close()
})

function token(claims: object = {}, options: { readonly key?: KeyObject; readonly header?: object } = {}): string {
  const now = Math.floor(api.clock.now() / 1_000)
  const payload = {
    iss: issuer,
    aud: 'http://127.0.0.1:3000/v2',
    sub: 'someone',
    jti: 'one-of-many',
    client_id: 'their-agent',
    scope: 'tracking:read',
    landfall_account: api.context.account.id,
    iat: now,
    exp: now + 600,
    ...claims,
  }
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
  const head = `${encode({ alg: 'ES256', typ: 'at+jwt', kid: '1', ...options.header })}.${encode(payload)}`
  const signature = sign('sha256', Buffer.from(head), {
    key: options.key ?? privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return `${head}.${signature.toString('base64url')}`
}

test('while the issuer serves no keys, a token gets 503 with Retry-After, so that nobody has to sign in again', async () => {
  keysStatus = 500
  const answer = await ask(api, token())
  assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '5'])
  assert.equal((answer.body.errors as { code: string }[])[0]?.code, 'issuer_unavailable')
  assert.equal(answer.headers['www-authenticate'], undefined)
  keysStatus = 200
})

test('a token of the external issuer opens the account that it names, within its scopes', async () => {
  assert.equal((await ask(api, token())).status, 200)
  const party = { data: { type: 'party', attributes: { company_name: 'Foreign Foods' } } }
  const write = (scope: string) => ask(api, token({ scope }), { method: 'POST', url: '/v2/parties', body: party })
  assert.equal((await write('tracking:read')).status, 403)
  assert.equal((await write('tracking:read tracking:write')).status, 201)
  assert.equal((await ask(api, token({ scope: 'email' }))).status, 403)
  for (const aud of ['http://localhost:3000/v2', 'http://127.0.0.1:3000/v2/', ['x', 'http://localhost:3000/v2/']])
    assert.equal((await ask(api, token({ aud }))).status, 200, String(aud))
  const other = await api.newAccount()
  const several = token({ landfall_account: [api.context.account.id, other.account.id] })
  assert.equal((await ask(api, several, { headers: { 'x-account-id': other.account.id } })).status, 200)
  assert.equal((await ask(api, token(), { headers: { 'x-account-id': other.account.id } })).status, 403)
})

test('a token with a wrong key, issuer or audience, expired, without account, or unsigned is refused', async () => {
  const past = Math.floor(api.clock.now() / 1_000) - 60
  const bad = [
    token({}, { key: stranger.privateKey }),
    token({ iss: 'https://elsewhere.example.com' }),
    token({ aud: 'http://127.0.0.1:3001' }),
    token({ exp: past }),
    token({ exp: undefined }),
    token({ landfall_account: undefined }),
    token({ landfall_account: '01900000-0000-7000-8000-000000000000' }),
    token({}, { header: { alg: 'none' } }),
    token({}, { header: { alg: 'HS256' } }),
    'not.a.token',
    'opaque',
  ]
  for (const each of bad) assert.equal((await ask(api, each)).status, 401, each)
})

test('a token that does not follow RFC 9068 is refused: its type, subject, client, id and time of issue are checked', async () => {
  for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt'])
    assert.equal((await ask(api, token({}, { header: { typ } }))).status, 200, typ)
  const bad = [
    ...['JWT', 'id+jwt', 'application/jwt', '', undefined, 1].map((typ) => token({}, { header: { typ } })),
    ...['sub', 'client_id', 'jti'].flatMap((claim) =>
      [undefined, '', 7, null, ['a']].map((value) => token({ [claim]: value })),
    ),
    token({ iat: undefined }),
    token({ client_id: undefined, azp: 'their-agent' }),
    token({ nonce: 'n', client_id: undefined }, { header: { typ: 'JWT' } }),
  ]
  for (const each of bad) {
    const answer = await ask(api, each)
    assert.equal(answer.status, 401, each)
    assert.match(String(answer.headers['www-authenticate']), /error="invalid_token"/)
  }
})

test('answers 503 while the external issuer is unreachable, and accepts its tokens afterwards', async () => {
  const fresh = await openTestApi({
    startAt: new Date(api.clock.now()).toISOString(),
    env: { LANDFALL_OAUTH_ISSUER: issuer },
  })
  const claims = { landfall_account: fresh.context.account.id }
  const statusOf = async (): Promise<number> => {
    const now = Math.floor(fresh.clock.now() / 1_000)
    return (await ask(fresh, token({ ...claims, iat: now, exp: now + 600 }))).status
  }
  try {
    discoveries = 0
    isAway = true
    const statuses = await Promise.all(Array.from({ length: 10 }, statusOf))
    statuses.push(await statusOf())
    assert.deepEqual([...new Set(statuses)], [503])
    assert.equal(discoveries, 2, 'one look, at both addresses')
    isAway = false
    fresh.clock.advance(5_000)
    assert.equal(await statusOf(), 200)
    // Keys that it gave once stay valid while it cannot be reached.
    isAway = true
    fresh.clock.advance(3_600_000)
    assert.equal(await statusOf(), 200)
  } finally {
    isAway = false
    await fresh.close()
  }
})

test('our own authorization server is disabled, and the resource metadata names the external one', async () => {
  const { statusCode } = await api.app.inject({ url: '/.well-known/oauth-authorization-server' })
  assert.equal(statusCode, 404)
  const { body } = await api.app.inject({ url: '/.well-known/oauth-protected-resource' })
  assert.deepEqual((JSON.parse(body) as { authorization_servers: unknown }).authorization_servers, [issuer])
})
