/** When requests for tenants may go to this machine: only if nobody else can reach the server. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRemoteAccessSetting, mayReachLoopback, sandboxAddresses } from '../../src/modules/derived-settings.ts'
import { readConfig } from '../../src/platform/config.ts'
import { createEgress } from '../../src/platform/egress.ts'
import { serve } from '../support/loopback-server.ts'

test('requests to loopback are allowed only in the sandbox, and only if no setting opens the server to others', () => {
  const cases: readonly (readonly [Readonly<Record<string, string>>, string | null])[] = [
    [{}, null],
    [{ LANDFALL_HOST: '::1' }, null],
    [{ LANDFALL_HOST: '0.0.0.0' }, 'LANDFALL_HOST'],
    [{ LANDFALL_PUBLIC_URL: 'https://track.example' }, 'LANDFALL_PUBLIC_URL'],
    [{ LANDFALL_PUBLIC_URL: 'http://localhost:3000' }, 'LANDFALL_PUBLIC_URL'],
    [{ LANDFALL_TRUSTED_PROXIES: '127.0.0.1/32' }, 'LANDFALL_TRUSTED_PROXIES'],
  ]
  for (const [env, opening] of cases) {
    const config = readConfig(env)
    assert.equal(findRemoteAccessSetting(config), opening)
    assert.equal(mayReachLoopback(config, true), opening === null)
    assert.equal(mayReachLoopback(config, false), false, 'real carriers, real tenants')
  }
})

test('a simulated carrier can reach the sandbox, and nothing else on this machine', async (t) => {
  const { url } = await serve(t, (_, response) => void response.end('ok'))
  const other = await serve(t, (_, response) => void response.end('a secret of somebody'))
  const config = readConfig({ LANDFALL_SANDBOX_PORT: new URL(url).port })
  const egress = createEgress({ allowedNetworks: [], allowLoopback: true, only: sandboxAddresses(config) })
  t.after(() => egress.close())
  const ask = (to: string) => egress.request({ url: to, timeoutMs: 5_000, maxBytes: 1_000 })
  assert.equal((await ask(url)).kind, 'answer')
  assert.equal((await ask(other.url)).kind, 'refused')
  assert.equal((await ask(url.replace('127.0.0.1', 'localhost'))).kind, 'refused')
  assert.equal(egress.findRefusal(other.url), 'Only addresses of the sandbox are allowed here.')
  const port = Number(new URL(other.url).port)
  assert.equal((await egress.connect({ host: '127.0.0.1', port })).kind, 'refused')
  const socket = await egress.openWebSocket({ url: `ws://127.0.0.1:${port}/`, messageBytesMax: 10 })
  assert.equal(socket.kind, 'refused')
})
