// The private cluster when it fails while in use: it is started again, and the log states what happened.
import assert from 'node:assert/strict'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { readConfig } from '../../src/platform/config.ts'
import { createLog } from '../../src/platform/log.ts'
import { createOperatorIssues, type OperatorIssues } from '../../src/platform/operator-issues.ts'
import { findPostgresBinaries } from '../../src/platform/postgres-binaries.ts'
import { type Cluster, startCluster, stopAbandonedCluster } from '../../src/platform/postgres-cluster.ts'
import { isProcessAlive } from '../../src/platform/process-holds.ts'
import { eventually } from '../support/eventually.ts'

const { pgBin, pgSource: source } = readConfig(process.env).data

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-watch-'))
  chmodSync(folder, 0o711)
  t.after(async () => {
    for (const cluster of opened.get(folder) ?? []) await cluster.stop()
    await stopAbandonedCluster(folder).catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

const opened = new Map<string, Cluster[]>()

type Line = Readonly<Record<string, unknown>>

function hear(): { readonly troubles: OperatorIssues; readonly lines: () => readonly Line[] } {
  const texts: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line: string) => void texts.push(line) } })
  return {
    troubles: createOperatorIssues({ log, installation: { database: 'private', dataFolder: '/data' } }),
    lines: () => texts.map((text) => JSON.parse(text) as Line),
  }
}

async function open(
  dataDir: string,
  watch: OperatorIssues,
  options: { readonly port?: number; readonly bin?: string; readonly isDurable?: true } = {},
): Promise<Cluster> {
  const { port = 5432, bin = pgBin, isDurable = false } = options
  const cluster = await startCluster({ dataDir, pgBin: bin, source, port, throwaway: !isDurable, watch })
  opened.set(dataDir, [...(opened.get(dataDir) ?? []), cluster])
  return cluster
}

async function ask(cluster: Cluster, sql: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: cluster.url })
  // A killed server also causes an event.
  client.on('error', () => {})
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

const until = <T>(find: () => T | null | undefined | false, what: string): Promise<T> =>
  eventually(() => find() ?? null, { late: () => `${what}: never` })

const began = (lines: readonly Line[], cause: string): Line | undefined =>
  lines.find((line) => line['event'] === 'trouble.began' && line['cause'] === cause)
const over = (lines: readonly Line[], cause: string): Line | undefined =>
  lines.find((line) => line['event'] === 'trouble.over' && line['cause'] === cause)

test('restarts a killed server with all committed data, and logs it once', async (t) => {
  const { troubles, lines } = hear()
  const cluster = await open(makeFolder(t), troubles, { isDurable: true })
  await ask(cluster, 'create table kept as select 7 as n')
  const killed = readPid(cluster)
  process.kill(killed, 'SIGKILL')
  const started = await until(() => lines().find(({ event }) => event === 'database.started'), 'started again')
  assert.equal(started['by'], 'this process')
  assert.notEqual(readPid(cluster), killed)
  assert.deepEqual(await ask(cluster, 'select n from kept'), [[7]])
  const told = began(lines(), 'database_ended')
  assert.match(String(told?.['reason']), /postgres\.log\) gives no reason, so it was killed/)
  assert.equal(told?.['level'], 'error')
  assert.ok(over(lines(), 'database_ended'))
  assert.equal(lines().filter(({ event }) => event === 'trouble.began').length, 1)
  await cluster.stop()
  assert.throws(() => readPid(cluster), /ENOENT/)
})

test('restarts a server that was stopped from outside, and logs the end of the server log', async (t) => {
  const { troubles, lines } = hear()
  const cluster = await open(makeFolder(t), troubles)
  process.kill(readPid(cluster), 'SIGQUIT')
  await until(() => lines().find(({ event }) => event === 'database.started'), 'started again')
  assert.match(String(began(lines(), 'database_ended')?.['reason']), /received immediate shutdown request/)
  await cluster.stop()
})

test('does not restart a server that the program itself stops', async (t) => {
  const { troubles, lines } = hear()
  const cluster = await open(makeFolder(t), troubles)
  process.kill(readPid(cluster), 'SIGKILL')
  await cluster.stop()
  await pause(1_500)
  assert.deepEqual(
    lines().filter(({ event }) => event === 'database.started'),
    [],
  )
  const other = hear()
  const again = await open(makeFolder(t), other.troubles)
  const pid = readPid(again)
  await again.stop()
  await pause(1_500)
  assert.equal(isProcessAlive(pid), false)
  assert.deepEqual(other.lines(), [], 'an ordered end is no news')
})

