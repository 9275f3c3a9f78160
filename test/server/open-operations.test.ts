/** Who may read the metrics, health checks on a separate port, and HSTS if TLS is used. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMcp } from '../../src/mcp/transport/open-mcp.ts'
import { readConfig } from '../../src/platform/config.ts'
import { createApiApp } from '../../src/server/app.ts'
import { createOperationsApp } from '../../src/server/open-operations.ts'
import { openTestApi } from '../support/api.ts'
import { withoutLimits } from '../support/without-limits.ts'

const api = await openTestApi()
test.after(() => api.close())

const token = 'a token of sixteen and more'

type From = { readonly address?: string; readonly headers?: Readonly<Record<string, string>> }

/** The API with other settings, over the same database. */
async function withSettings<T>(
  env: Readonly<Record<string, string>>,
  work: (ask: (url: string, from?: From) => Promise<{ status: number; text: string; hsts: unknown }>) => Promise<T>,
  open: typeof createApiApp | typeof openMcp | typeof createOperationsApp = createApiApp,
): Promise<T> {
  const config = readConfig({ LANDFALL_SANDBOX: 'on', ...withoutLimits, ...env })
  const app = await open({ ...api.service, config })
  await app.ready()
  try {
    return await work(async (url, { address = '127.0.0.1', headers = {} } = {}) => {
      const answer = await app.inject({ url, remoteAddress: address, headers })
      const { 'strict-transport-security': hsts } = answer.headers
      return { status: answer.statusCode, text: answer.body, hsts }
    })
  } finally {
    await app.close()
  }
}

test('by default only programs on this machine may read the metrics, and not through a proxy', () =>
  withSettings({}, async (ask) => {
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      assert.equal((await ask('/metrics', { address })).status, 200, address)
    for (const from of [
      { address: '192.0.2.7' },
      { address: '2001:db8::7' },
      { headers: { 'x-forwarded-for': '192.0.2.7' } },
      { headers: { forwarded: 'for=192.0.2.7' } },
      { headers: { 'x-real-ip': '192.0.2.7' } },
      { address: '192.0.2.7', headers: { 'x-forwarded-for': '127.0.0.1' } },
      { address: '192.0.2.7', headers: { authorization: 'Bearer guessed' } },
    ]) {
      const answer = await ask('/metrics', from)
      assert.equal(answer.status, 403, JSON.stringify(from))
      assert.match(answer.text, /LANDFALL_METRICS_TOKEN/)
      assert.doesNotMatch(answer.text, /landfall_/)
    }
    assert.equal((await ask('/readyz', { address: '192.0.2.7' })).status, 200, 'health is for all')
  }))

test('a refusal of the metrics has the documented form', async (t) => {
  const headers = { 'x-forwarded-for': '192.0.2.7' }
  assert.equal((await api.call({ url: '/metrics', key: null, headers })).status, 403)
  const off = await openTestApi({ env: { LANDFALL_METRICS: 'off' } })
  t.after(() => off.close())
  assert.equal((await off.call({ url: '/metrics', key: null })).status, 404)
})

test('metrics are refused through a trusted proxy as through any other proxy', () =>
  withSettings({ LANDFALL_TRUSTED_PROXIES: '127.0.0.1/32' }, async (ask) => {
    assert.equal((await ask('/metrics', { headers: { 'x-forwarded-for': '127.0.0.1' } })).status, 403)
    assert.equal((await ask('/metrics')).status, 200)
  }))

test('a token opens the metrics from anywhere, and is required even if they are public', async () => {
  const good = { address: '192.0.2.7', headers: { authorization: `Bearer ${token}` } }
  const bad = { address: '192.0.2.7', headers: { authorization: `Bearer ${token}x` } }
  await withSettings({ LANDFALL_METRICS_TOKEN: token }, async (ask) => {
    assert.equal((await ask('/metrics', good)).status, 200)
    assert.equal((await ask('/metrics', bad)).status, 403)
    assert.equal((await ask('/metrics')).status, 200, 'this machine needs none')
  })
  await withSettings({ LANDFALL_METRICS: 'open' }, async (ask) =>
    assert.equal((await ask('/metrics', bad)).status, 200),
  )
  await withSettings({ LANDFALL_METRICS: 'open', LANDFALL_METRICS_TOKEN: token }, async (ask) => {
    assert.equal((await ask('/metrics', good)).status, 200)
    assert.equal((await ask('/metrics', bad)).status, 403)
    assert.equal((await ask('/metrics')).status, 403)
  })
})

test('metrics that are disabled or on a separate port are 404 at the API', async () => {
  for (const env of [{ LANDFALL_METRICS: 'off' }, { LANDFALL_METRICS_PORT: '9464' }])
    await withSettings({ ...env, LANDFALL_METRICS_TOKEN: token }, async (ask) => {
      const answer = await ask('/metrics', { headers: { authorization: `Bearer ${token}` } })
      assert.equal(answer.status, 404)
    })
})

test('a separate port serves metrics to everybody, unless a token is set', async () => {
  const far = { address: '192.0.2.7' }
  await withSettings(
    { LANDFALL_METRICS_PORT: '9464' },
    async (ask) => {
      assert.match((await ask('/metrics', far)).text, /^landfall_info\{version=/m)
      assert.equal((await ask('/healthz', far)).status, 200)
      assert.equal((await ask('/readyz', far)).status, 200)
      assert.equal((await ask('/v2/shipments', far)).status, 404, 'and nothing else')
    },
    createOperationsApp,
  )
  await withSettings(
    { LANDFALL_METRICS_PORT: '9464', LANDFALL_METRICS_TOKEN: token },
    async (ask) => {
      assert.equal((await ask('/metrics')).status, 403)
      assert.equal((await ask('/metrics', { headers: { authorization: `Bearer ${token}` } })).status, 200)
      assert.equal((await ask('/readyz', far)).status, 200)
    },
    createOperationsApp,
  )
})

const hsts = 'max-age=31536000'

test('HSTS is sent with every answer if the public URL is https, by both servers', async () => {
  const env = { LANDFALL_PUBLIC_URL: 'https://track.example' }
  await withSettings(env, async (ask) => {
    for (const url of [
      '/',
      '/healthz',
      '/v2/shipments',
      '/docs',
      '/mcp',
      '/.well-known/oauth-authorization-server',
      '/nothing',
    ])
      assert.equal((await ask(url)).hsts, hsts, url)
  })
  await withSettings(env, async (ask) => assert.equal((await ask('/')).hsts, hsts), openMcp)
})

test('HSTS is sent if a trusted proxy reports https, and other proxies are ignored', async () => {
  const headers = { 'x-forwarded-proto': 'https' }
  await withSettings({ LANDFALL_TRUSTED_PROXIES: '127.0.0.1/32' }, async (ask) => {
    assert.equal((await ask('/healthz', { headers })).hsts, hsts)
    assert.equal((await ask('/healthz', { headers: { 'x-forwarded-proto': 'http' } })).hsts, undefined)
    assert.equal((await ask('/healthz', { headers, address: '192.0.2.7' })).hsts, undefined)
  })
  await withSettings({}, async (ask) => {
    assert.equal((await ask('/healthz', { headers })).hsts, undefined)
    assert.equal((await ask('/')).hsts, undefined)
  })
})
