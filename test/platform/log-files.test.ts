import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLog } from '../../src/platform/log.ts'
import { openLogFiles } from '../../src/platform/log-files.ts'
import { eventually } from '../support/eventually.ts'

function makeFolder(t: { after: (undo: () => void) => void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-log-'))
  t.after(() => {
    chmodSync(folder, 0o700)
    rmSync(folder, { recursive: true })
  })
  return folder
}

/** The numbers of the lines in the files, the oldest file first. */
function portsIn(folder: string): readonly number[] {
  const names = readdirSync(folder).toSorted((a, b) => Number(b.split('.')[2] ?? 0) - Number(a.split('.')[2] ?? 0))
  return names.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { readonly port: number }).port),
  )
}

test('starts a new log file when one is full; every line is complete, in one file, in order', async (t) => {
  const folder = makeFolder(t)
  const path = join(folder, 'landfall.log')
  const log = createLog({ level: 'info', destination: openLogFiles({ path, bytesMax: 2_000, retained: 50 }) })
  const wanted = Array.from({ length: 300 }, (_, port) => port)
  for (const port of wanted) log.info('server.started', { port })
  await eventually(() => portsIn(folder).length === wanted.length)
  assert.deepEqual(portsIn(folder), wanted)
  const names = readdirSync(folder)
  assert.ok(names.length > 10, names.join())
  for (const name of names) {
    assert.ok(statSync(join(folder, name)).size <= 2_000, name)
    assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600)
  }
})

test('keeps only the configured number of files, and these are the newest', async (t) => {
  const folder = makeFolder(t)
  const path = join(folder, 'landfall.log')
  const log = createLog({ level: 'info', destination: openLogFiles({ path, bytesMax: 1_000, retained: 2 }) })
  for (let port = 0; port < 200; port += 1) log.info('server.started', { port })
  // Each file is written by a stream of its own, so the lines of an older one may come after those of the newest.
  await eventually(() => {
    const ports = existsSync(path) ? portsIn(folder) : []
    return ports.length > 3 && ports.every((port, index) => port === 200 - ports.length + index)
  })
  assert.deepEqual(readdirSync(folder).toSorted(), ['landfall.log', 'landfall.log.1', 'landfall.log.2'])
})

test('continues an existing log file, and counts its old lines towards the size limit', async (t) => {
  const folder = makeFolder(t)
  const path = join(folder, 'landfall.log')
  writeFileSync(path, `${'x'.repeat(900)}\n`)
  const log = createLog({ level: 'info', destination: openLogFiles({ path, bytesMax: 1_000, retained: 1 }) })
  for (const port of [1, 2]) log.info('server.started', { port })
  await eventually(() => existsSync(`${path}.1`) && existsSync(path) && readFileSync(path, 'utf8').includes('"port":2'))
  assert.match(readFileSync(`${path}.1`, 'utf8'), /^x{900}\n/)
})
