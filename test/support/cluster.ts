// One throwaway PostgreSQL cluster for a test run, with one migrated template database that each test file clones: a
// clone costs some 50 ms, migrating again far more. LANDFALL_TEST_DATABASE_URL names a server to use instead.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../src/db/migrate.ts'
import { readConfig } from '../../src/platform/config.ts'
import { type Cluster, startCluster } from '../../src/platform/postgres-cluster.ts'
import { findRun, nameFolder, sweepDeadRuns } from '../../tools/test/run-of-tests.ts'

export type TestServer = {
  /** The URL of a database from which others can be made. */
  readonly adminUrl: string
  readonly template: string
  /** The process of the server; null when it is not started here. */
  readonly pid: number | null
  readonly version: string
  readonly applied: number
  readonly stop: () => Promise<void>
}

export async function startTestServer(env: NodeJS.ProcessEnv, log?: (sentence: string) => void): Promise<TestServer> {
  const given = env['LANDFALL_TEST_DATABASE_URL'] ?? ''
  if (given !== '') return prepare(given, { pid: null, version: 'a server of your own' }, async () => {})
  if (findRun() === null) await sweepDeadRuns()
  // If this machine refuses to run programs from the folder in memory (PostgreSQL's programs are copied there for
  // another user), the cluster lies on disk.
  const inMemory = hasRoomInMemory() ? await startIn(memory, env, log).catch(() => null) : null
  const { folder, cluster } = inMemory ?? (await startIn(tmpdir(), env, log))
  const version = `${cluster.binaries.version} (${cluster.binaries.from})`
  const pid = Number.parseInt(readFileSync(join(cluster.folder, 'pgdata/postmaster.pid'), 'utf8'), 10)
  return prepare(cluster.url, { pid, version }, async () => {
    await cluster.stop()
    for (const each of [folder, cluster.folder]) rmSync(each, { recursive: true, force: true })
  })
}

// A clone is 12 MB to write and to delete, hundreds of times.
const memory = '/dev/shm'
const roomBytesMin = 6 * 2 ** 30

function hasRoomInMemory(): boolean {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, freemem()) > roomBytesMin
}

async function startIn(
  parent: string,
  env: NodeJS.ProcessEnv,
  log?: (sentence: string) => void,
): Promise<{ readonly folder: string; readonly cluster: Cluster }> {
  const { data: config } = readConfig(env)
  const folder = mkdtempSync(join(parent, nameFolder()))
  chmodSync(folder, 0o711) // started by root, the cluster belongs to another user, who must get through
  try {
    const cluster = await startCluster({
      dataDir: folder,
      throwaway: true,
      pgBin: config.pgBin,
      source: config.pgSource,
      ...(log === undefined ? {} : { log }),
    })
    return { folder, cluster }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** Makes a database that is a copy of another, to which nobody may be connected. */
export async function cloneDatabase(adminUrl: string, name: string, template: string): Promise<void> {
  await withAdmin(adminUrl, async (client) => {
    const { rows } = await client.query<{ readonly version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )
    // Copying the files takes half of the processor time of writing the copy to the log, which 15 and newer would do.
    const strategy = (rows[0]?.version ?? 0) >= 150_000 ? 'strategy file_copy' : ''
    await client.query(`create database ${name} template ${template} ${strategy}`)
  })
}

/** The URL of another database on the same server. */
export function urlOf(adminUrl: string, database: string): string {
  return adminUrl.replace(/\/[^/?]*(\?.*)?$/, (_, query: string | undefined) => `/${database}${query ?? ''}`)
}

/** One connection to any database, closed afterwards: nothing stays connected to what may be cloned or dropped next. */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

// Connections are used again: opening one costs as much of the processor as a fifth of a clone.
const admins = new Map<string, pg.Pool>()

export async function withAdmin<T>(adminUrl: string, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await adminsOf(adminUrl).connect()
  try {
    const result = await work(client)
    client.release()
    return result
  } catch (error) {
    client.release(true) // with all that the session holds
    throw error
  }
}

function adminsOf(adminUrl: string): pg.Pool {
  const open = admins.get(adminUrl)
  if (open !== undefined) return open
  const pool = new pg.Pool({ connectionString: adminUrl, max: 10, allowExitOnIdle: true })
  pool.on('error', () => {}) // the server was stopped; the next use opens another connection
  admins.set(adminUrl, pool)
  return pool
}

async function prepare(
  adminUrl: string,
  { pid, version }: Pick<TestServer, 'pid' | 'version'>,
  close: () => Promise<void>,
): Promise<TestServer> {
  const template = `landfall_template_${process.pid}_${Date.now().toString(36)}`
  // With it go the templates that the tests have made of it.
  const drop = () =>
    withAdmin(adminUrl, async (client) => {
      const { rows } = await client.query<{ readonly name: string }>(
        'select datname as name from pg_database where starts_with(datname, $1)',
        [template],
      )
      for (const { name } of rows) await client.query(`drop database ${name} with (force)`)
    })
  const stop = async () => {
    await drop()
    await close()
  }
  try {
    await withAdmin(adminUrl, (client) => client.query(`create database ${template}`))
    const { applied } = await migrate(urlOf(adminUrl, template))
    return { adminUrl, template, pid, version, applied, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
