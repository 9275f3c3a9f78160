import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeApiKey } from '../../../src/modules/api-keys/api-key.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

const list = (authorization: string | null) =>
  api.call({
    url: '/v2/shipments',
    key: null,
    ...(authorization === null ? {} : { headers: { authorization } }),
  })

describe('authentication by API key', () => {
  test('answers a missing, malformed, cut, mistyped or unknown key with the same 401', async () => {
    const wrong = [
      null,
      '',
      api.key,
      `Token "${api.key}"`,
      `Token ${api.key} `.padEnd(80, 'x'),
      `Token ${api.key.slice(0, -1)}`,
      `Token ${api.key.slice(0, -1)}${api.key.endsWith('A') ? 'B' : 'A'}`,
      `Token ${makeApiKey()}`,
    ]
    const bodies = new Set<string>()
    for (const header of wrong) {
      const answer = await list(header)
      assert.equal(answer.status, 401, String(header))
      assert.match(answer.error().detail, /Landfall API key could not be verified/)
      bodies.add(answer.text)
    }
    assert.equal(bodies.size, 1)
  })

  test('names the right scheme for a key that is sent under another scheme, valid or not', async () => {
    for (const header of [`Bearer ${api.key}`, `bearer  ${api.key}`, `Bearer ${makeApiKey()}`]) {
      const answer = await list(header)
      assert.equal(answer.status, 401, header)
      assert.match(answer.error().detail, /use the scheme Token\. Send it as `Authorization: Token <API key>`/)
      assert.equal(answer.headers['www-authenticate'], 'Token realm="Landfall"')
    }
    assert.doesNotMatch((await list(`Bearer ${'x'.repeat(40)}`)).error().detail, /use the scheme/)
  })

  test('refuses a mistyped key without a database query', async () => {
    const asked: unknown[] = []
    const { query } = api.service.pool
    api.service.pool.query = ((...given: unknown[]) => {
      asked.push(given[0])
      return (query as (...args: unknown[]) => unknown).apply(api.service.pool, given)
    }) as typeof query
    try {
      assert.equal((await list(`Token ${api.key.slice(0, -3)}abc`)).status, 401)
      assert.deepEqual(asked, [])
    } finally {
      api.service.pool.query = query
    }
  })

  test('accepts the scheme in upper or lower case', async () => {
    assert.equal((await list(`token ${api.key}`)).status, 200)
  })

  test('a revoked key stops working within five seconds', async () => {
    const key = await api.newKey(api.context, ['read'])
    assert.equal((await list(`Token ${key}`)).status, 200)
    await api.service.pool.query('update api_keys set revoked_at = now() where last_four = $1', [key.slice(-4)])
    api.clock.advance(5_000)
    assert.equal((await list(`Token ${key}`)).status, 401)
  })

  test('does not store the key itself in the database', async () => {
    const { rows } = await api.service.pool.query('select * from api_keys')
    const written = JSON.stringify(rows.map((row) => ({ ...row, hex: row.key_hmac.toString('latin1') })))
    assert.ok(!written.includes(api.key))
    assert.ok(!written.includes(api.key.slice('lf_live_'.length + 4, -4)))
  })

  test('stores the time of the last use of a key at most once a minute', async () => {
    const key = await api.newKey(api.context, ['read'])
    const lastUse = async () => {
      const { rows } = await api.service.pool.query('select last_used_at from api_keys where last_four = $1', [
        key.slice(-4),
      ])
      return rows[0]?.last_used_at
    }
    await list(`Token ${key}`)
    const first = await lastUse()
    assert.equal(first, new Date(api.clock.now()).toISOString())
    api.clock.advance(20_000)
    await list(`Token ${key}`)
    assert.equal(await lastUse(), first)
    api.clock.advance(50_000)
    await list(`Token ${key}`)
    assert.equal(await lastUse(), new Date(api.clock.now()).toISOString())
  })

  test('a read-only key reads and cannot change anything', async () => {
    const key = await api.newKey(api.context, ['read'])
    assert.equal((await api.call({ url: '/v2/webhooks', key })).status, 200)
    const answer = await api.call({
      method: 'POST',
      url: '/v2/webhooks',
      key,
      body: {
        data: {
          type: 'webhook',
          attributes: { url: 'https://example.com/hook', events: ['container.created'] },
        },
      },
    })
    assert.equal(answer.status, 403)
    const { rows } = await api.service.pool.query('select id from webhooks')
    assert.deepEqual(rows, [])
  })
})
