/** The keys of the authorization server rotate so that the key of every signature is published. */

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import type Provider from 'oidc-provider'
import { getPublishedKeys, rotateKeys, rotateSigningKeys } from '../../src/modules/oauth-apps/signing-keys.ts'
import type { Service } from '../../src/modules/service.ts'
import { currentProvider } from '../../src/oauth/provider/current-provider.ts'
import { createApiApp } from '../../src/server/app.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { openCommandLine } from '../support/command-line.ts'
import { ask, connectApp, newClient, refresh, tokensOf } from '../support/oauth.ts'
import { signUpFirst } from '../support/person.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
let api: TestApi
let other: FastifyInstance
let operated: TestApi
const { call } = openCommandLine(() => ({
  DATABASE_URL: operated.databaseUrl,
  LANDFALL_SECRET: 'a secret for tests that is long enough',
}))
before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString() })
  other = await createApiApp(api.service)
  // The command line uses the real clock.
  operated = await openTestApi({ startAt: new Date(Date.now() - 60_000).toISOString() })
})
after(async () => {
  await other.close()
  await operated.close()
  await api.close()
})
beforeEach(async () => {
  await api.service.pool.query('delete from oauth_signing_keys')
  api.clock.advance(61_000)
})

async function publishedBy(app: FastifyInstance): Promise<JSONWebKeySet> {
  const answer = await app.inject({ url: '/oauth/jwks' })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function kidsOf(app: FastifyInstance): Promise<readonly string[]> {
  return (await publishedBy(app)).keys.map(({ kid }) => kid ?? '')
}

/** Signs as the library does. */
async function sign(provider: Provider): Promise<string> {
  const client = await provider.Client.find(await newClient(api))
  assert.ok(client)
  const token = new provider.IdToken({ sub: 'somebody' }, { client } as never)
  return token.issue({ use: 'idtoken' })
}

test('concurrent processes create one first key, which is not readable in the database or the log', async () => {
  const all = await Promise.all([1, 2, 3, 4, 5, 6].map(() => getPublishedKeys(api.service)))
  assert.equal(new Set(all.map(({ keys }) => keys[0]?.['x'])).size, 1)
  assert.deepEqual(await kidsOf(api.app), await kidsOf(other))
  const [{ keys } = { keys: [] }] = all
  const secret = String(keys[0]?.['d'])
  assert.equal(secret.length, 43)
  const { rows } = await api.service.pool.query('select * from oauth_signing_keys')
  assert.ok(!`${JSON.stringify(rows)}${rows[0].key_sealed}${JSON.stringify(api.logged())}`.includes(secret))
  assert.ok(!JSON.stringify(await publishedBy(api.app)).includes(secret))
})

test('connected apps keep working after a key rotation', async () => {
  const ada = await signUpFirst(api)
  const { clientId, accessToken, refreshToken } = await connectApp(api, ada)
  await rotateKeys(api.service, 'by_hand_at_once')
  api.clock.advance(61_000)
  assert.equal((await ask(api, accessToken)).status, 200)
  const renewed = tokensOf(await refresh(api, clientId, refreshToken))
  assert.equal((await ask(api, renewed.accessToken)).status, 200)
})

test('a new key is published for a day before it signs, and the old one until its tokens expire', async () => {
  const provider = currentProvider(api.service)
  const [old = ''] = await kidsOf(api.app)
  assert.equal(await rotateKeys(api.service, 'by_hand'), true)
  assert.equal(await rotateKeys(api.service, 'by_hand'), false, 'one at a time')
  api.clock.advance(61_000)
  const [first, next = ''] = await kidsOf(api.app)
  assert.equal(first, old)
  assert.notEqual(next, '')
  assert.deepEqual(await kidsOf(other), [old, next])
  const before = await sign(await provider())
  assert.equal(decodeProtectedHeader(before).kid, old)

  api.clock.advance(dayMs)
  assert.deepEqual(await kidsOf(api.app), [next, old])
  const now = await sign(await provider())
  assert.equal(decodeProtectedHeader(now).kid, next)
  for (const token of [before, now])
    await jwtVerify(token, createLocalJWKSet(await publishedBy(other)), { currentDate: new Date() })

  await api.drain()
  assert.deepEqual(await kidsOf(api.app), [next, old], 'kept')
  api.clock.advance(hourMs + 15 * 60_000)
  await api.drain()
  api.clock.advance(61_000)
  assert.deepEqual([await kidsOf(api.app), await kidsOf(other)], [[next], [next]])
  const { rows } = await api.service.pool.query('select generation from oauth_signing_keys')
  assert.deepEqual(rows, [{ generation: 2 }])
})

test('a new key is made every 90 days, once, however many processes notice that it is due', async () => {
  await kidsOf(api.app)
  api.clock.advance(89 * dayMs - 1_000)
  await api.drain()
  api.clock.advance(1_000 - 61_000)
  assert.equal((await kidsOf(api.app)).length, 1)
  api.clock.advance(61_000)
  const made = await Promise.all([1, 2, 3, 4, 5].map(() => rotateSigningKeys(api.service)))
  assert.deepEqual(made.toSorted(), [0, 0, 0, 0, 1])
  const { rows } = await api.service.pool.query('select signs_from from oauth_signing_keys order by generation')
  assert.equal(Date.parse(rows[1].signs_from) - Date.parse(rows[0].signs_from), 90 * dayMs)
  const rotated = api.logged().filter(({ because }) => because === 'schedule')
  assert.equal(rotated.length, 1)
})

test('a signing key is always published a day before it signs, and remains published afterwards', async () => {
  const quick = await openTestApi({ env: { LANDFALL_OAUTH_SIGNING_KEY_DAYS: '2' } })
  try {
    const hours: { readonly signs: string; readonly published: ReadonlySet<string> }[] = []
    for (let hour = 0; hour < 12 * 24; hour += 1) {
      await rotateSigningKeys(quick.service)
      const { keys } = await getPublishedKeys(quick.service)
      const xs = keys.map(({ x }) => String(x))
      hours.push({ signs: xs[0] ?? '', published: new Set(xs) })
      quick.clock.advance(hourMs)
    }
    for (const [at, { signs }] of hours.entries()) {
      const around = hours.slice(Math.max(0, at - 23), at + 2)
      if (signs !== hours[0]?.signs)
        assert.ok(
          around.every(({ published }) => published.has(signs)),
          `${at}`,
        )
    }
    assert.equal(new Set(hours.map(({ signs }) => signs)).size, 6)
    assert.ok(hours.every(({ published }) => published.size <= 2))
  } finally {
    await quick.close()
  }
})

test('the server uses the keys that it knows while the database is unreachable', async () => {
  let isAway = false
  const pool = new Proxy(api.service.pool, {
    get: (target, name) =>
      isAway && name === 'query' ? () => Promise.reject(new Error('the database is away')) : Reflect.get(target, name),
  })
  const service: Service = { ...api.service, pool }
  const provider = currentProvider(service)
  const before = await provider()
  isAway = true
  api.clock.advance(61_000)
  assert.equal(await provider(), before)
  await assert.rejects(currentProvider(service)(), /away/)
})

test('the command line lists the signing keys, publishes the next one, and with --at-once signs with it', async () => {
  const [old = ''] = await kidsOf(operated.app)
  const rotated = await call('oauth rotate-key')
  assert.equal(rotated.code, 0, rotated.err)
  const next = /^([\w-]{43}) is published now and signs from 2/.exec(rotated.out)?.[1] ?? ''
  assert.match((await call('oauth rotate-key')).out, new RegExp(`^${next} is already published`))
  operated.clock.advance(61_000)
  assert.deepEqual(await kidsOf(operated.app), [old, next])
  const shown = JSON.parse((await call('oauth keys --json')).out) as { kid: string; state: string }[]
  assert.deepEqual(
    shown.map(({ kid, state }) => [kid, state]),
    [
      [next, 'comes next'],
      [old, 'signs'],
    ],
  )
  const atOnce = await call('oauth rotate-key --at-once')
  const last = /^([\w-]{43}) signs now/.exec(atOnce.out)?.[1]
  operated.clock.advance(61_000)
  assert.deepEqual(await kidsOf(operated.app), [last])
  const { out } = await call('oauth keys')
  assert.match(out, new RegExp(`^${last} {2}signs {2}signs from 2[^\\n]+\\n$`))
})
