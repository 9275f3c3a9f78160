// The first account of an installation and its first key: created once, stored separately for the real and the
// simulated world, never overwritten.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { ensureFirstAccount } from '../../../src/modules/accounts/first-account.ts'
import { authenticate } from '../../../src/modules/api-keys/authenticate.ts'
import { openTestService, type TestService } from '../../support/service.ts'

let bench: TestService
let dataFolder: string
beforeEach(async () => {
  bench = await openTestService()
  dataFolder = mkdtempSync(join(tmpdir(), 'landfall-first-'))
})
afterEach(async () => {
  await bench.close()
  rmSync(dataFolder, { recursive: true })
})

const start = (isSandbox: boolean) => ensureFirstAccount(bench.service, { isSandbox, dataFolder })
const storedKey = (name = 'first-api-key') => readFileSync(join(dataFolder, name), 'utf8').trim()

test('one of two processes that start together creates the key, and both agree on the account', async () => {
  const [one, other] = await Promise.all([start(true), start(true)])
  assert.equal(one.accountId, other.accountId)
  assert.deepEqual(
    [one.newKey, other.newKey].filter((key) => key !== null),
    [storedKey()],
  )
  const again = await start(true)
  assert.deepEqual(again, {
    accountId: one.accountId,
    keyFile: join(dataFolder, 'first-api-key'),
    newKey: null,
  })
})

test('stores the key in use as first-api-key, and the key of the other account beside it', async () => {
  const sandbox = (await start(true)).newKey
  const carriers = (await start(false)).newKey
  assert.deepEqual([storedKey(), storedKey('first-api-key-of-sandbox')], [carriers, sandbox])
  assert.equal((await start(true)).newKey, null)
  assert.deepEqual([storedKey(), storedKey('first-api-key-of-carriers')], [sandbox, carriers])
  assert.ok(!existsSync(join(dataFolder, 'first-api-key-of-sandbox')))
  for (const key of [sandbox, carriers]) assert.ok(await authenticate(bench.service, `Token ${key}`))
})

test('creates no key in a data folder that lacks it, for example on another machine, and the start states this', async () => {
  await start(true)
  rmSync(join(dataFolder, 'first-api-key'))
  const { keyFile, newKey } = await start(true)
  assert.deepEqual([keyFile, newKey], [null, null])
  assert.ok(!existsSync(join(dataFolder, 'first-api-key')))
})

test('renames a key file of another installation instead of overwriting the file', async () => {
  writeFileSync(join(dataFolder, 'first-api-key'), 'lf_live_of_elsewhere\n')
  const { newKey } = await start(true)
  assert.deepEqual([storedKey(), storedKey('first-api-key-before')], [newKey, 'lf_live_of_elsewhere'])
})

test('creates neither account nor key if the file cannot be written, and creates both at the next start', async () => {
  const elsewhere = join(dataFolder, 'missing')
  await assert.rejects(ensureFirstAccount(bench.service, { isSandbox: true, dataFolder: elsewhere }))
  const { rows } = await bench.service.pool.query('select id from accounts')
  assert.deepEqual(rows, [])
  assert.equal((await start(true)).newKey, storedKey())
})