test('when two processes share a killed server, one restarts it and both can use it again', async (t) => {
  const dataDir = makeFolder(t)
  const one = hear()
  const two = hear()
  const first = await open(dataDir, one.troubles)
  const second = await open(dataDir, two.troubles, { port: 5999 })
  process.kill(readPid(first), 'SIGKILL')
  const by = await Promise.all(
    [one, two].map(async ({ lines }) => {
      const line = await until(() => lines().find(({ event }) => event === 'database.started'), 'started')
      return line['by']
    }),
  )
  assert.deepEqual(by.toSorted(), ['another process', 'this process'])
  assert.deepEqual(await ask(first, 'select 1'), [[1]])
  assert.deepEqual(await ask(second, 'select 1'), [[1]])
  await first.stop()
  assert.deepEqual(await ask(second, 'select 1'), [[1]])
  await second.stop()
  assert.throws(() => readPid(second), /ENOENT/)
})

test('retries a server that cannot be started until it starts, and logs the reason', async (t) => {
  const { troubles, lines } = hear()
  const cluster = await open(makeFolder(t), troubles)
  const settings = join(cluster.folder, 'pgdata', 'postgresql.auto.conf')
  const good = readFileSync(settings)
  writeFileSync(settings, `${good.toString()}no_such_setting = 1\n`)
  process.kill(readPid(cluster), 'SIGKILL')
  const told = await until(() => began(lines(), 'database_not_started'), 'the reason')
  assert.match(String(told['reason']), /no_such_setting/)
  assert.ok(String(told['remedy']).length > 20)
  writeFileSync(settings, good)
  await until(() => over(lines(), 'database_not_started'), 'over')
  assert.deepEqual(await ask(cluster, 'select 1'), [[1]])
  assert.ok(lines().length < 10, 'a line for each try would bury the reason')
  await cluster.stop()
})

test('reports a killed process of the server, although the server recovers by itself', async (t) => {
  const { troubles, lines } = hear()
  const cluster = await open(makeFolder(t), troubles)
  const client = new pg.Client({ connectionString: cluster.url })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL')
  const told = await until(() => began(lines(), 'database_crashed'), 'the crash')
  assert.match(String(told['reason']), /was terminated by signal 9/)
  await client.end().catch(() => {})
  await cluster.stop()
})

test('reports that the data folder was moved away', async (t) => {
  const { troubles, lines } = hear()
  const cluster = await open(makeFolder(t), troubles)
  const pid = readPid(cluster)
  const data = join(cluster.folder, 'pgdata')
  renameSync(data, `${data}.aside`)
  const told = await until(() => began(lines(), 'database_replaced'), 'missed')
  assert.match(String(told['reason']), /pgdata is gone\. The server still uses the old data/)
  assert.equal(existsSync(data), false, 'no new database is made in its place')
  renameSync(`${data}.aside`, data)
  await until(() => over(lines(), 'database_replaced'), 'back')
  assert.deepEqual(await ask(cluster, 'select 1'), [[1]])
  renameSync(data, `${data}.aside`)
  await cluster.stop()
  assert.equal(isProcessAlive(pid), false)
})

test('reports that the data folder contains another database, and does not serve that database', async (t) => {
  const { troubles, lines } = hear()
  const other = await open(makeFolder(t), hear().troubles)
  await other.stop()
  const cluster = await open(makeFolder(t), troubles)
  const data = join(cluster.folder, 'pgdata')
  renameSync(data, `${data}.aside`)
  process.kill(Number.parseInt(readFileSync(join(`${data}.aside`, 'postmaster.pid'), 'utf8'), 10), 'SIGKILL')
  cpSync(join(other.folder, 'pgdata'), data, { recursive: true })
  await until(
    () => lines().some(({ reason }) => /holds another database now/.test(String(reason))),
    'the other database',
  )
  await pause(1_500)
  await assert.rejects(ask(cluster, 'select 1'), 'nothing is served from it')
  await cluster.stop()
})

test('reports programs of another version in place of the running ones, and the server continues', async (t) => {
  const folder = makeFolder(t)
  const real = findPostgresBinaries({
    pgBin,
    source,
    major: null,
    owner: null,
    copyTo: join(folder, 'copies'),
  })
  const bin = join(folder, 'bin')
  mkdirSync(bin, { mode: 0o755 })
  for (const name of ['postgres', 'initdb'])
    writeFileSync(join(bin, name), `#!/bin/sh\nexec '${join(real.bin, name)}' "$@"\n`, { mode: 0o755 })
  const { troubles, lines } = hear()
  const cluster = await open(folder, troubles, { bin })
  assert.equal(cluster.binaries.from, 'PG_BIN')
  writeFileSync(join(bin, 'postgres'), '#!/bin/sh\necho "postgres (PostgreSQL) 99.1"\n', { mode: 0o755 })
  const told = await until(() => began(lines(), 'database_programs_replaced'), 'the programs')
  assert.match(String(told['reason']), new RegExp(`holds PostgreSQL 99\\.1 now; .* runs is ${real.version}`))
  assert.equal(told['level'], 'warn')
  assert.deepEqual(await ask(cluster, 'select 1'), [[1]])
  await cluster.stop()
})
