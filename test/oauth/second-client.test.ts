/**
 * An OAuth client that knows nothing about MCP and checks every answer strictly does the whole sign-in over real HTTP.
 */

import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { openTestApi, type TestApi } from '../support/api.ts'
import { agree, begin, redirectUri } from '../support/oauth.ts'
import { freePort } from '../support/oauth-world.ts'
import { type Person, signUpFirst } from '../support/person.ts'

const http = { [oauth.allowInsecureRequests]: true }
let api: TestApi
let ada: Person
let issuer: URL
before(async () => {
  const port = await freePort()
  api = await openTestApi({ startAt: new Date().toISOString(), env: { LANDFALL_PORT: String(port) } })
  ada = await signUpFirst(api)
  await api.app.listen({ host: '127.0.0.1', port })
  // At the host name that the browser of a person uses in these tests.
  issuer = new URL(`http://localhost:${(api.app.server.address() as AddressInfo).port}`)
})
after(() => api.close())

test('discovery, registration, code, refresh and revocation work with a second standard client', async () => {
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...http }),
  )
  const metadata = {
    client_name: 'Strict client',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
  }
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(server, metadata, http),
  )
  const auth = oauth.None()
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const resource = `${issuer.origin}/v2`
  const url = new URL(server.authorization_endpoint ?? '')
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'tracking:read tracking:write',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource,
    state,
  }).toString()
  const back = await agree(ada, await begin(ada, `${url.pathname}${url.search}`))
  // It compares `iss` with the issuer, and `state` with its own.
  const answer = oauth.validateAuthResponse(server, client, back, state)
  const first = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(server, client, auth, answer, redirectUri, verifier, http),
  )
  assert.equal(first.token_type, 'bearer')
  assert.equal(first.expires_in, 900)
  const read = async (token: string): Promise<number> =>
    (await oauth.protectedResourceRequest(token, 'GET', new URL(`${resource}/shipments`), undefined, undefined, http))
      .status
  assert.equal(await read(first.access_token), 200)
  const second = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, auth, first.refresh_token ?? '', http),
  )
  assert.equal(await read(second.access_token), 200)
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, auth, second.refresh_token ?? '', http),
  )
  await assert.rejects(read(second.access_token), oauth.WWWAuthenticateChallengeError)
})

test('an agent in a browser may register, and then only its own origin may request tokens', async () => {
  const headers = {
    origin: 'https://agent.example.com',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  }
  const preflight = await fetch(`${issuer.origin}/oauth/register`, { method: 'OPTIONS', headers })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
  const registered = await fetch(`${issuer.origin}/oauth/register`, {
    method: 'POST',
    headers: { origin: headers.origin, 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [`${headers.origin}/callback`] }),
  })
  assert.equal(registered.headers.get('access-control-allow-origin'), '*')
  const { client_id: clientId } = (await registered.json()) as { readonly client_id: string }
  const tokens = (origin: string) =>
    fetch(`${issuer.origin}/oauth/token`, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, refresh_token: 'x' }),
    })
  assert.equal((await tokens(headers.origin)).headers.get('access-control-allow-origin'), headers.origin)
  assert.equal((await tokens('https://evil.example.com')).headers.get('access-control-allow-origin'), null)
})
