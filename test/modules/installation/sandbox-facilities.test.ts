/**
 * The terminals and railways of the sandbox are channels like all others, created once, and their address follows that
 * of the sandbox.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FACILITIES } from '../../../sandbox/facilities.ts'
import { startSandbox } from '../../../sandbox/server.ts'
import { changeChannel, listChannels } from '../../../src/modules/channels/channels.ts'
import { findPollConfig } from '../../../src/modules/channels/polled-channels-sql.ts'
import { installSandboxFacilities } from '../../../src/modules/installation/sandbox-facilities.ts'
import { decryptSecrets } from '../../../src/platform/encryption.ts'
import { openTestService } from '../../support/service.ts'

test('a start opens a channel for each sandbox facility, the next start updates it, and closed channels stay closed', async (t) => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  const play = () => startSandbox({ port: 0, host: '127.0.0.1', seed: 1, epoch: now, now: () => now })
  const [first, second] = [await play(), await play()]
  const opened = await openTestService()
  t.after(async () => {
    await opened.close()
    await Promise.all([first.close(), second.close()])
  })
  const { service } = opened
  const { account } = await opened.newAccount({ isSandbox: true })
  const install = (url: string) => installSandboxFacilities(service, { url, accountId: account.id })
  const readAll = async () =>
    Promise.all(
      (await listChannels(service)).map(async (channel) => {
        const asking = await findPollConfig(service.pool, channel.id)
        const secrets = decryptSecrets(service.encryption, asking?.encryptedSecret ?? null)
        return { ...channel, base: String(asking?.profile['base']), channelKey: secrets['channelKey'] }
      }),
    )

  await install(first.url)
  const made = await readAll()
  assert.deepEqual(made.map(({ name }) => name).sort(), FACILITIES.map(({ name }) => `sandbox-${name}`).sort())
  for (const channel of made) {
    assert.deepEqual([channel.accountId, channel.isSandbox], [account.id, true])
    assert.ok(channel.base.startsWith(`${first.url}/facilities/`), channel.base)
  }

  await changeChannel(service, { name: 'sandbox-pierhead', isEnabled: false })
  await install(second.url)
  for (const channel of await readAll()) {
    const isClosed = channel.name === 'sandbox-pierhead'
    assert.equal(channel.isEnabled, !isClosed)
    assert.ok(channel.base.startsWith((isClosed ? first : second).url), channel.base)
    assert.equal(channel.channelKey, made.find(({ id }) => id === channel.id)?.channelKey)
  }
})

test('a start without a reachable sandbox opens no channel and does not fail', async (t) => {
  const opened = await openTestService()
  t.after(() => opened.close())
  const { account } = await opened.newAccount({ isSandbox: true })
  await installSandboxFacilities(opened.service, { url: 'http://127.0.0.1:9', accountId: account.id })
  assert.deepEqual(await listChannels(opened.service), [])
})
