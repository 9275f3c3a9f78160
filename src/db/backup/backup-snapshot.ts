/**
 * Everything that a backup copies from the database, as of one moment: one REPEATABLE READ transaction, which reads
 * while others write. The tables are locked only against changes of their structure, as `pg_dump` does. In a
 * distributed database every node begins that transaction at the same moment.
 */

import type { Readable } from 'node:stream'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { isDistributed } from '../distributed/is-distributed.ts'
import { readSetting } from '../settings.ts'
import { beginOnEveryNode } from './begin-on-every-node.ts'

export interface BackedTable {
  readonly name: string
  /** Without generated ones, which PostgreSQL computes again. */
  readonly columns: readonly string[]
  readonly isPartitioned: boolean
  /** What the planner believes; for the progress alone. */
  readonly rowsExpected: number
  readonly bytesExpected: number
}

/** A table of one day or month, which the program has made by itself. */
export interface BackedPartition {
  readonly name: string
  readonly parent: string
  /** `FOR VALUES FROM ('…') TO ('…')`, with MINVALUE in place of the first time, or DEFAULT. */
  readonly bound: string
  /** What comes late to it is condensed at once (migration 0058). */
  readonly isClosed: boolean
}

export interface BackedSequence {
  readonly name: string
  readonly last: string
}

export interface BackedMigration {
  readonly name: string
  readonly sha256: string
}

export interface Snapshot {
  readonly takenAt: string
  readonly migrations: readonly BackedMigration[]
  readonly tables: readonly BackedTable[]
  readonly partitions: readonly BackedPartition[]
  readonly sequences: readonly BackedSequence[]
  /** A row of `settings`. */
  readonly setting: <Value>(name: string) => Promise<Value | null>
  /** The rows of a table in PostgreSQL's text format of COPY, a line for each. */
  readonly copyOut: (table: BackedTable) => Readable
  readonly close: () => Promise<void>
}

/** What the migrating program writes by itself when it makes the tables again. */
const notBacked = ['migrations']
const triesMax = 5

/** `connection` is a URL. Its role needs to read the tables only. Null: the database has no tables of Landfall. */
export async function openSnapshot(connection: string): Promise<Snapshot | null> {
  const client = new pg.Client({ connectionString: connection, application_name: 'landfall backup' })
  await client.connect()
  // A lost connection fails the statement that is under way.
  client.on('error', () => {})
  try {
    await client.query(
      `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set statement_timeout = 0;
       set idle_in_transaction_session_timeout = 0; set lock_timeout = '60s'`,
    )
    const { rows } = await client.query<{ isThere: boolean }>(
      `select to_regclass('public.migration_hashes') is not null and to_regclass('public.accounts') is not null as "isThere"`,
    )
    if (rows[0]?.isThere !== true) {
      await client.end()
      return null
    }
    const begin = (await isDistributed(client))
      ? () => beginOnEveryNode(client, connection)
      : () => client.query('begin isolation level repeatable read read only')
    return await beginSnapshot(client, begin)
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

async function beginSnapshot(client: pg.Client, begin: () => Promise<unknown>): Promise<Snapshot> {
  for (let tries = 1; ; tries += 1) {
    await begin()
    const tables = await listTables(client)
    const partitions = await listPartitions(client)
    const names = tables.map(({ name }) => client.escapeIdentifier(name)).join(', ')
    await client.query(`lock table ${names} in access share mode`)
    // A partition that was dropped between the first statement and the lock no longer has rows.
    if (await doPartitionsExist(client, partitions)) {
      const { rows } = await client.query<{ at: Date }>('select now() as at')
      return {
        takenAt: (rows[0]?.at ?? new Date()).toISOString(),
        migrations: await listMigrations(client),
        tables,
        partitions,
        sequences: await listSequences(client),
        setting: (name) => readSetting(client, name),
        copyOut: (table) => client.query(copyTo(copyStatement(client, table))),
        close: () => client.end(),
      }
    }
    await client.query('rollback')
    if (tries === triesMax) throw new Error('Partitions of days were dropped during each attempt; try again later.')
  }
}

function copyStatement(client: pg.Client, { name, columns, isPartitioned }: BackedTable): string {
  const table = client.escapeIdentifier(name)
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ')
  return isPartitioned
    ? `copy (select ${list} from public.${table}) to stdout`
    : `copy public.${table} (${list}) to stdout`
}

async function listTables(client: pg.Client): Promise<readonly BackedTable[]> {
  const { rows } = await client.query<BackedTable>({
    name: 'backup_tables',
    // Unlogged tables are lost at any crash, so they are not backed up.
    text: `select c.relname as name, c.relkind = 'p' as "isPartitioned",
                  array(select a.attname::text from pg_attribute a
                         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                         order by a.attnum) as columns,
                  (select coalesce(sum(greatest(p.reltuples, 0)), 0) from pg_partition_tree(c.oid) t
                     join pg_class p on p.oid = t.relid where t.isleaf)::float8 as "rowsExpected",
                  (select coalesce(sum(pg_table_size(t.relid)), 0) from pg_partition_tree(c.oid) t where t.isleaf)::float8
                    as "bytesExpected"
             from pg_class c
            where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
              and c.relpersistence = 'p' and c.relname <> all($1)
            order by c.relname collate "C"`,
    values: [notBacked],
  })
  return rows
}

async function listPartitions(client: pg.Client): Promise<readonly BackedPartition[]> {
  const { rows } = await client.query<BackedPartition>({
    name: 'backup_partitions',
    // A default partition with another name contains the rows from before the table was partitioned (migration 0113).
    text: `select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound,
                  exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'late') as "isClosed"
             from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
            where c.relispartition and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
              and (pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT' or c.relname not like '%_default')
            order by c.relname collate "C"`,
  })
  return rows
}

/** `to_regclass` sees the database as it is now, not as of the transaction. */
async function doPartitionsExist(client: pg.Client, partitions: readonly BackedPartition[]): Promise<boolean> {
  const { rows } = await client.query<{ gone: number }>({
    name: 'backup_partitions_there',
    text: `select count(*)::int as gone from unnest($1::text[]) as name
            where to_regclass(format('public.%I', name)) is null`,
    values: [partitions.map(({ name }) => name)],
  })
  return rows[0]?.gone === 0
}

async function listMigrations(client: pg.Client): Promise<readonly BackedMigration[]> {
  const { rows } = await client.query<BackedMigration>({
    name: 'backup_migrations',
    text: `select name, sha256 from migration_hashes order by name collate "C"`,
  })
  return rows
}

/**
 * Read after the rows, so that no sequence is behind a row of the backup. A sequence that was never used is left out.
 */
async function listSequences(client: pg.Client): Promise<readonly BackedSequence[]> {
  const { rows } = await client.query<BackedSequence>({
    name: 'backup_sequences',
    text: `select c.relname as name, pg_sequence_last_value(s.seqrelid)::text as last
             from pg_sequence s join pg_class c on c.oid = s.seqrelid
            where c.relnamespace = 'public'::regnamespace and c.relname not like 'migrations%'
              and pg_sequence_last_value(s.seqrelid) is not null
            order by c.relname collate "C"`,
  })
  return rows
}
