/**
 * `node tools/run.mjs tools/citus.ts [--pg-bin <folder>]`: a Citus coordinator with two workers on this machine, in a
 * folder of their own that goes when the command ends. For tests: they take the URL that it prints.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { findPostgresBinaries } from '../src/platform/postgres-binaries.ts'
import { startCluster } from '../src/platform/postgres-cluster.ts'
import { openPostgresHome } from '../src/platform/postgres-home.ts'
import { buildSpawnOptions } from '../src/platform/postmaster.ts'

const { values } = parseArgs({ options: { 'pg-bin': { type: 'string' }, help: { type: 'boolean' } } })
if (values.help) {
  console.log(`Usage: node tools/run.mjs tools/citus.ts [--pg-bin <folder>]

Starts three PostgreSQL servers with Citus on loopback: a coordinator and two workers. It prints the coordinator's URL for
LANDFALL_TEST_CITUS_URL and ends with Ctrl-C. --pg-bin names the folder with the programs of a PostgreSQL into which
Citus was installed; without it, the PostgreSQL of this machine is taken.`)
  process.exit(0)
}
/** How long a server that was killed stays away. */
const downMs = 3_000
const pgBin = values['pg-bin'] ?? null

interface Node {
  readonly url: string
  readonly port: number
  server: ChildProcess
}

const nodes: Node[] = []
const folders: string[] = []
let isEnding = false
process.on('SIGINT', () => void end(0))
process.on('SIGTERM', () => void end(0))
try {
  for (let count = 0; count < 3; count += 1) nodes.push(await startNode())
  const [coordinator, ...workers] = nodes
  if (coordinator === undefined) throw new Error('There is no coordinator.')
  const client = new pg.Client({ connectionString: coordinator.url })
  await client.connect()
  await client.query(`select citus_set_coordinator_host('127.0.0.1', $1)`, [coordinator.port])
  for (const { port } of workers) await client.query(`select citus_add_node('127.0.0.1', $1)`, [port])
  const { rows } = await client.query<{ version: string }>('select citus_version() as version')
  await client.end()
  console.log(`${rows[0]?.version}\nLANDFALL_TEST_CITUS_URL=${coordinator.url}\nCtrl-C ends the servers.`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  await end(1)
}

async function startNode(): Promise<Node> {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-citus-'))
  folders.push(folder)
  const made = await startCluster({ dataDir: folder, throwaway: true, pgBin })
  await made.stop()
  const home = openPostgresHome(folder)
  folders.push(home.folder)
  const binaries = findPostgresBinaries({
    pgBin,
    source: 'any',
    major: null,
    owner: home.owner,
    copyTo: home.copyBinariesTo,
  })
  const port = await freePort()
  const settings = {
    shared_preload_libraries: 'citus',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    timezone: 'UTC',
    fsync: 'off',
    max_connections: '200',
    max_prepared_transactions: '400',
    'citus.shard_count': '8',
    'citus.node_conninfo': 'sslmode=prefer',
    // Each database of a test has a process that looks after it.
    max_worker_processes: '64',
  }
  appendFileSync(
    join(home.pgData, 'postgresql.conf'),
    Object.entries(settings)
      .map(([name, value]) => `${name} = '${value}'\n`)
      .join(''),
  )
  const url = `postgresql://landfall@127.0.0.1:${port}/landfall`
  let said = ''
  const start = (): ChildProcess => {
    const server = spawn(join(binaries.bin, 'postgres'), ['-D', home.pgData], {
      ...buildSpawnOptions(home),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    server.stderr?.on('data', (bytes: Buffer) => {
      said = (said + bytes.toString()).slice(-2_000)
    })
    server.once('exit', (_, signal) => void goOn(signal))
    return server
  }
  // What was killed, as a test does, is started again; what has ended by itself ends all.
  const goOn = async (signal: NodeJS.Signals | null): Promise<void> => {
    if (isEnding) return
    if (signal !== 'SIGKILL') {
      console.error(`A server has ended. Its log ends:\n${said}`)
      return end(1)
    }
    console.error(`The server on port ${port} was killed. It is started again.`)
    await pause(downMs)
    if (!isEnding) node.server = start()
  }
  const node: Node = { url, port, server: start() }
  await untilReady(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create extension citus')
  await client.end()
  return node
}

async function untilReady(url: string): Promise<void> {
  for (const until = Date.now() + 30_000; ; ) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (isEnding || Date.now() > until) throw error
      await pause(100)
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}

async function end(code: number): Promise<void> {
  if (isEnding) return
  isEnding = true
  for (const { server } of nodes.toReversed()) {
    if (server.exitCode !== null) continue
    server.kill('SIGINT') // ends sessions, then the server
    await once(server, 'exit')
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  process.exit(code)
}
