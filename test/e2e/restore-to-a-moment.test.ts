/** The private database archives its log; a copy is restored to a moment between two changes, and continues there. */

import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { inFull } from '../support/scale.ts'
import { landfall, landfallApart } from './landfall.ts'
import { type Door, get, send } from './newcomer.ts'
import { openDataFolder } from './prepared-folder.ts'
import { freePorts, type Ports, type Program, startProgram, withoutSandbox } from './program.ts'

let data: Awaited<ReturnType<typeof openDataFolder>>
let archive: string
let ports: Ports
let program: Program
let client: Door
let env: Readonly<Record<string, string>>

before(async () => {
  data = await openDataFolder()
  archive = mkdtempSync(join(tmpdir(), 'landfall-archive-'))
  chmodSync(archive, 0o711)
  ports = await freePorts()
  env = { ...withoutSandbox, LANDFALL_WAL_ARCHIVE: archive, LANDFALL_ROLE: 'api' }
  await start()
})

after(async () => {
  await program?.kill('SIGKILL')
  await data?.remove()
  rmSync(archive, { recursive: true, force: true })
})

test('an archived database is restored to a point in time, with earlier rows and without later ones', async () => {
  assert.equal((await note('before the base')).length, 1)
  const base = await landfall(data.path, ['backup', 'base', '--json'], env)
  assert.equal(base.code, 0, base.err)
  assert.match(base.err, /LANDFALL_WAL_ARCHIVE is deprecated: .* DATABASE_URL/)
  await note('after the base')
  const moment = await databaseTime()
  await note('a mistake')
  assert.deepEqual(await names(), ['a mistake', 'after the base', 'before the base'])
  const early = await landfall(data.path, ['restore', archive, '--at', '2026-01-01T00:00:00Z', '--force'], env)
  assert.deepEqual([early.code, /no earlier time can be restored/.test(early.err)], [1, true])
  const used = await landfall(data.path, ['restore', archive, '--at', moment, '--force'], env)
  assert.deepEqual([used.code, /is in use/.test(used.err)], [1, true])
  await program.kill('SIGTERM')

  const there = await landfall(data.path, ['restore', archive, '--at', moment], env)
  assert.deepEqual([there.code, /With --force it is moved aside/.test(there.err)], [1, true])
  const restored = await landfallApart(data.path, ['restore', archive, '--at', moment, '--force'], env)
  assert.equal(restored.code, 0, restored.err)
  assert.match(restored.err, /LANDFALL_WAL_ARCHIVE is deprecated/)
  await start()
  assert.deepEqual(await names(), ['after the base', 'before the base'])
  const ready = (await (await fetch(`${program.apiUrl}/readyz`)).json()) as { readonly paused: boolean }
  assert.equal(ready.paused, true)
  assert.equal((await note('it goes on')).length, 1)
})

test('the archive can be restored to its end, including rows after an earlier restore', inFull, async () => {
  const { code, err } = await landfall(data.path, ['backup', 'base'], env)
  assert.equal(code, 0, err)
  await note('the last')
  await program.kill('SIGTERM')
  const restored = await landfall(data.path, ['restore', archive, '--at', 'latest', '--force'], env)
  assert.equal(restored.code, 0, restored.err)
  await start()
  assert.deepEqual(await names(), ['after the base', 'before the base', 'it goes on', 'the last'])
})

test(
  'a base backup with --keep deletes older base backups and the write-ahead log that only they need',
  inFull,
  async () => {
    const before = readdirSync(join(archive, 'wal')).length
    const { code, out, err } = await landfall(data.path, ['backup', 'base', '--keep', '1', '--json'], env)
    assert.equal(code, 0, err)
    assert.equal(JSON.parse(out).dropped.bases, 2)
    assert.equal(readdirSync(join(archive, 'bases')).length, 2)
    assert.ok(readdirSync(join(archive, 'wal')).length < before)
  },
)

test('a damaged base backup is refused, and the existing database stays', async () => {
  const before = await names()
  await program.kill('SIGTERM')
  const [name = ''] = readdirSync(join(archive, 'bases')).filter((each) => each.endsWith('.base'))
  const path = join(archive, 'bases', name)
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
  writeFileSync(path, bytes)
  const { code, err } = await landfall(data.path, ['restore', archive, '--at', 'latest', '--force'], env)
  assert.deepEqual([code, /is damaged/.test(err)], [1, true])
  await start()
  assert.deepEqual(await names(), before)
})

async function start(): Promise<void> {
  program = startProgram({ dataFolder: data.path, ports, env })
  await program.up
  const key = readFileSync(join(data.path, 'first-api-key'), 'utf8').trim()
  client = { program, key }
  assert.ok(existsSync(archive))
}

/** Stores a small row at once. Returns the rows of that name. */
async function note(name: string): Promise<readonly string[]> {
  await send(client, 'POST', '/v2/webhooks', {
    data: {
      type: 'webhook',
      attributes: {
        url: `https://example.com/${encodeURIComponent(name)}`,
        active: false,
        events: ['tracking_request.succeeded'],
      },
    },
  })
  return (await names()).filter((each) => each === name)
}

async function names(): Promise<readonly string[]> {
  const { data: webhooks } = await get(client, '/v2/webhooks')
  return webhooks
    .map(({ attributes }) => decodeURIComponent(new URL(String(attributes['url'])).pathname.slice(1)))
    .toSorted()
}

/** A moment after everything stored before, and before everything stored later. */
async function databaseTime(): Promise<string> {
  const from = Date.now()
  const at = new Date(from + 5).toISOString()
  await eventually(() => Date.now() > from + 10, { everyMs: 1 })
  return at
}
