// Sign-in with another server: a third-party OpenID provider on loopback, whose answers are real.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'
import { signIn } from '../../src/modules/sessions/sign-in.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { openPerson, type Person, password, signUpFirst } from '../support/person.ts'

const home = 'http://landfall.test'
interface Claimed {
  readonly email: string
  readonly isVerified: boolean | string
}
const people: Readonly<Record<string, Claimed>> = {
  ada: { email: 'Ada@Example.com', isVerified: true },
  grace: { email: 'grace@example.com', isVerified: true },
  mallory: { email: 'ada@example.com', isVerified: false },
  twin: { email: 'ada@example.com', isVerified: true },
  namesake: { email: 'ADA@example.com', isVerified: true },
  quoted: { email: 'ada@example.com', isVerified: 'true' },
  stranger: { email: 'x@elsewhere.example', isVerified: true },
}

let server: Server
let issuer: string
let api: TestApi
/** The person whom the provider signs in next. */
let who = 'ada'

before(async () => {
  server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = openProvider()
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return void provider.callback()(request, response)
    void (async () => {
      const { prompt, params, session } = await provider.interactionDetails(request, response)
      if (prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId: who } })
      const grant = new provider.Grant({
        accountId: String(session?.accountId),
        clientId: String(params['client_id']),
      })
      grant.addOIDCScope('openid email profile')
      return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
    })()
  })
  api = await openAt({})
})
after(async () => {
  await api.close()
  server.closeAllConnections()
  server.close()
})

function openProvider(): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: 'landfall',
        client_secret: 'a secret of the provider',
        redirect_uris: [`${home}/sign-in/elsewhere/callback`],
      },
    ],
    cookies: { keys: ['of the provider'] },
    pkce: { required: () => true },
    scopes: ['openid', 'email', 'profile'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        name: `Person ${id}`,
        email: people[id]?.email ?? '',
        email_verified: people[id]?.isVerified ?? false,
      }),
    }),
  })
}

const openAt = (env: Readonly<Record<string, string>>): Promise<TestApi> =>
  openTestApi({
    startAt: new Date().toISOString(),
    env: {
      LANDFALL_PUBLIC_URL: home,
      LANDFALL_SIGN_IN_ISSUER: issuer,
      LANDFALL_SIGN_IN_CLIENT_ID: 'landfall',
      LANDFALL_SIGN_IN_CLIENT_SECRET: 'a secret of the provider',
      LANDFALL_SIGN_IN_NAME: 'Harbour Group',
      ...env,
    },
  })

const visit = (of: TestApi): Person => openPerson(of, undefined, 'landfall.test')

/** The browser goes to the provider, is signed in there as `who`, and comes to this address of ours. */
async function goThere(person: Person, as: string, next = '/account'): Promise<string> {
  who = as
  const { status, location } = await person.open(`/sign-in/elsewhere?next=${encodeURIComponent(next)}`)
  assert.equal(status, 303)
  const cookies = new Map<string, string>()
  let url = new URL(location ?? '')
  for (let step = 0; url.origin === issuer; step += 1) {
    assert.ok(step < 10, url.href)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { headers: { cookie }, redirect: 'manual' })
    for (const each of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      cookies.set(name, value)
    }
    url = new URL(answer.headers.get('location') ?? assert.fail(await answer.text()), url)
  }
  assert.equal(url.origin, home)
  return url.pathname + url.search
}

test('a person whose verified address is known can sign in through the identity provider', async () => {
  await signUpFirst(api)
  const person = visit(api)
  const page = await person.open('/sign-in?next=%2Fkeys')
  assert.match(page.text, /href="\/sign-in\/elsewhere\?next=[^"]*keys">Sign in with Harbour Group</)
  const answer = await person.open(await goThere(person, 'ada'))
  assert.deepEqual([answer.status, answer.location], [303, '/account'])
  const account = await person.open('/account')
  assert.match(account.text, /ada@example\.com/)
  const again = visit(api)
  assert.equal((await again.open(await goThere(again, 'ada', '/keys'))).location, '/keys')
})

test('a return from the provider works once, and only in the browser that started it', async () => {
  const [person, thief] = [visit(api), visit(api)]
  const back = await goThere(person, 'ada')
  assert.equal((await thief.open(back)).status, 401)
  await thief.open('/sign-in/elsewhere')
  assert.equal((await thief.open(back)).status, 401)
  const altered = back.replace(/code=[^&]{4}/, 'code=AAAA')
  assert.equal((await person.open(altered)).status, 401)
  assert.equal((await person.open(back)).status, 401, 'the cookie was used up by the first return')
  assert.equal((await person.open('/account')).status, 303)
})

