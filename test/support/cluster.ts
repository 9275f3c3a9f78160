// One throwaway PostgreSQL cluster for a test run, with one migrated template database that each test file clones: a
// clone costs some 50 ms, migrating again far more. LANDFALL_TEST_DATABASE_URL names a server to use instead.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { readConfig } from '../../src/platform/config.ts'
import { startCluster, stopAbandonedCluster } from '../../src/platform/postgres-cluster.ts'
import { isProcessAlive } from '../../src/platform/process-holds.ts'
import { migrate } from '../../src/store/ground/migrate.ts'

export type TestServer = {
  /** The URL of a database from which others can be made. */
  readonly adminUrl: string
  readonly template: string
  readonly version: string
  readonly applied: number
  readonly stop: () => Promise<void>
}

export async function startTestServer(
  env: NodeJS.ProcessEnv,
  log?: (sentence: string) => void,
): Promise<TestServer> {
  const given = env['LANDFALL_TEST_DATABASE_URL'] ?? ''
  if (given !== '') return prepare(given, 'a server of your own', async () => {})
  const { data: config } = readConfig(env)
  await sweepAbandoned()
  const folder = mkdtempSync(join(tmpdir(), `landfall-test-${process.pid}-`))
  chmodSync(folder, 0o711) // When root starts the cluster, it runs as another user, who must be able to enter the folder.
  const cluster = await startCluster({
    dataDir: folder,
    throwaway: true,
    pgBin: config.pgBin,
    source: config.pgSource,
    ...(log === undefined ? {} : { log }),
  })
  return prepare(cluster.url, `${cluster.binaries.version} (${cluster.binaries.from})`, async () => {
    await cluster.stop()
    for (const each of [folder, cluster.folder]) rmSync(each, { recursive: true, force: true })
  })
}

/** The URL of another database on the same server. */
export function urlOf(adminUrl: string, database: string): string {
  return adminUrl.replace(/\/[^/?]*(\?.*)?$/, (_, query: string | undefined) => `/${database}${query ?? ''}`)
}

export async function withAdmin<T>(adminUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function prepare(adminUrl: string, version: string, close: () => Promise<void>): Promise<TestServer> {
  const template = `landfall_template_${process.pid}_${Date.now().toString(36)}`
  const drop = () =>
    withAdmin(adminUrl, (client) => client.query(`drop database if exists ${template} with (force)`))
  const stop = async () => {
    await drop()
    await close()
  }
  try {
    await withAdmin(adminUrl, (client) => client.query(`create database ${template}`))
    const { applied } = await migrate(urlOf(adminUrl, template))
    return { adminUrl, template, version, applied, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

// A run that was killed leaves its cluster running; the next run ends that cluster. The folder's name says which
// process made it.
async function sweepAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(/^landfall-test-(\d+)-/.exec(name)?.[1] ?? 0)
    const folder = join(tmpdir(), name)
    if (
      pid === 0 ||
      isProcessAlive(pid) ||
      statSync(folder, { throwIfNoEntry: false })?.uid !== process.getuid?.()
    )
      continue
    await stopAbandonedCluster(folder).catch(() => {}) // Another run may be removing it at the same time.
    rmSync(folder, { recursive: true, force: true })
  }
}
