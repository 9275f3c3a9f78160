// The secret of an installation belongs to its database: an error names what is missing or wrong.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import {
  openInstallationVault,
  refuseLostDatabase,
} from '../../src/service/running/setup/installation-secret.ts'
import { openVault } from '../../src/service/vault.ts'
import { insertAccount, keepSetting, readSetting } from '../../src/store/people/accounts.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'

const right = 'the right secret, which is long enough'
const other = 'another secret, which is long enough too'

let database: TestDatabase
let folder: string
beforeEach(async () => {
  database = await openTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'landfall-secret-'))
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const open = (given: string | null = null) =>
  openInstallationVault(database.pool, { given, dataFolder: folder })
const file = () => join(folder, 'secret')

test('an empty database gets a secret, which is made once and holds for it from then on', async () => {
  const sealed = (await open()).seal('word')
  const made = readFileSync(file(), 'utf8')
  assert.equal((await open()).open(sealed), 'word')
  assert.equal(readFileSync(file(), 'utf8'), made)
  assert.ok(!JSON.stringify(await readSetting(database.pool, 'secret_fingerprint')).includes(made.trim()))
})

test('a missing secret is named, and no other is made in its place', async () => {
  await open()
  rmSync(file())
  await assert.rejects(
    open(),
    new RegExp(`^Error: The secret is missing: there is no ${file()}, .*LANDFALL_SECRET`),
  )
  assert.ok(!existsSync(file()))
})

test('another secret is refused: the file that was replaced or LANDFALL_SECRET is named, and where the right one is', async () => {
  await open()
  const made = readFileSync(file(), 'utf8').trim()
  await assert.rejects(
    open(other),
    new RegExp(`^Error: LANDFALL_SECRET is not the secret.*${file()} does: leave`),
  )
  assert.ok(await open(made))
  writeFileSync(file(), other)
  await assert.rejects(open(), new RegExp(`^Error: ${file()} is not the secret of this database`))
  await assert.rejects(open(other), /^Error: LANDFALL_SECRET is not the secret .*Set it to what it was/)
})

test('in data from before fingerprints, one encrypted value shows whether the secret is the right one', async () => {
  await seal(right)
  await assert.rejects(open(), /The secret is missing/)
  await assert.rejects(open(other), /LANDFALL_SECRET is not the secret of this database/)
  assert.equal(await readSetting(database.pool, 'secret_fingerprint'), null)
  assert.ok(await open(right))
  assert.notEqual(await readSetting(database.pool, 'secret_fingerprint'), null)
  await assert.rejects(open(other), /LANDFALL_SECRET is not the secret of this database/)
})

test('an account without other data counts as data too: its keys cannot be used with a new secret', async () => {
  const createdAt = '2026-01-01T00:00:00Z'
  const id = '018f0000-0000-7000-8000-000000000001'
  await insertAccount(database.pool, { id, companyName: 'Example', isFiction: false, createdAt })
  await assert.rejects(open(), /The secret is missing/)
})

test('of two that come to an empty database with secrets of their own, one is refused', async () => {
  const results = await Promise.allSettled([open(right), open(other)])
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
})

test('a secret without its private database is reported before another database is made', () => {
  refuseLostDatabase(folder)
  writeFileSync(file(), right)
  assert.throws(
    () => refuseLostDatabase(folder),
    new RegExp(`^Error: The database is missing: there is none in ${join(folder, 'postgres')}`),
  )
})

async function seal(secret: string): Promise<void> {
  const vault = openVault(secret)
  await database.pool.query(
    `insert into oauth_signing_keys (generation, key_sealed, made_at, signs_from) values (1, $1, now(), now())`,
    [vault.seal('{}')],
  )
  const createdAt = '2026-01-01T00:00:00Z'
  const id = '018f0000-0000-7000-8000-000000000001'
  await insertAccount(database.pool, { id, companyName: 'Example', isFiction: false, createdAt })
  await keepSetting(database.pool, 'first_account', { id })
}