test('an unverified address and a person without an invitation are refused', async () => {
  for (const [as, reason] of [
    ['mallory', /no verified e-mail address/],
    ['quoted', /no verified e-mail address/],
    ['grace', /Nobody here has invited grace@example\.com/],
  ] as const) {
    const person = visit(api)
    const answer = await person.open(await goThere(person, as))
    assert.equal(answer.status, 403)
    assert.match(answer.text, reason)
    assert.equal((await person.open('/account')).status, 303)
  }
})

test('another identity with the same e-mail address cannot take over a linked person', async () => {
  const first = visit(api)
  assert.equal((await first.open(await goThere(first, 'ada'))).status, 303)
  for (const as of ['twin', 'namesake']) {
    const person = visit(api)
    const answer = await person.open(await goThere(person, as))
    assert.equal(answer.status, 403, as)
    assert.match(answer.text, /already belongs to another sign-in of that server/)
    assert.equal((await person.open('/account')).status, 303)
  }
  const { rows } = await api.service.pool.query('select subject from user_identities')
  assert.deepEqual(rows, [{ subject: 'ada' }])
})

test('an identity with an empty subject is refused', async (t) => {
  let [at, nonce, subject] = ['', '', '']
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const answerTo = async (path: string): Promise<object> => {
    if (path === '/jwks') return { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }] }
    if (path !== '/token')
      return {
        issuer: at,
        authorization_endpoint: `${at}/auth`,
        token_endpoint: `${at}/token`,
        jwks_uri: `${at}/jwks`,
      }
    const token = new SignJWT({ nonce, email: 'ada@example.com', email_verified: true })
    const signed = token.setSubject(subject).setIssuer(at).setAudience('landfall').setIssuedAt().setExpirationTime('5m')
    const id_token = await signed.setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(privateKey)
    return { access_token: 'a', token_type: 'bearer', id_token }
  }
  const small = createServer((request, response) => {
    void answerTo(request.url ?? '').then((body) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
    )
  })
  await new Promise<void>((resolve) => small.listen(0, '127.0.0.1', resolve))
  at = `http://127.0.0.1:${(small.address() as AddressInfo).port}`
  const other = await openAt({ LANDFALL_SIGN_IN_ISSUER: at })
  t.after(async () => {
    await other.close()
    small.closeAllConnections()
    small.close()
  })
  await signUpFirst(other)
  for (const [as, status] of [
    ['', 401],
    [' ', 401],
    ['somebody', 303],
  ] as const) {
    subject = as
    const person = visit(other)
    const { searchParams } = new URL((await person.open('/sign-in/elsewhere')).location ?? '')
    nonce = searchParams.get('nonce') ?? ''
    const state = encodeURIComponent(searchParams.get('state') ?? '')
    const answer = await person.open(`/sign-in/elsewhere/callback?code=c&state=${state}`)
    assert.equal(answer.status, status, `"${as}"`)
  }
})

test('a cancelled sign-in and an unreachable provider are reported, and a foreign return address is ignored', async () => {
  const person = visit(api)
  await person.open('/sign-in/elsewhere?next=https%3A%2F%2Fevil.example%2F')
  const { state } = Object.fromEntries(new URL((await person.open('/sign-in/elsewhere')).location ?? '').searchParams)
  const cancelled = await person.open(
    `/sign-in/elsewhere/callback?error=access_denied&state=${state}&iss=${encodeURIComponent(issuer)}`,
  )
  assert.equal(cancelled.status, 401)
  assert.match(cancelled.text, /was cancelled/)
  const away = await openAt({ LANDFALL_SIGN_IN_ISSUER: 'http://127.0.0.1:9' })
  const lost = await visit(away).open('/sign-in/elsewhere')
  assert.equal(lost.status, 503)
  assert.match(lost.text, /does not answer/)
  await away.close()
})

test('with a configured account, new people join it with the fewest rights, and passwords can be disabled', async () => {
  const other = await openAt({ LANDFALL_SIGN_IN_PASSWORDS: 'off', LANDFALL_SIGN_IN_ACCOUNT: 'Sandbox' })
  const named = await openAt({ LANDFALL_SIGN_IN_ACCOUNT: other.context.account.companyName })
  await signUpFirst(named)
  const person = visit(named)
  assert.equal((await person.open(await goThere(person, 'grace'))).location, '/account')
  const { rows } = await named.service.pool.query(
    `select u.name, m.role from users u join memberships m on m.user_id = u.id where u.email_key = 'grace@example.com'`,
  )
  assert.deepEqual(rows, [{ name: 'Person grace', role: 'read_only' }])
  await named.close()
  await signUpFirst(other)
  const page = await visit(other).open('/sign-in')
  assert.doesNotMatch(page.text, /type="password"/)
  const asked = { from: { ip: null, userAgent: null }, requestId: 'test', device: null, oldSession: null }
  await assert.rejects(
    signIn(other.service, { email: 'ada@example.com', password }, asked),
    /with a password is switched off/,
  )
  await other.close()
})
