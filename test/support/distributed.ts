// A database of its own on a Citus coordinator and its workers: what belongs to an account lies on one node, what all
// accounts share is copied to every node, and the rest stays at the coordinator.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrate } from '../../src/store/ground/migrate.ts'

/** Small tables that change seldom and are joined with what belongs to an account. */
const everywhere = [
  'accounts',
  'users',
  'memberships',
  'api_keys',
  'oauth_grants',
  'oauth_clients',
  'invitations',
  'share_links',
  'vessels',
]

/**
 * Tables with an account that are found by something else first: a token, a channel, a number of the model, or the time
 * at which an account is due. Of the last kind is one row for an account, and workers lock the first due one of all.
 */
const atCoordinator = [
  'alert_addresses',
  'alert_watches',
  'channel_turns',
  'idempotency_keys',
  'inference_outcomes',
  'ledger_root_marks',
  'mailboxes',
  'mendings',
  'rate_windows',
  'sessions',
  'unlabelled',
  'uploads',
  'wanted_requests',
]

export type DistributedDatabase = {
  readonly url: string
  readonly byAccount: readonly string[]
  /** Foreign keys that a distributed database cannot keep. */
  readonly lost: readonly string[]
  readonly close: () => Promise<void>
}

/** `coordinator`: the URL of a database of the coordinator that knows its workers. */
export async function openDistributedDatabase(coordinator: string): Promise<DistributedDatabase> {
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
      for (const worker of workers)
        await client.query('select citus_add_node($1, $2)', [worker.host, worker.port])
    })
    await migrate(url)
    return { url, ...(await withClient(url, distribute)), close }
  } catch (error) {
    await close()
    throw error
  }
}

interface ForeignKey {
  readonly from: string
  readonly to: string
  readonly name: string
  readonly definition: string
}

async function distribute(
  client: pg.Client,
): Promise<{ readonly byAccount: readonly string[]; readonly lost: readonly string[] }> {
  await client.query('set client_min_messages = error')
  await client.query('set citus.enable_unsafe_triggers = on')
  const { rows: tables } = await client.query<{ readonly name: string }>(
    `select c.relname as name from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and a.attnotnull
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      order by c.relname = 'shipments' desc, 1`,
  )
  const byAccount = tables
    .map(({ name }) => name)
    .filter((name) => !everywhere.includes(name) && !atCoordinator.includes(name))
  const { rows: keys } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as from, confrelid::regclass::text as to, conname as name,
            pg_get_constraintdef(oid) as definition
       from pg_constraint
      where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace order by 1, 3`,
  )
  for (const { from, name } of keys) await client.query(`alter table ${from} drop constraint ${name}`)
  for (const table of everywhere) await client.query('select create_reference_table($1)', [table])
  for (const table of byAccount)
    await client.query(
      `select create_distributed_table($1, 'account_id', colocate_with => $2, shard_count => case when $2 = 'none' then 8 end)`,
      [table, table === byAccount[0] ? 'none' : byAccount[0]],
    )
  const isKept = ({ from, to }: ForeignKey): boolean =>
    everywhere.includes(to)
      ? byAccount.includes(from) || everywhere.includes(from)
      : byAccount.includes(from) === byAccount.includes(to)
  for (const { from, name, definition } of keys.filter(isKept))
    await client.query(`alter table ${from} add constraint ${name} ${definition}`)
  return {
    byAccount,
    lost: keys.filter((key) => !isKept(key)).map(({ from, to }) => `${from} → ${to}`),
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
