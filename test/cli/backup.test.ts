/**
 * A backup contains everything, and only a complete and valid one is restored: a stored installation with all kinds of
 * rows is backed up and restored by the commands, and every row is compared.
 */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fingerprintOfSecret, fingerprintSetting } from '../../src/modules/installation/installation-secret.ts'
import { writeSchemaText } from '../../tools/schema-text.ts'
import { urlOf, withAdmin, withConnection } from '../support/cluster.ts'
import { openCommandLine } from '../support/command-line.ts'
import { makeRole, openTestDatabase, type TestDatabase, urlAs, useServer } from '../support/database.ts'
import { type Kept, listKept, readLightKept } from '../upgrade/kept.ts'
import { restoreKept, upgrade, upgradedOf } from '../upgrade/restore.ts'
import { type Dump, dumpRows } from '../upgrade/rows.ts'

const passphrase = 'a passphrase of the backup'
const document = '9f/21/018f0000-0000-7000-8000-00000000219f'
/** Larger than a piece of the file. */
const documentBytes = randomBytes(3_000_000)
let kept: Kept
let source: TestDatabase
/** The source before the backup, which changes nothing. */
let sourceRows: Dump
let sourceSchema: string
let target: TestDatabase
let folder: string
let file: string
/** The environment of the next command. */
let place: Record<string, string> = {}
const { landfall } = openCommandLine(() => place)

before(async () => {
  const name = listKept().at(-1) ?? ''
  kept = readLightKept(name)
  source = await openTestDatabase({ filling: upgradedOf(name) })
  target = await openTestDatabase()
  await withConnection(source.url, (client) =>
    client.query(`insert into settings values ($1, to_jsonb($2::text)) on conflict (name) do nothing`, [
      fingerprintSetting,
      fingerprintOfSecret(kept.secret),
    ]),
  )
  await makeParts(source.url)
  sourceRows = await rowsOf(source.url)
  sourceSchema = await schemaOf(source.url)
  folder = mkdtempSync(join(tmpdir(), 'landfall-backup-'))
  file = join(folder, 'whole.landfall')
  mkdirSync(join(folder, 'documents', dirname(document)), { recursive: true })
  writeFileSync(join(folder, 'documents', document), documentBytes)
  writeFileSync(join(folder, 'documents', 'strange'), 'no file of a document')
  const { code, err } = await backup(file)
  assert.equal(code, 0, err)
})

after(async () => {
  await source?.close()
  await target?.close()
  rmSync(folder, { recursive: true })
})

/** Of the tables that are partitioned by time one stays as before the partitions, the other gets partitions. */
async function makeParts(url: string): Promise<void> {
  await withConnection(url, async (client) => {
    for (let step = 0; step < 3; step += 1)
      await client.query(`select cut_time_parts('webhook_notification_logs', now())`)
    await client.query(`select make_time_part('webhook_notification_logs', current_date + 3)`)
  })
}

const atSource = (): Record<string, string> => ({
  DATABASE_URL: source.url,
  LANDFALL_SECRET: kept.secret,
  LANDFALL_DATA: join(folder, 'source'),
  LANDFALL_FILES_FOLDER: join(folder, 'documents'),
  LANDFALL_BACKUP_PASSPHRASE: passphrase,
})
const atTarget = (): Record<string, string> => ({
  DATABASE_URL: target.url,
  LANDFALL_SECRET: '',
  LANDFALL_DATA: join(folder, 'target'),
  LANDFALL_BACKUP_PASSPHRASE: passphrase,
})

function backup(to: string, ...options: readonly string[]) {
  place = atSource()
  return landfall('backup', to, ...options)
}

function restore(from: string, ...options: readonly string[]) {
  place = atTarget()
  return landfall('restore', from, ...options)
}

async function empty(): Promise<void> {
  rmSync(join(folder, 'target'), { recursive: true, force: true })
  await withConnection(target.url, (client) => client.query('drop schema public cascade; create schema public'))
}

