// The private cluster as it is in use: durable, unlike the throwaway one of the test run. Each test starts its own.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { readConfig } from '../../src/platform/config.ts'
import { type Cluster, startCluster, stopAbandonedCluster } from '../../src/platform/postgres-cluster.ts'

const { pgBin, pgSource: source } = readConfig(process.env).data

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-cluster-'))
  chmodSync(folder, 0o711)
  t.after(async () => {
    await stopAbandonedCluster(folder).catch(() => {})
    const pointer = join(folder, 'postgres-location')
    if (existsSync(pointer)) rmSync(readFileSync(pointer, 'utf8').trim(), { recursive: true })
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

async function ask(cluster: Cluster, sql: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: cluster.url })
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

function readPid(cluster: Cluster): number {
  return Number.parseInt(readFileSync(join(cluster.folder, 'pgdata', 'postmaster.pid'), 'utf8'), 10)
}

test('the local PostgreSQL keeps its data with checksums, and no network or other user can reach it', async (t) => {
  const dataDir = makeFolder(t)
  const first = await startCluster({ dataDir, pgBin, source })
  await ask(first, 'create table kept as select 7 as n')
  for (const [setting, value] of [
    ['listen_addresses', ''],
    ['fsync', 'on'],
    ['synchronous_commit', 'on'],
    ['full_page_writes', 'on'],
    ['data_checksums', 'on'],
    ['server_encoding', 'UTF8'],
    ['timezone', 'UTC'],
  ]) {
    assert.deepEqual(await ask(first, `show ${setting}`), [[value]], setting)
  }
  assert.equal(statSync(first.folder).mode & 0o777, 0o700)
  assert.equal(statSync(first.connection.host).mode & 0o777, 0o700)
  await first.stop()
  assert.equal(existsSync(join(first.folder, 'pgdata', 'postmaster.pid')), false)
  const second = await startCluster({ dataDir, pgBin, source })
  assert.deepEqual(await ask(second, 'select n from kept'), [[7]])
  await second.stop()
})

test('processes with one data folder share one server, and the last of them stops it', async (t) => {
  const dataDir = makeFolder(t)
  const [first, second] = await Promise.all([
    startCluster({ dataDir, pgBin, source }),
    startCluster({ dataDir, pgBin, source }),
  ])
  const pid = readPid(first)
  await first.stop()
  assert.equal(readPid(second), pid)
  assert.deepEqual(await ask(second, 'select 1'), [[1]])
  await second.stop()
  assert.throws(() => readPid(second), /ENOENT/)
})

test('two data folders have two servers, on the same port', async (t) => {
  const one = await startCluster({ dataDir: makeFolder(t), pgBin, source, port: 5999 })
  const two = await startCluster({ dataDir: makeFolder(t), pgBin, source, port: 5999 })
  await ask(one, 'create table only_here (i int)')
  assert.deepEqual(await ask(two, `select to_regclass('only_here')`), [[null]])
  await Promise.all([one.stop(), two.stop()])
})

test('committed data survives the killing of the server', async (t) => {
  const dataDir = makeFolder(t)
  const first = await startCluster({ dataDir, pgBin, source })
  await ask(first, 'create table kept as select generate_series(1, 1000) as n')
  process.kill(readPid(first), 'SIGKILL')
  const second = await startCluster({ dataDir, pgBin, source })
  assert.deepEqual(await ask(second, 'select count(*)::int from kept'), [[1000]])
  await second.stop()
  await first.stop() // stopping what is gone already is no error
})

test('a killed process leaves its server running, and the next start joins it and can stop it', async (t) => {
  const dataDir = makeFolder(t)
  const module = new URL('../../src/platform/postgres-cluster.ts', import.meta.url).href
  const options = JSON.stringify({ dataDir, pgBin, source })
  const killed = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { startCluster } = await import('${module}'); await startCluster(${options}); process.kill(process.pid, 'SIGKILL')`,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  assert.equal(killed.signal, 'SIGKILL')
  const pid = Number.parseInt(readFileSync(join(readHome(dataDir), 'pgdata', 'postmaster.pid'), 'utf8'), 10)
  const next = await startCluster({ dataDir, pgBin, source })
  assert.equal(readPid(next), pid)
  await next.stop()
  assert.throws(() => readPid(next), /ENOENT/)
})

test('starts despite a stale lock file and a data folder that was not completed', async (t) => {
  const dataDir = makeFolder(t)
  const first = await startCluster({ dataDir, pgBin, source })
  const pidFile = join(first.folder, 'pgdata', 'postmaster.pid')
  const lines = readFileSync(pidFile, 'utf8').split('\n')
  await first.stop()
  writeFileSync(pidFile, [String(process.pid), ...lines.slice(1)].join('\n'))
  mkdirSync(join(first.folder, 'pgdata.making'))
  const second = await startCluster({ dataDir, pgBin, source })
  assert.deepEqual(await ask(second, 'select 1'), [[1]])
  await second.stop()
})

test('works in a data folder with a path longer than a socket path may be', async (t) => {
  const dataDir = join(makeFolder(t), 'a'.repeat(60), 'b'.repeat(60))
  const cluster = await startCluster({ dataDir, pgBin, source })
  assert.deepEqual(await ask(cluster, 'select 1'), [[1]])
  await cluster.stop()
  rmSync(cluster.connection.host, { recursive: true, force: true })
})

test('refuses a data folder of a PostgreSQL version that is not installed', async (t) => {
  const dataDir = makeFolder(t)
  const first = await startCluster({ dataDir, pgBin, source })
  await first.stop()
  writeFileSync(join(first.folder, 'pgdata', 'PG_VERSION'), '11\n')
  await assert.rejects(startCluster({ dataDir, pgBin, source }), /made by PostgreSQL 11, .* set PG_BIN/)
})

test('uses another folder, and finds it again, when only root may enter the data folder', {
  skip: process.getuid?.() === 0 ? false : 'only root can start where others may not enter',
}, async (t) => {
  const folder = makeFolder(t)
  chmodSync(folder, 0o700)
  const first = await startCluster({ dataDir: folder, pgBin, source })
  assert.equal(first.folder, readHome(folder))
  assert.match(first.folder, /^\/var\/lib\/landfall\/[0-9a-f]{12}$/)
  await ask(first, 'create table kept as select 7 as n')
  await first.stop()
  const second = await startCluster({ dataDir: folder, pgBin, source })
  assert.deepEqual(await ask(second, 'select n from kept'), [[7]])
  if (existsSync('/proc/self')) assert.notEqual(statSync(`/proc/${readPid(second)}`).uid, 0)
  await second.stop()
  const copy = makeFolder(t)
  chmodSync(copy, 0o700)
  cpSync(folder, copy, { recursive: true })
  const other = await startCluster({ dataDir: copy, pgBin, source })
  assert.notEqual(other.folder, first.folder, 'a copy of the data folder gets a cluster of its own')
  await other.stop()
})

function readHome(dataDir: string): string {
  const pointer = join(dataDir, 'postgres-location')
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : join(dataDir, 'postgres')
}
