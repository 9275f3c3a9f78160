import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeApiKey } from '../../../src/modules/api-keys/api-key.ts'
import { reserveQuotaSlots } from '../../../src/modules/usage/acquire-quota-slot.ts'
import { listOwnRateLimits, setRateLimit } from '../../../src/modules/usage/set-rate-limit.ts'
import { createApiApp } from '../../../src/server/app.ts'
import { type Answer, openTestApi, type TestApi } from '../../support/api.ts'
import { signUpFirst, tokenIn } from '../../support/person.ts'

const small = {
  LANDFALL_RATE_LIMIT_DEFAULT: '5',
  LANDFALL_RATE_LIMIT_CREATE: '3',
  LANDFALL_RATE_LIMIT_REFRESH: '2',
}
const shipments = (api: TestApi, key = api.key) => api.call({ url: '/v2/shipments', key })
const statusesOf = async (times: number, ask: () => Promise<Answer>): Promise<readonly number[]> => {
  const statuses: number[] = []
  for (let turn = 0; turn < times; turn += 1) statuses.push((await ask()).status)
  return statuses
}

describe('limits by the settings', () => {
  let api: TestApi
  before(async () => {
    api = await openTestApi({ env: small })
  })
  after(() => api.close())

  test('answers 429 in the format of the contract above the limit, with a sufficient Retry-After', async () => {
    assert.deepEqual(await statusesOf(5, () => shipments(api)), [200, 200, 200, 200, 200])
    api.clock.advance(12_345)
    const refused = await shipments(api)
    assert.equal(refused.status, 429)
    const error = refused.error()
    assert.equal(error.status, '429')
    assert.equal(error.title, 'Too Many Requests')
    assert.match(error.detail, /less often.*support.*webhooks/)
    assert.equal(refused.headers['retry-after'], '48')
    api.clock.advance(47_000)
    assert.equal((await shipments(api)).status, 429)
    api.clock.advance(1_000)
    assert.equal((await shipments(api)).status, 200)
  })

  test('are shared by all keys of an account, and separate for each account', async () => {
    const context = await api.newAccount()
    const [one, other] = [await api.newKey(context, ['read']), await api.newKey(context, ['read'])]
    await statusesOf(5, () => shipments(api, one))
    assert.equal((await shipments(api, other)).status, 429)
    const stranger = await api.newKey(await api.newAccount(), ['read'])
    assert.equal((await shipments(api, stranger)).status, 200)
  })

  test('count the creation of tracking requests, refreshes and other requests separately', async () => {
    const key = await api.newKey(await api.newAccount(), ['read', 'write'])
    const create = () => api.call({ method: 'POST', url: '/v2/tracking_requests', key, body: { data: {} } })
    const refresh = () =>
      api.call({
        method: 'PATCH',
        url: '/v2/containers/018f0000-0000-7000-8000-000000000000/refresh',
        key,
      })
    assert.deepEqual(await statusesOf(4, create), [422, 422, 422, 429])
    assert.deepEqual(await statusesOf(3, refresh), [404, 404, 429])
    assert.deepEqual(await statusesOf(6, () => shipments(api, key)), [200, 200, 200, 200, 200, 429])
  })

  test('a refused request does not count', async () => {
    const key = await api.newKey(await api.newAccount(), ['read'])
    await statusesOf(5, () => shipments(api, key))
    for (let second = 0; second < 59; second += 1) {
      api.clock.advance(1_000)
      assert.equal((await shipments(api, key)).status, 429)
    }
    api.clock.advance(1_000)
    assert.equal((await shipments(api, key)).status, 200)
  })

  test('does not limit requests that need no key', async () => {
    for (const url of ['/healthz', '/v2/openapi.json', '/docs', '/']) {
      const statuses = await statusesOf(12, () => api.call({ url, key: null }))
      assert.deepEqual([...new Set(statuses)], [200], url)
    }
  })

  test('give a batch the free slots at once, and a due time for each remaining item', async () => {
    const context = await api.newAccount()
    const first = await reserveQuotaSlots(api.service, context, { bucket: 'create', upTo: 2 })
    assert.deepEqual(first, { acquired: 2, laterSeconds: [] })
    api.clock.advance(500)
    const second = await reserveQuotaSlots(api.service, context, { bucket: 'create', upTo: 5 })
    assert.deepEqual(second, { acquired: 1, laterSeconds: [60, 60, 60, 120] })
  })
})

