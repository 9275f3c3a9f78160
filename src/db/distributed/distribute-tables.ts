/**
 * Distributes the tables of an installation over the nodes of a Citus cluster: the rows of an account are on one node,
 * in all tables; tables that all accounts share are copied to every node; the other tables stay at the coordinator
 * (docs/decisions/0046, docs/many-machines.md).
 */

import pg from 'pg'
import { migrationLock } from '../migrate.ts'
import { listWorkers } from '../workers.ts'
import { hasCitus, isDistributed } from './is-distributed.ts'

/** Small tables that change seldom and are joined with what belongs to an account. */
const everywhere: readonly string[] = [
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
 * Tables with an account that are first searched by something else: a token, a channel, a message of a channel, a
 * number of the model, or the time at which an account is due. Tables of the last kind have one row for each account,
 * and workers lock the first due row of all.
 */
const atCoordinator: readonly string[] = [
  'alert_addresses',
  'alert_watches',
  'channel_turns',
  'hearings',
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

/** All others follow it: rows of one account in all of them are on one node. */
const first = 'shipments'

/** Places the tables that a migration has made. Does nothing where the database is not divided. */
export async function placeNewTables(connection: string): Promise<void> {
  const client = new pg.Client({ connectionString: connection, application_name: 'landfall distribute' })
  await client.connect()
  const isDivided = await isDistributed(client).finally(() => client.end())
  if (isDivided) await distributeTables(connection, { shards: 0 })
}

export interface DistributionResult {
  /** Tables that were copied to every node, and tables that were divided, now. */
  readonly everywhere: readonly string[]
  readonly byAccount: readonly string[]
  /** Foreign keys between tables of different kinds, which are impossible on many nodes. They were dropped. */
  readonly droppedKeys: readonly string[]
}

export interface DistributeOptions {
  /** The number of shards, which can never change. Only used the first time. */
  readonly shards: number
  /** Before a table is placed; `remaining`: how many tables are not placed yet, with this one. */
  readonly progress?: (table: string, remaining: number) => void
}

/**
 * `connection`: the URL of the coordinator, as the owner of the tables. Tables that are placed already stay where they
 * are, so it can be repeated, and places what a newer version has added. They are placed in one transaction, or
 * not at all. Throws a readable sentence where the cluster or the installation is not ready.
 */
export async function distributeTables(connection: string, of: DistributeOptions): Promise<DistributionResult> {
  const client = new pg.Client({ connectionString: connection, application_name: 'landfall distribute' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await requireReady(client)
    await client.query(`set statement_timeout = 0; begin; set local client_min_messages = error;
                        set local citus.multi_shard_modify_mode = 'sequential'; set local citus.enable_unsafe_triggers = on`)
    const done = await placeTables(client, of)
    await client.query('commit')
    await dropCopiedRows(client)
    const placed = [...done.everywhere, ...done.byAccount]
    if (placed.length > 0) await client.query(`analyze ${placed.join(', ')}`)
    return done
  } finally {
    await client.end()
  }
}

/**
 * Rows that were copied to the nodes still use disk space at the coordinator, where nothing reads them. A repetition
 * drops the rows that an earlier run did not reach.
 */
async function dropCopiedRows(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select logicalrelid::text as name from pg_dist_partition
      where (partmethod = 'h' or repmodel = 't') and pg_relation_size(logicalrelid) > 0`,
  )
  for (const { name } of rows) await client.query('select truncate_local_data_after_distributing_table($1)', [name])
}

async function requireReady(client: pg.Client): Promise<void> {
  if (!(await hasCitus(client)))
    throw new Error(
      'This database has no Citus. Install Citus on the coordinator and on each worker, and run `create extension citus` in this database on each of them; see docs/many-machines.md.',
    )
  const { rows } = await client.query<{ isCoordinatorKnown: boolean; workers: number }>(
    `select coalesce(bool_or(groupid = 0), false) as "isCoordinatorKnown",
            (count(*) filter (where groupid > 0 and noderole = 'primary' and isactive))::integer as workers
       from pg_dist_node`,
  )
  const [cluster] = rows
  if (cluster?.isCoordinatorKnown !== true)
    throw new Error(
      "The coordinator does not know under which name the workers reach it. Run `select citus_set_coordinator_host('<host>')` there.",
    )
  if (cluster.workers === 0)
    throw new Error(
      "The coordinator has no workers. Run `select citus_add_node('<host>', 5432)` there for each of them.",
    )
  // Later only new tables are placed, which processes of an older version do not use.
  if (await isDistributed(client)) return
  const running = (await listWorkers(client)).filter(({ isConnected }) => isConnected)
  if (running.length > 0)
    throw new Error(
      `Processes of Landfall use this database (${running.map(({ host, pid }) => `${host}, pid ${pid}`).join('; ')}). Stop them first: the tables are rewritten.`,
    )
}

interface ForeignKey {
  readonly from: string
  readonly to: string
  readonly name: string
  readonly definition: string
}

async function placeTables(
  client: pg.Client,
  { shards, progress = () => {} }: DistributeOptions,
): Promise<DistributionResult> {
  const tables = await listTables(client)
  const isEverywhere = (table: string): boolean => everywhere.includes(table)
  const byAccount = tables
    .filter(({ name, hasAccount }) => hasAccount && !isEverywhere(name) && !atCoordinator.includes(name))
    .map(({ name }) => name)
    .toSorted((a, b) => Number(b === first) - Number(a === first))
  const isByAccount = (table: string): boolean => byAccount.includes(table)
  const isPlaced = (table: string): boolean => tables.some(({ name, isPlaced: is }) => name === table && is)
  const copied = everywhere.filter((name) => !isPlaced(name))
  const divided = byAccount.filter((name) => !isPlaced(name))
  const isNew = (table: string): boolean => copied.includes(table) || divided.includes(table)
  const keys = (await listKeys(client)).filter(({ from, to }) => isNew(from) || isNew(to))
  // Where rows are copied to, triggers would run before the tables are there that they write to.
  const triggers = (await listTriggers(client)).filter(({ table }) => isNew(table))
  for (const { from, name } of keys) await client.query(`alter table ${from} drop constraint ${name}`)
  for (const { table, name } of triggers) await client.query(`drop trigger ${name} on ${table}`)
  let remaining = copied.length + divided.length
  for (const table of copied) {
    progress(table, remaining--)
    await client.query('select create_reference_table($1)', [table])
  }
  for (const table of divided) {
    progress(table, remaining--)
    await client.query(
      `select create_distributed_table($1, 'account_id', colocate_with => $2, shard_count => $3::integer)`,
      table === first ? [table, 'none', shards] : [table, first, null],
    )
  }
  const isRetained = ({ from, to }: ForeignKey): boolean =>
    isEverywhere(to)
      ? isByAccount(from) || isEverywhere(from)
      : isByAccount(from) === isByAccount(to) && !isEverywhere(from)
  for (const { from, name, definition } of keys.filter(isRetained))
    await client.query(`alter table ${from} add constraint ${name} ${definition}`)
  for (const { definition } of triggers) await client.query(definition)
  return {
    everywhere: copied,
    byAccount: divided,
    droppedKeys: keys.filter((key) => !isRetained(key)).map(({ from, to }) => `${from} → ${to}`),
  }
}

async function listTables(
  client: pg.Client,
): Promise<readonly { readonly name: string; readonly hasAccount: boolean; readonly isPlaced: boolean }[]> {
  const { rows } = await client.query(
    `select c.relname as name,
            exists (select from pg_attribute a
                     where a.attrelid = c.oid and a.attname = 'account_id' and a.attnotnull) as "hasAccount",
            exists (select from pg_dist_partition d
                     where d.logicalrelid = c.oid and (d.partmethod = 'h' or d.repmodel = 't')) as "isPlaced"
       from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      order by 1`,
  )
  return rows
}

async function listKeys(client: pg.Client): Promise<readonly ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as from, confrelid::regclass::text as to, conname as name,
            pg_get_constraintdef(oid) as definition
       from pg_constraint
      where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace order by 1, 3`,
  )
  return rows
}

interface Trigger {
  readonly table: string
  readonly name: string
  readonly definition: string
}

async function listTriggers(client: pg.Client): Promise<readonly Trigger[]> {
  const { rows } = await client.query<Trigger>(
    `select tgrelid::regclass::text as table, tgname as name, pg_get_triggerdef(oid) as definition
       from pg_trigger where not tgisinternal and tgparentid = 0 order by 1, 2`,
  )
  return rows
}
