// The secret of an installation belongs to its database: an error names what is missing or wrong.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { ensureSetting, readSetting } from '../../../src/db/settings.ts'
import { insertAccount } from '../../../src/modules/accounts/accounts-sql.ts'
import {
  openInstallationEncryption,
  refuseMissingDatabase,
} from '../../../src/modules/installation/installation-secret.ts'
import { createEncryption } from '../../../src/platform/encryption.ts'
import { openTestDatabase, type TestDatabase } from '../../support/database.ts'

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
  openInstallationEncryption(database.pool, { provided: given, dataFolder: folder })
const file = () => join(folder, 'secret')

test('an empty database gets a secret, which is created once and remains valid for it', async () => {
  const encrypted = (await open()).encrypt('word')
  const made = readFileSync(file(), 'utf8')
  assert.equal((await open()).decrypt(encrypted), 'word')
  assert.equal(readFileSync(file(), 'utf8'), made)
  assert.ok(!JSON.stringify(await readSetting(database.pool, 'secret_fingerprint')).includes(made.trim()))
})

test('names a missing secret, and creates no other in its place', async () => {
  await open()
  rmSync(file())
  await assert.rejects(open(), new RegExp(`^Error: The secret is missing: there is no ${file()}, .*LANDFALL_SECRET`))
  assert.ok(!existsSync(file()))
})

test('refuses a secret that does not belong to the database, naming the source of the secret', async () => {
  await open()
  const made = readFileSync(file(), 'utf8').trim()
  await assert.rejects(open(other), new RegExp(`^Error: LANDFALL_SECRET is not the secret.*${file()} does: leave`))
  assert.ok(await open(made))
  writeFileSync(file(), other)
  await assert.rejects(open(), new RegExp(`^Error: ${file()} is not the secret of this database`))
  await assert.rejects(open(other), /^Error: LANDFALL_SECRET is not the secret .*Set it to what it was/)
})

test('checks the secret by an encrypted value if the database has no fingerprint of the secret yet', async () => {
  await seal(right)
  await assert.rejects(open(), /The secret is missing/)
  await assert.rejects(open(other), /LANDFALL_SECRET is not the secret of this database/)
  assert.equal(await readSetting(database.pool, 'secret_fingerprint'), null)
  assert.ok(await open(right))
  assert.notEqual(await readSetting(database.pool, 'secret_fingerprint'), null)
  await assert.rejects(open(other), /LANDFALL_SECRET is not the secret of this database/)
})

test('reports a missing secret even if the database contains only an account', async () => {
  const createdAt = '2026-01-01T00:00:00Z'
  const id = '018f0000-0000-7000-8000-000000000001'
  await insertAccount(database.pool, { id, companyName: 'Example', isSandbox: false, createdAt })
  await assert.rejects(open(), /The secret is missing/)
})

test('refuses one of two processes that bring their own secrets to an empty database', async () => {
  const results = await Promise.allSettled([open(right), open(other)])
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
})

test('reports a missing private database if a secret exists, before another database is created', () => {
  refuseMissingDatabase(folder)
  writeFileSync(file(), right)
  assert.throws(
    () => refuseMissingDatabase(folder),
    new RegExp(`^Error: The database is missing: there is none in ${join(folder, 'postgres')}`),
  )
})

async function seal(secret: string): Promise<void> {
  const encryption = createEncryption(secret)
  await database.pool.query(
    `insert into oauth_signing_keys (generation, key_sealed, made_at, signs_from) values (1, $1, now(), now())`,
    [encryption.encrypt('{}')],
  )
  const createdAt = '2026-01-01T00:00:00Z'
  const id = '018f0000-0000-7000-8000-000000000001'
  await insertAccount(database.pool, { id, companyName: 'Example', isSandbox: false, createdAt })
  await ensureSetting(database.pool, 'first_account', { id })
}
