import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readConfig } from '../../src/platform/config.ts'
import { settings } from '../../src/platform/settings.ts'
import { writeConfigPage } from '../../tools/config-page-text.ts'

test('the configuration has a working default for every setting', () => {
  const config = readConfig({ PATH: '/bin', LANDFALL_PORT: '' })
  assert.equal(config.server.port, 3000)
  assert.equal(config.server.mcpPort, 3001)
  assert.equal(config.server.host, '127.0.0.1')
  assert.equal(config.data.folder, './.landfall')
  assert.equal(config.data.databaseUrl, null)
  assert.equal(config.sandbox.isOn, null)
  assert.equal(config.sandbox.speed, 86_400)
  assert.equal(config.tracking.retriesMax, 14)
  assert.ok(Object.isFrozen(config) && Object.isFrozen(config.server))
})

test('the configuration reads each setting from its environment variable', () => {
  const config = readConfig({
    LANDFALL_PORT: ' 4000 ',
    LANDFALL_SANDBOX: 'off',
    LANDFALL_SANDBOX_SPEED: '0001.5',
    LANDFALL_ROLE: 'worker',
    LANDFALL_ALLOWED_NETWORKS: '10.0.0.0/8, ::1',
    LANDFALL_PUBLIC_URL: 'https://track.example/',
    DATABASE_URL: 'postgres://me@db/landfall',
  })
  assert.equal(config.server.port, 4000)
  assert.equal(config.sandbox.isOn, false)
  assert.equal(config.sandbox.speed, 1.5)
  assert.equal(config.server.role, 'worker')
  assert.deepEqual(config.network.allowedNetworks, ['10.0.0.0/8', '::1'])
  assert.equal(config.server.publicUrl, 'https://track.example')
  assert.equal(config.data.databaseUrl, 'postgres://me@db/landfall')
})

for (const [variable, text] of [
  ['LANDFALL_PORT', '0'],
  ['LANDFALL_PORT', '65536'],
  ['LANDFALL_PORT', '3000.5'],
  ['LANDFALL_PORT', '0x10'],
  ['LANDFALL_PORT', '-1'],
  ['LANDFALL_SANDBOX', 'yes'],
  ['LANDFALL_SANDBOX_SPEED', '1e3'],
  ['LANDFALL_SANDBOX_SPEED', '0'],
  ['LANDFALL_ROLE', 'boss'],
  ['LANDFALL_ALLOWED_NETWORKS', '10.0.0.0/33'],
  ['LANDFALL_SIGNATURE_HEADER', 'X Sig'],
  ['LANDFALL_SIGNATURE_HEADER', 'Connection'],
  ['LANDFALL_SIGNATURE_HEADER', 'Content-Digest'],
  ['LANDFALL_SIGNATURE_HEADER', 'X-A, webhook-signature'],
  ['LANDFALL_SIGNATURE_HEADER', 'X-A,X-B,X-C,X-D,X-E,X-F'],
  ['LANDFALL_PUBLIC_URL', 'ftp://x'],
  ['LANDFALL_SECRET', 'hush-too-short'],
  ['LANDFALL_AWAITING_DAYS', 'NaN'],
  ['DATABASE_URL', 'mysql://hush@db'],
] as const) {
  test(`refuses ${variable}=${text} with a message that states the accepted values`, () => {
    assert.throws(
      () => readConfig({ [variable]: text }),
      (error: Error) => {
        assert.match(error.message, new RegExp(`^${variable} accepts .+\\.$`))
        assert.doesNotMatch(error.message, /hush/)
        return true
      },
    )
  })
}

test('reports all errors together, also unknown settings', () => {
  assert.throws(
    () =>
      readConfig({
        LANDFALL_PORT: 'x',
        LANDFALL_MCP_PORT: 'y',
        LANDFALL_PROT: '1',
        LANDFALL_TEST_DATABASE_URL: 'z',
      }),
    (error: Error) => {
      assert.equal(error.message.split('\n').length, 3)
      assert.match(error.message, /LANDFALL_PORT.*\nLANDFALL_MCP_PORT.*\nLANDFALL_PROT is no setting/)
      return true
    },
  )
})

test('no two settings share a variable', () => {
  const variables = Object.values(settings).flatMap((group) => Object.values(group).map(({ variable }) => variable))
  assert.equal(new Set(variables).size, variables.length)
})

test('docs/configuration.md matches the table of settings', () => {
  assert.equal(readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8'), writeConfigPage())
})