async function isEmpty(): Promise<boolean> {
  const { rows } = await withConnection(target.url, (client) =>
    client.query(`select from pg_class where relnamespace = 'public'::regnamespace`),
  )
  return rows.length === 0 && !existsSync(join(folder, 'target', 'secret'))
}

const rowsOf = (url: string): Promise<Dump> => withConnection(url, (client) => dumpRows(client))
const schemaOf = (url: string): Promise<string> => withConnection(url, (client) => writeSchemaText(client))
const withoutPause = ({ tables, ...rest }: Dump): Dump => ({
  ...rest,
  tables: tables.map((table) => ({ ...table, rows: table.rows.filter(([name]) => name !== 'paused') })),
})

test('a restored database has every row, partition, sequence, index, reference and trigger of the original, and is paused', async () => {
  await empty()
  const { code, out, err } = await restore(file)
  assert.equal(code, 0, err)
  assert.match(out, /Every checksum is right\./)
  assert.match(err, /It is paused/)
  const now = await rowsOf(target.url)
  assert.deepEqual(await rowsOf(source.url), sourceRows, 'a backup changes nothing')
  assert.ok(sourceRows.tables.filter(({ rows }) => rows.length > 0).length > 40)
  assert.deepEqual(withoutPause(now), sourceRows)
  assert.equal(await schemaOf(target.url), sourceSchema)
  const pause = now.tables.find(({ name }) => name === 'settings')?.rows.find(([name]) => name === 'paused')
  assert.match(pause?.[1] ?? '', /"restored"/)
  const secret = join(folder, 'target', 'secret')
  assert.equal(readFileSync(secret, 'utf8').trim(), kept.secret)
  assert.equal(statSync(secret).mode & 0o777, 0o600)
  const files = join(folder, 'target', 'files')
  assert.ok(readFileSync(join(files, document)).equals(documentBytes))
  assert.equal(existsSync(join(files, 'strange')), false)
})

test('a database that is not empty is refused; with --force it is replaced by the rows of the backup', async () => {
  await withConnection(target.url, (client) =>
    client.query(`create table if not exists strange (id int); insert into settings values ('mine', '1')`),
  )
  const refused = await restore(file)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /The database is not empty\. With --force/)
  const { code, err } = await restore(file, '--force', '--json')
  assert.equal(code, 0, err)
  assert.deepEqual(withoutPause(await rowsOf(target.url)), sourceRows)
})

test('a database in use by another program is not replaced', async () => {
  const { code, err } = await withConnection(target.url, () => restore(file, '--force'))
  assert.equal(code, 1)
  assert.match(err, /in use\. Stop every Landfall/)
})

test('a backup that was changed, cut, reordered or extended is refused, and nothing is written', async () => {
  await empty()
  const whole = readFileSync(file)
  const headEnd = whole.indexOf(10) + 1
  const flipped = (at: number): Buffer => {
    const bytes = Buffer.from(whole)
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    return bytes
  }
  const frame = (number: number): Buffer => {
    let from = headEnd
    for (let left = number; left > 0; left -= 1) from += 20 + (whole.readUInt32BE(from) & 0x7fffffff)
    return whole.subarray(from, from + 20 + (whole.readUInt32BE(from) & 0x7fffffff))
  }
  const [first, second] = [frame(0), frame(1)]
  const behind = whole.subarray(headEnd + first.length + second.length)
  const cases: readonly (readonly [string, Buffer, RegExp])[] = [
    ['a byte of the head', flipped(headEnd - 40), /is damaged|passphrase is not the one/],
    ['a byte of the first chunk', flipped(headEnd + 100), /is damaged/],
    ['a byte in the middle', flipped(whole.length >> 1), /is damaged/],
    ['its last byte', flipped(whole.length - 1), /is damaged/],
    ['the length of a chunk', flipped(headEnd + 1), /is damaged/],
    ['its end is missing', whole.subarray(0, whole.length >> 1), /is not complete/],
    ['its last chunk is missing', Buffer.concat([whole.subarray(0, headEnd), first]), /is not complete/],
    ['only its head is there', whole.subarray(0, headEnd), /is not complete/],
    ['two chunks changed places', Buffer.concat([whole.subarray(0, headEnd), second, first, behind]), /is damaged/],
    ['something behind the end', Buffer.concat([whole, Buffer.from('more of it')]), /is damaged/],
    ['another file', Buffer.from('PGDMP'), /is no backup of Landfall/],
  ]
  for (const [what, bytes, told] of cases) {
    const bad = join(folder, 'bad.landfall')
    writeFileSync(bad, bytes)
    const { code, err } = await restore(bad)
    assert.equal(code, 1, what)
    assert.match(err, told, what)
    assert.ok(await isEmpty(), what)
  }
  const nowhere = await restore(join(folder, 'nowhere.landfall'))
  assert.deepEqual([nowhere.code, /^There is no file .*nowhere\.landfall\.$/m.test(nowhere.err)], [1, true])
})

