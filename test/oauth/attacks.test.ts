/** Tries the attacks that OAuth 2.1 warns of: only the app itself, with the consent of its person, gets access. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../support/api.ts'
import {
  agree,
  ask,
  authorizeUrl,
  begin,
  connectApp,
  followBack,
  issuer,
  newClient,
  post,
  refresh,
  resources,
  tokensOf,
  trade,
} from '../support/oauth.ts'
import { openPerson, type Person, signUpFirst, signUpInvited } from '../support/person.ts'

let api: TestApi
let ada: Person
before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString() })
  ada = await signUpFirst(api)
})
after(() => api.close())

async function codeFor(clientId: string): Promise<string> {
  const back = await agree(ada, await begin(ada, authorizeUrl(clientId)))
  assert.equal(back.get('state'), 'here')
  assert.equal(back.get('iss'), issuer)
  return back.get('code') ?? ''
}

test('an app gets an opaque token that opens the API, and the database contains no usable secret', async () => {
  const { accessToken, refreshToken, code } = await connectApp(api, ada)
  assert.equal((await ask(api, accessToken)).status, 200)
  assert.doesNotMatch(accessToken, /\./)
  const { rows } = await api.service.pool.query<{ row: string }>(
    `select row_to_json(e)::text as row from oauth_entries e
      union all select row_to_json(g)::text from oauth_grants g union all select row_to_json(c)::text from oauth_clients c
      union all select row_to_json(s)::text from settings s`,
  )
  assert.ok(rows.length >= 5)
  const written = rows
    .map(
      ({ row }) =>
        row + row.replace(/\\\\x((?:[0-9a-f]{2})+)/g, (_, hex: string) => Buffer.from(hex, 'hex').toString('latin1')),
    )
    .join('\n')
  for (const secret of [accessToken, refreshToken, code]) assert.equal(written.includes(secret), false)
  assert.doesNotMatch(written, /"d":"[\w-]{20}/, 'the signing key lies open')
})

test('an authorization code cannot be redeemed without its PKCE verifier', async () => {
  const clientId = await newClient(api)
  const wrong = await trade(api, clientId, await codeFor(clientId), { code_verifier: 'x'.repeat(43) })
  assert.deepEqual([wrong.status, wrong.body.error], [400, 'invalid_grant'])
  const none = await trade(api, clientId, await codeFor(clientId), { code_verifier: '' })
  assert.deepEqual([none.status, none.body.error], [400, 'invalid_grant'])
})

test('refuses an authorization request without an S256 PKCE challenge', async () => {
  const clientId = await newClient(api)
  for (const changes of [
    { code_challenge: null, code_challenge_method: null },
    { code_challenge_method: 'plain' },
    { code_challenge_method: null },
  ]) {
    const answer = await ada.open(authorizeUrl(clientId, changes))
    assert.equal(answer.status, 303)
    const back = new URL(answer.location ?? '')
    assert.equal(back.origin, 'https://app.example.com')
    assert.equal(back.searchParams.get('error'), 'invalid_request', back.search)
  }
})

test('reuse of a code revokes everything that was issued for it', async () => {
  const { clientId, code, accessToken, refreshToken } = await connectApp(api, ada)
  assert.equal((await ask(api, accessToken)).status, 200)
  const again = await trade(api, clientId, code)
  assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
  assert.equal((await ask(api, accessToken)).status, 401)
  assert.equal((await refresh(api, clientId, refreshToken)).body.error, 'invalid_grant')
  const { rows } = await api.service.pool.query<{ action: string }>(
    `select action from audit_events where action = 'oauth_grant.reuse_detected'`,
  )
  assert.ok(rows.length >= 1)
})

test('revokes the tokens of an authorization code that is redeemed concurrently', async () => {
  const clientId = await newClient(api)
  const code = await codeFor(clientId)
  const answers = await Promise.all(Array.from({ length: 6 }, () => trade(api, clientId, code)))
  const good = answers.filter(({ status }) => status === 200)
  assert.ok(good.length <= 1, `${good.length} got tokens`)
  for (const { accessToken, refreshToken } of good.map(tokensOf)) {
    assert.equal((await ask(api, accessToken)).status, 401)
    assert.equal((await refresh(api, clientId, refreshToken)).body.error, 'invalid_grant')
  }
})

test('a refresh token rotates with every use; reuse of an old one ends the connection for everybody', async () => {
  const { clientId, refreshToken: first } = await connectApp(api, ada)
  const second = tokensOf(await refresh(api, clientId, first))
  assert.notEqual(second.refreshToken, first)
  const third = tokensOf(await refresh(api, clientId, second.refreshToken))
  assert.equal((await ask(api, third.accessToken)).status, 200)
  api.clock.advance(30_000)
  const stolen = await refresh(api, clientId, first)
  assert.deepEqual([stolen.status, stolen.body.error], [400, 'invalid_grant'])
  assert.equal((await ask(api, third.accessToken)).status, 401)
  assert.equal((await refresh(api, clientId, third.refreshToken)).body.error, 'invalid_grant')
})

test('several windows of one client that refresh at the same moment get the same new token', async () => {
  const { clientId, refreshToken } = await connectApp(api, ada)
  const answers = await Promise.all(Array.from({ length: 6 }, () => refresh(api, clientId, refreshToken)))
  const tokens = answers.map(tokensOf)
  assert.equal(new Set(tokens.map((each) => each.refreshToken)).size, 1)
  for (const { accessToken } of tokens) assert.equal((await ask(api, accessToken)).status, 200)
  tokensOf(await refresh(api, clientId, tokens[0]?.refreshToken ?? ''))
})

test('a client that lost the answer can repeat a refresh for 30 seconds; no other client can', async () => {
  const { clientId, refreshToken: first } = await connectApp(api, ada, { ask: { scope: 'tracking:read' } })
  const lost = tokensOf(await refresh(api, clientId, first))
  api.clock.advance(29_000)
  const stranger = await refresh(api, await newClient(api), first)
  assert.deepEqual([stranger.status, stranger.body.error], [400, 'invalid_grant'])
  const again = tokensOf(await refresh(api, clientId, first))
  assert.deepEqual([again.refreshToken, again.scope], [lost.refreshToken, 'tracking:read'])
  const more = await refresh(api, clientId, first, { scope: 'tracking:read tracking:write' })
  assert.deepEqual([more.status, more.body.error], [400, 'invalid_scope'])
  const next = tokensOf(await refresh(api, clientId, again.refreshToken))
  // The successor was used as well: the one after it is live.
  assert.equal(tokensOf(await refresh(api, clientId, first)).refreshToken, next.refreshToken)
  const { rows } = await api.service.pool.query<{ live: number }>(
    `select count(*)::int as live from oauth_entries e
      where e.kind = 'RefreshToken' and e.consumed_at is null and e.grant_id =
        (select g.id from oauth_grants g where g.client_id = $1)`,
    [clientId],
  )
  assert.deepEqual(rows, [{ live: 1 }])
  api.clock.advance(1_000)
  assert.equal((await refresh(api, clientId, first)).body.error, 'invalid_grant')
  assert.equal((await refresh(api, clientId, next.refreshToken)).body.error, 'invalid_grant')
  assert.equal((await ask(api, again.accessToken)).status, 401)
})

test('a revoked connection stays ended, however soon its refresh token is used again', async () => {
  const { clientId, refreshToken } = await connectApp(api, ada)
  const next = tokensOf(await refresh(api, clientId, refreshToken))
  assert.equal((await post(api, '/oauth/revoke', { client_id: clientId, token: next.refreshToken })).status, 200)
  for (const token of [refreshToken, next.refreshToken])
    assert.equal((await refresh(api, clientId, token)).body.error, 'invalid_grant')
})

test('a person is redirected only to an address that the app has registered exactly', async () => {
  const clientId = await newClient(api)
  for (const uri of [
    'https://evil.example.com/callback',
    'https://app.example.com/callback/',
    'https://app.example.com/callback?x=1',
    'https://app.example.com:8443/callback',
  ]) {
    const answer = await ada.open(authorizeUrl(clientId, { redirect_uri: uri }))
    assert.deepEqual([answer.status, answer.location], [400, null], uri)
    assert.match(answer.text, /invalid_redirect_uri/)
    assert.match(String(answer.headers['content-security-policy']), /frame-ancestors 'none'/)
  }
  const code = await codeFor(clientId)
  const elsewhere = await trade(api, clientId, code, { redirect_uri: 'https://app.example.com/other' })
  assert.equal(elsewhere.body.error, 'invalid_grant')
})

test('an app cannot redeem the authorization code of another app', async () => {
  const [mine, theirs] = [await newClient(api), await newClient(api)]
  const stolen = await trade(api, theirs, await codeFor(mine))
  assert.deepEqual([stolen.status, stolen.body.error], [400, 'invalid_grant'])
  const { refreshToken } = await connectApp(api, ada)
  assert.equal((await refresh(api, theirs, refreshToken)).body.error, 'invalid_grant')
})

test('a token works only for the resource that it was issued for', async () => {
  const forAgents = await connectApp(api, ada, { ask: { resource: resources.mcp } })
  const answer = await ask(api, forAgents.accessToken)
  assert.equal(answer.status, 401)
  assert.match(
    String(answer.headers['www-authenticate']),
    /^Bearer error="invalid_token", resource_metadata="http:\/\/localhost:3000\/\.well-known\/oauth-protected-resource\/v2"/,
  )
  const clientId = await newClient(api)
  const foreign = await ada.open(authorizeUrl(clientId, { resource: 'https://elsewhere.example.com/' }))
  assert.equal(new URL(foreign.location ?? '').searchParams.get('error'), 'invalid_target')
  const moved = await trade(api, clientId, await codeFor(clientId), { resource: resources.mcp })
  assert.equal(moved.body.error, 'invalid_target')
})

test('a refresh may request fewer scopes than granted, and never more', async () => {
  const { clientId, refreshToken, scope } = await connectApp(api, ada, { ask: { scope: 'tracking:read' } })
  assert.equal(scope, 'tracking:read')
  const more = await refresh(api, clientId, refreshToken, { scope: 'tracking:read tracking:write' })
  assert.deepEqual([more.status, more.body.error], [400, 'invalid_scope'])
  const whole = await connectApp(api, ada)
  const less = tokensOf(await refresh(api, whole.clientId, whole.refreshToken, { scope: 'tracking:read' }))
  assert.equal(less.scope, 'tracking:read')
})

test('without a session the person signs in first and returns to the same consent page', async () => {
  const clientId = await newClient(api)
  const stranger = openPerson(api)
  const page = await begin(stranger, authorizeUrl(clientId))
  const shown = await stranger.open(page)
  assert.deepEqual([shown.status, shown.location], [303, `/sign-in?next=${encodeURIComponent(page)}`])
  const forced = await stranger.send(page, { decision: 'allow' }, { token: null })
  assert.equal(forced.status, 303)
  assert.match(forced.location ?? '', /^\/sign-in/)
})

test('a consent form from another site, without the session token, or of another session gives no access', async () => {
  const page = await begin(ada, authorizeUrl(await newClient(api)))
  const crossSite = await ada.send(
    page,
    { decision: 'allow' },
    { headers: { origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' } },
  )
  const tokenless = await ada.send(page, { decision: 'allow' }, { token: null })
  const forged = await ada.send(page, { decision: 'allow' }, { token: 'A'.repeat(43) })
  for (const answer of [crossSite, tokenless, forged]) assert.equal(answer.status, 403, answer.text)
})

test('a consent page of one browser cannot be submitted from another', async () => {
  const page = await begin(openPerson(api), authorizeUrl(await newClient(api)))
  assert.equal((await ada.open(page)).status, 404)
  const other = await begin(ada, authorizeUrl(await newClient(api)))
  assert.equal((await ada.open(other)).status, 200)
  assert.equal((await ada.send(page, { decision: 'allow' }, { page: other })).status, 404)
})

test('a person cannot give an app access to an account of others, or more rights than their role has', async () => {
  const stranger = await api.newAccount()
  const page = await begin(ada, authorizeUrl(await newClient(api)))
  assert.equal((await ada.send(page, { decision: 'allow', account: stranger.account.id })).status, 404)
  const rita = await signUpInvited(api, ada, { email: 'rita@example.com', role: 'read_only' })
  const connected = await connectApp(api, rita)
  assert.equal(connected.scope, 'tracking:read')
})

test('after a denial the app gets an error and no access', async () => {
  const page = await begin(ada, authorizeUrl(await newClient(api)))
  const back = await followBack(ada, await ada.send(page, { decision: 'deny' }))
  assert.equal(back.searchParams.get('error'), 'access_denied')
  assert.equal(back.searchParams.get('code'), null)
  assert.equal(back.searchParams.get('iss'), issuer)
  assert.equal((await ada.open(page)).status, 404)
})

test('the consent page names the app and the redirect address, and cannot be framed', async () => {
  const clientId = await newClient(api, {
    client_name: '<b>Evil</b>\u202e',
    redirect_uris: ['http://127.0.0.1/callback'],
  })
  const page = await ada.open(
    await begin(ada, authorizeUrl(clientId, { redirect_uri: 'http://127.0.0.1:45678/callback' })),
  )
  assert.match(page.text, /&#60;b&#62;Evil&#60;\/b&#62;</)
  assert.match(page.text, /http:\/\/<strong>127\.0\.0\.1:45678<\/strong>\/callback/)
  assert.match(page.text, /a program on this computer/)
  assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'/)
  assert.match(String(page.headers['content-security-policy']), /form-action 'self' http:\/\/127\.0\.0\.1:45678/)
})
