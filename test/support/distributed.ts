// A database of its own on a Citus coordinator and its workers, alone or divided by account.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { distributeTables } from '../../src/db/distributed/distribute-tables.ts'
import { migrate } from '../../src/db/migrate.ts'

export type ClusterDatabase = {
  readonly url: string
  readonly close: () => Promise<void>
}

/** `fill`: what is in the tables before they are divided. */
export async function openDistributedDatabase(
  coordinator: string,
  fill?: (url: string) => Promise<void>,
): Promise<ClusterDatabase> {
  const database = await openClusterDatabase(coordinator)
  try {
    await fill?.(database.url)
    await distributeTables(database.url, { shards: 8 })
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * Migrated, and not divided yet. `coordinator`: the URL of a database of the coordinator that knows its workers.
 * `knowsWorkers`: whether this database knows them too.
 */
export async function openClusterDatabase(coordinator: string, { knowsWorkers = true } = {}): Promise<ClusterDatabase> {
  const name = `landfall_test_${process.pid}_${randomBytes(5).toString('hex')}`
  const workers = await withClient(coordinator, async (client) => {
    const { rows } = await client.query<{ readonly host: string; readonly port: number }>(
      `select nodename as host, nodeport as port from pg_dist_node where groupid > 0 order by 2`,
    )
    return rows
  })
  const at = (host: string, port: number): string => {
    const url = new URL(coordinator)
    url.hostname = host
    url.port = String(port)
    return url.href
  }
  const nodes = [coordinator, ...workers.map(({ host, port }) => at(host, port))]
  for (const node of nodes) {
    await withClient(node, (client) => client.query(`create database ${name}`))
    await withClient(databaseOf(node, name), (client) => client.query('create extension citus'))
  }
  const url = databaseOf(coordinator, name)
  const close = async (): Promise<void> => {
    for (const node of nodes)
      await withClient(node, (client) => client.query(`drop database if exists ${name} with (force)`))
  }
  try {
    await withClient(url, async (client) => {
      const { hostname, port } = new URL(coordinator)
      await client.query('select citus_set_coordinator_host($1, $2)', [hostname, Number(port)])
      for (const worker of knowsWorkers ? workers : [])
        await client.query('select citus_add_node($1, $2)', [worker.host, worker.port])
    })
    await migrate(url)
    return { url, close }
  } catch (error) {
    await close()
    throw error
  }
}

function databaseOf(node: string, name: string): string {
  const url = new URL(node)
  url.pathname = `/${name}`
  return url.href
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