test('a wrong or missing passphrase is refused', async () => {
  const [line] = readFileSync(file, 'latin1').split('\n')
  assert.match(line ?? '', /"kdf":"scrypt"/)
  place = { ...atTarget(), LANDFALL_BACKUP_PASSPHRASE: 'another passphrase' }
  const wrong = await landfall('restore', file, '--check')
  assert.deepEqual([wrong.code, /The passphrase is not the one/.test(wrong.err)], [1, true])
  place = { ...atTarget(), LANDFALL_BACKUP_PASSPHRASE: '' }
  const without = await landfall('restore', file, '--check')
  assert.deepEqual([without.code, /The backup is encrypted\./.test(without.err)], [1, true])
  const inFile = join(folder, 'passphrase')
  writeFileSync(inFile, `${passphrase}\n`)
  const right = await landfall('restore', file, '--check', '--passphrase-file', inFile, '--json')
  assert.equal(right.code, 0, right.err)
  assert.ok(JSON.parse(right.out).rows > 1_000)
})

test('a backup is always encrypted, unless it contains no secrets', async () => {
  place = { ...atSource(), LANDFALL_BACKUP_PASSPHRASE: '' }
  const plain = join(folder, 'plain.landfall')
  const refused = await landfall('backup', plain)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /always encrypted/)
  assert.equal(existsSync(plain), false)
  const { code, out, err } = await landfall('backup', plain, '--without-secrets', '--json')
  assert.equal(code, 0, err)
  const report = JSON.parse(out)
  assert.deepEqual([report.has_secrets, report.is_encrypted], [false, false])
  assert.deepEqual(
    report.files.map(({ name }: { readonly name: string }) => name),
    [`files/${document}`],
  )
  assert.equal(readFileSync(plain).includes(kept.secret), false)

  await empty()
  const without = await restore(plain)
  assert.deepEqual([without.code, /written without its secret/.test(without.err)], [1, true])
  assert.ok(await isEmpty())
  place = { ...atTarget(), LANDFALL_SECRET: kept.secret }
  const withIt = await landfall('restore', plain)
  assert.equal(withIt.code, 0, withIt.err)

  const bytes = readFileSync(plain)
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
  writeFileSync(plain, bytes)
  const damaged = await restore(plain, '--check')
  assert.deepEqual([damaged.code, /is damaged/.test(damaged.err)], [1, true])
})

test('backup and restore are refused if LANDFALL_SECRET belongs to another installation', async () => {
  place = { ...atSource(), LANDFALL_SECRET: 'another secret that is long enough too' }
  const wrong = await landfall('backup', join(folder, 'wrong.landfall'))
  assert.deepEqual([wrong.code, /The secret of this database is not here/.test(wrong.err)], [1, true])
  await empty()
  place = { ...atTarget(), LANDFALL_SECRET: 'another secret that is long enough too' }
  const refused = await landfall('restore', file)
  assert.deepEqual([refused.code, /LANDFALL_SECRET is not the secret of the backup/.test(refused.err)], [1, true])
  assert.ok(await isEmpty())
})

