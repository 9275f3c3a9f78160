// The first account of an installation and its first key: created once, stored separately for the real and the
// simulated world, never overwritten.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { authenticate } from '../../src/service/people/access/authenticate.ts'
import { ensureFirstAccount } from '../../src/service/people/access/first-account.ts'
import { openTestService, type TestService } from '../support/service.ts'

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

const start = (isFiction: boolean) => ensureFirstAccount(bench.service, { isFiction, dataFolder })
const kept = (name = 'first-api-key') => readFileSync(join(dataFolder, name), 'utf8').trim()

test('of two processes that start at the same moment one makes the key, and both agree on the account', async () => {
  const [one, other] = await Promise.all([start(true), start(true)])
  assert.equal(one.accountId, other.accountId)
  assert.deepEqual(
    [one.newKey, other.newKey].filter((key) => key !== null),
    [kept()],
  )
  const again = await start(true)
  assert.deepEqual(again, {
    accountId: one.accountId,
    keyFile: join(dataFolder, 'first-api-key'),
    newKey: null,
  })
})

test('the key in use is first-api-key, and the one of the other world waits beside it', async () => {
  const sandbox = (await start(true)).newKey
  const carriers = (await start(false)).newKey
  assert.deepEqual([kept(), kept('first-api-key-of-sandbox')], [carriers, sandbox])
  assert.equal((await start(true)).newKey, null)
  assert.deepEqual([kept(), kept('first-api-key-of-carriers')], [sandbox, carriers])
  assert.ok(!existsSync(join(dataFolder, 'first-api-key-of-sandbox')))
  for (const key of [sandbox, carriers]) assert.ok(await authenticate(bench.service, `Token ${key}`))
})

test('a data folder without the key, for example of another machine, gets none, and the start says so', async () => {
  await start(true)
  rmSync(join(dataFolder, 'first-api-key'))
  const { keyFile, newKey } = await start(true)
  assert.deepEqual([keyFile, newKey], [null, null])
  assert.ok(!existsSync(join(dataFolder, 'first-api-key')))
})

test('a key that is of no account here, of another database say, is put aside and not written over', async () => {
  writeFileSync(join(dataFolder, 'first-api-key'), 'lf_live_of_elsewhere\n')
  const { newKey } = await start(true)
  assert.deepEqual([kept(), kept('first-api-key-before')], [newKey, 'lf_live_of_elsewhere'])
})

test('where the file cannot be written nothing is made, and the next start makes both', async () => {
  const elsewhere = join(dataFolder, 'missing')
  await assert.rejects(ensureFirstAccount(bench.service, { isFiction: true, dataFolder: elsewhere }))
  const { rows } = await bench.service.pool.query('select id from accounts')
  assert.deepEqual(rows, [])
  assert.equal((await start(true)).newKey, kept())
})