describe('limits by the operator', () => {
  let api: TestApi
  before(async () => {
    api = await openTestApi({ env: { ...small, LANDFALL_RATE_LIMIT_STORE: 'database' } })
  })
  after(() => api.close())

  test('can raise, lower, remove or restore the limit of an account', async () => {
    const set = async (perMinute: number | null) => {
      const context = await api.newAccount()
      const key = await api.newKey(context, ['read'])
      await setRateLimit(api.service, { accountId: context.account.id, bucket: 'default', perMinute })
      const statuses = await statusesOf(9, () => shipments(api, key))
      return statuses.filter((status) => status === 200).length
    }
    assert.equal(await set(7), 7)
    assert.equal(await set(2), 2)
    assert.equal(await set(0), 9)
    assert.equal(await set(null), 5)
    assert.deepEqual(
      (await listOwnRateLimits(api.service)).map(({ bucket, perMinute }) => [bucket, perMinute]).toSorted(),
      [
        ['default', 0],
        ['default', 2],
        ['default', 7],
      ],
    )
  })

  test('refuses an invalid limit or one for an unknown account', async () => {
    const { id: accountId } = api.context.account
    const absent = '018f0000-0000-7000-8000-000000000000'
    await assert.rejects(
      setRateLimit(api.service, { accountId: absent, bucket: 'infer', perMinute: 1 }),
      /No such account/,
    )
    for (const perMinute of [-1, 1.5, 1_000_001])
      await assert.rejects(setRateLimit(api.service, { accountId, bucket: 'infer', perMinute }), /whole number/)
  })

  test('two processes on one database share the window', async () => {
    const key = await api.newKey(await api.newAccount(), ['read'])
    const secondProcess = await createApiApp({ ...api.service })
    try {
      const ask = async (app: typeof secondProcess) =>
        (await app.inject({ url: '/v2/shipments', headers: { authorization: `Token ${key}` } })).statusCode
      const statuses = await Promise.all(
        Array.from({ length: 20 }, (_, turn) => ask(turn % 2 === 0 ? api.app : secondProcess)),
      )
      assert.equal(statuses.filter((status) => status === 200).length, 5)
    } finally {
      await secondProcess.close()
    }
  })
})

test('reports an unreachable Valkey, and applies the limits in the database instead', async () => {
  const api = await openTestApi({ env: { ...small, LANDFALL_VALKEY_URL: 'redis://127.0.0.1:1' } })
  try {
    assert.deepEqual(await statusesOf(6, () => shipments(api)), [200, 200, 200, 200, 200, 429])
    const logLines = api.logged().filter(({ event }) => event === 'limits.store_failed')
    assert.ok(logLines.length > 0)
    assert.equal(logLines[0]?.['store'], 'valkey')
    assert.match(await api.service.metrics.write(), /landfall_limits_store_failed_total\{store="valkey"\} [1-9]/)
    const { rows } = await api.service.pool.query('select taken from rate_windows')
    assert.equal(rows.length, 1)
  } finally {
    await api.close()
  }
})

describe('invalid keys', () => {
  let api: TestApi
  before(async () => {
    api = await openTestApi({
      env: { LANDFALL_FAILED_KEYS_PER_MINUTE: '4', LANDFALL_TRUSTED_PROXIES: '127.0.0.0/8' },
    })
  })
  after(() => api.close())
  const from = (address: string, key: string | null) =>
    api.call({ url: '/v2/shipments', key, headers: { 'x-forwarded-for': address } })

  test('answers 429 to an address that guesses keys, and a valid key from another address still works', async () => {
    assert.equal((await from('203.0.113.1', api.key)).status, 200)
    const guesses = await statusesOf(6, () => from('203.0.113.1', makeApiKey()))
    assert.deepEqual(guesses, [401, 401, 401, 401, 429, 429])
    assert.equal((await from('203.0.113.1', api.key)).status, 200)
    assert.equal((await from('203.0.113.2', makeApiKey())).status, 401)
    assert.equal((await from('203.0.113.1', null)).status, 401)
    const refused = await from('203.0.113.1', makeApiKey())
    api.clock.advance(Number(refused.headers['retry-after']) * 1_000)
    assert.equal((await from('203.0.113.1', makeApiKey())).status, 401)
  })

  test('a blocked address gets 429 even when it guesses a valid key', async () => {
    const hidden = await api.newKey(api.context, ['read'])
    await statusesOf(4, () => from('203.0.113.9', makeApiKey()))
    assert.equal((await from('203.0.113.9', hidden)).status, 429)
    assert.equal((await from('203.0.113.10', hidden)).status, 200)
  })

  test('counts addresses of one IPv6 network together', async () => {
    for (let guess = 0; guess < 4; guess += 1) await from(`2001:db8::${guess}`, makeApiKey())
    assert.equal((await from('2001:db8:0:0:ffff::1', makeApiKey())).status, 429)
    assert.equal((await from('2001:db8:0:1::1', makeApiKey())).status, 401)
  })
})

test('requests of people in the portal and of programs have separate limits', async () => {
  const limited = await openTestApi({
    env: { LANDFALL_RATE_LIMIT_DEFAULT: '2', LANDFALL_RATE_LIMIT_PEOPLE: '3' },
  })
  try {
    const person = await signUpFirst(limited)
    const token = tokenIn((await person.open('/account')).text)
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const look = async (): Promise<number> => {
      const headers = { host: 'localhost', cookie, 'x-landfall-session': token }
      return (await limited.app.inject({ url: '/v2/shipments', headers })).statusCode
    }
    assert.deepEqual(await statusesOf(3, () => shipments(limited)), [200, 200, 429])
    assert.deepEqual([await look(), await look(), await look(), await look()], [200, 200, 200, 429])
  } finally {
    await limited.close()
  }
})