test('a backup never overwrites a file, and unknown options and missing files are reported', async () => {
  const before = readFileSync(file)
  const again = await backup(file)
  assert.deepEqual([again.code, /is there already/.test(again.err)], [1, true])
  assert.ok(before.equals(readFileSync(file)))
  assert.equal(existsSync(`${file}.part`), false)
  assert.equal((await restore(join(folder, 'nowhere'), '--check')).code, 1)
  place = atTarget()
  assert.equal((await landfall('restore')).code, 2)
  assert.equal((await landfall('backup', 'a', '--plain')).code, 2)
})

test('an owner without superuser rights can restore, and the serving role can use the result', async (t) => {
  const { server, letGo } = await useServer()
  const name = `landfall_restored_${process.pid}`
  const [owner, serving] = [`${name}_owner`, `${name}_server`]
  await makeRole(server.adminUrl, owner)
  await makeRole(server.adminUrl, serving)
  await withAdmin(server.adminUrl, (client) => client.query(`create database ${name} owner ${owner}`))
  t.after(async () => {
    await withAdmin(server.adminUrl, async (client) => {
      await client.query(`drop database ${name} with (force)`)
      for (const role of [serving, owner]) await client.query(`drop role ${role}`)
    })
    await letGo()
  })
  const url = urlOf(server.adminUrl, name)
  place = {
    ...atTarget(),
    LANDFALL_DATA: join(folder, 'owned'),
    DATABASE_URL: urlAs(url, serving),
    LANDFALL_MIGRATION_DATABASE_URL: urlAs(url, owner),
  }
  for (const options of [[], ['--force']]) {
    const { code, err } = await landfall('restore', file, ...options)
    assert.equal(code, 0, err)
  }
  assert.deepEqual(withoutPause(await rowsOf(urlAs(url, owner))), sourceRows)
  await withConnection(urlAs(url, serving), async (client) => {
    await client.query(`update settings set value = value`)
    await assert.rejects(client.query('create table mine (id int)'), { code: '42501' })
    await assert.rejects(client.query('delete from ledger'), { code: '42501' })
  })
})

test('a backup of an older version is restored unchanged, and the next start migrates its schema', async (t) => {
  const old = await openTestDatabase()
  t.after(() => old.close())
  const oldest = readLightKept(listKept()[0] ?? '')
  await restoreKept(old.url, oldest)
  assert.notEqual(await schemaOf(old.url), sourceSchema)
  const older = join(folder, 'older.landfall')
  place = { ...atSource(), DATABASE_URL: old.url, LANDFALL_SECRET: oldest.secret }
  const saved = await landfall('backup', older)
  assert.equal(saved.code, 0, saved.err)
  await empty()
  const { code, err } = await restore(older)
  assert.equal(code, 0, err)
  assert.deepEqual(withoutPause(await rowsOf(target.url)), await rowsOf(old.url))
  assert.equal(inShort(await schemaOf(target.url)), inShort(await schemaOf(old.url)))
  await upgrade(target.url)
  await upgrade(old.url)
  assert.equal(await schemaOf(target.url), await schemaOf(old.url))
})

/** Restored functions of indexes are named in full, as newer versions of PostgreSQL need it. */
function inShort(schema: string): string {
  return schema.replaceAll('public.', '')
}

test('a backup with a newer schema than the program is refused, and nothing is written', async () => {
  await withConnection(source.url, (client) =>
    client.query(`insert into migration_hashes values ('9999_of_a_later_version', 'x')`),
  )
  const later = join(folder, 'later.landfall')
  assert.equal((await backup(later)).code, 0)
  await empty()
  const { code, err } = await restore(later)
  assert.equal(code, 1)
  assert.match(err, /newer schema than this version of Landfall knows \(9999_of_a_later_version/)
  assert.ok(await isEmpty())
})

test('a role that may only read and write rows can make a backup', async (t) => {
  const serving = await openTestDatabase({ isServing: true })
  t.after(() => serving.close())
  place = { DATABASE_URL: serving.url, LANDFALL_DATA: join(folder, 'serving') }
  const { code, err } = await landfall('backup', join(folder, 'serving.landfall'), '--without-secrets')
  assert.equal(code, 0, err)
})
