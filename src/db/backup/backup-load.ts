/**
 * Puts the rows of a backup into a database, in one transaction: it has all of them afterwards, or is as it was before.
 * The tables are made by the migrations that the backup had run; indexes and foreign keys are made when the rows are
 * there, so that every reference is checked, and rows may come in any order.
 */

import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { hasCitus } from '../distributed/is-distributed.ts'
import { applyMigrations, migrationLock } from '../migrate.ts'
import { writeSetting } from '../settings.ts'
import type { BackedMigration, BackedPartition, BackedSequence, BackedTable } from './backup-snapshot.ts'

export interface BackupLoad {
  /** The server has Citus. The rows come into tables that are not divided. */
  readonly isOnCluster: boolean
  /** Returns how many rows came in. */
  readonly copyIn: (table: Pick<BackedTable, 'name' | 'columns'>, rows: Readable) => Promise<number>
  /** Ends it well: indexes, references, sequences, settings. */
  readonly commit: (end: {
    readonly sequences: readonly BackedSequence[]
    readonly partitions: readonly BackedPartition[]
    readonly settings: Readonly<Record<string, unknown>>
  }) => Promise<void>
  /** Ends it without a trace. Harmless after a commit. */
  readonly rollback: () => Promise<void>
}

export type OccupiedDatabase = { readonly kind: 'in_use'; readonly sessions: number } | { readonly kind: 'not_empty' }

/**
 * `connection` is a URL; its role must own the tables. Changes nothing and throws the reason where other programs of
 * this role (or of `servingRole`) use the database, or where it has tables and they are not to be replaced.
 */
export async function openBackupLoad(
  connection: string,
  options: {
    readonly replaces: boolean
    readonly servingRole: string | null
    readonly tables: readonly Pick<BackedTable, 'name'>[]
    readonly partitions: readonly BackedPartition[]
    readonly migrations: readonly BackedMigration[]
  },
): Promise<BackupLoad | OccupiedDatabase> {
  const client = new pg.Client({ connectionString: connection, application_name: 'landfall restore' })
  await client.connect()
  client.on('error', () => {})
  const rollback = (): Promise<void> => client.end().catch(() => {})
  try {
    await client.query(
      `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set statement_timeout = 0;
       set idle_in_transaction_session_timeout = 0; set lock_timeout = '10s'`,
    )
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    const sessions = await countOtherSessions(client, options.servingRole)
    const occupied: OccupiedDatabase | null =
      sessions > 0
        ? { kind: 'in_use', sessions }
        : !options.replaces && (await hasTables(client))
          ? { kind: 'not_empty' }
          : null
    if (occupied !== null) {
      await rollback()
      return occupied
    }
    await client.query(`begin; set local maintenance_work_mem = '256MB'`)
    const isOnCluster = await hasCitus(client)
    // Tables of a divided database are dropped node by node; all at once they are not, because of their foreign keys.
    if (isOnCluster) await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
    await dropAll(client)
    await applyMigrations(client, options.migrations)
    const later = await prepareForLoad(client, options)
    return {
      isOnCluster,
      copyIn: async ({ name, columns }, rows) => {
        const list = columns.map((column) => client.escapeIdentifier(column)).join(', ')
        const into = client.query(copyFrom(`copy public.${client.escapeIdentifier(name)} (${list}) from stdin`))
        await pipeline(rows, into)
        return into.rowCount
      },
      commit: async (end) => {
        for (const statement of later) await client.query(statement)
        for (const { name, isClosed } of end.partitions)
          if (isClosed) await client.query('select close_looks_part($1)', [name.replace('day_looks_', '')])
        for (const { name, last } of end.sequences)
          await client.query('select setval($1::regclass, $2::bigint)', [client.escapeIdentifier(name), last])
        for (const [name, value] of Object.entries(end.settings)) await writeSetting(client, name, value)
        await client.query('commit')
        await client.query('analyze')
        await client.end()
      },
      rollback,
    }
  } catch (error) {
    await rollback()
    throw error
  }
}

/** A node of a cluster holds connections to the others for a while. */
async function countOtherSessions(client: pg.Client, servingRole: string | null): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
        and usename in (current_user, session_user, $1) and application_name not like 'citus_internal%'`,
    [servingRole],
  )
  return rows[0]?.count ?? 0
}

async function hasTables(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') limit 1`,
  )
  return rows.length > 0
}

/** Everything in `public` that no extension created. The schema stays, because another role may own it. */
async function dropAll(client: pg.Client): Promise<void> {
  await client.query(`do $$
    declare
      each record;
    begin
      for each in
        select format('drop %s if exists public.%I cascade',
                      case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'
                                     when 'f' then 'foreign table' else 'table' end, c.relname) as statement
          from pg_class c
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('v', 'm', 'r', 'p', 'f', 'S')
           and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
         order by array_position(array['v', 'm', 'r', 'p', 'f', 'S'], c.relkind::text), c.relispartition
      loop
        execute each.statement;
      end loop;
      for each in
        select format('drop routine if exists %s cascade', p.oid::regprocedure) as statement
          from pg_proc p
         where p.pronamespace = 'public'::regnamespace
           and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      loop
        execute each.statement;
      end loop;
    end $$`)
}

/**
 * A partition gets the primary key of the default partition, which the partitioned table may lack (migration 0113), and
 * its storage parameters.
 */
async function makeLikeDefault(
  client: pg.Client,
  partition: { readonly name: string; readonly parent: string },
): Promise<void> {
  const { rows } = await client.query<{ change: string }>(
    `with other as (
       select c.oid, c.reloptions from pg_partitioned_table w join pg_class c on c.oid = w.partdefid
        where w.partrelid = format('public.%I', $1::text)::regclass
     )
     select 'add ' || pg_get_constraintdef(k.oid) as change from other o
       join pg_constraint k on k.conrelid = o.oid and k.contype = 'p'
      where not exists (select from pg_constraint own where own.conrelid = format('public.%I', $2::text)::regclass
                                                        and own.contype = 'p')
     union all
     select format('set (%s)', array_to_string(reloptions, ', ')) from other where reloptions is not null`,
    [partition.parent, partition.name],
  )
  for (const { change } of rows)
    await client.query(`alter table public.${client.escapeIdentifier(partition.name)} ${change}`)
}

/** Returns the statements that restore what was dropped for the load. */
async function prepareForLoad(
  client: pg.Client,
  {
    tables,
    partitions,
  }: {
    readonly tables: readonly Pick<BackedTable, 'name'>[]
    readonly partitions: readonly BackedPartition[]
  },
): Promise<readonly string[]> {
  const { rows } = await client.query<{ statement: string; undone: string }>(
    // Indexes of partitioned tables stay: created again, the indexes of the partitions would get other names.
    `select format('drop index public.%I', c.relname) as statement, pg_get_indexdef(c.oid) as undone
       from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
      where c.relnamespace = 'public'::regnamespace and t.relkind = 'r' and not t.relispartition and not i.indisunique
        and not exists (select from pg_constraint k where k.conindid = c.oid)
     union all
     select format('alter table public.%I drop constraint %I', t.relname, k.conname),
            format('alter table public.%I add constraint %I %s', t.relname, k.conname, pg_get_constraintdef(k.oid))
       from pg_constraint k join pg_class t on t.oid = k.conrelid
      where k.connamespace = 'public'::regnamespace and k.contype = 'f' and k.conparentid = 0`,
  )
  for (const { statement } of rows) await client.query(statement)
  const { rows: all } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname <> 'migrations'`,
  )
  const known = new Set(all.map(({ name }) => name))
  const strange = tables.find(({ name }) => !known.has(name))
  if (strange !== undefined) throw new Error(`No migration of the backup makes its table ${strange.name}.`)
  const names = all.map(({ name }) => `public.${client.escapeIdentifier(name)}`)
  // Some migrations write rows; they are among those of the backup.
  await client.query(`truncate ${names.join(', ')}`)
  for (const { name, parent, bound } of partitions) {
    if (
      !known.has(parent) ||
      !/^(?:DEFAULT|FOR VALUES FROM \((?:MINVALUE|'[-0-9:+. ]+')\) TO \('[-0-9:+. ]+'\))$/.test(bound)
    )
      throw new Error(`The table ${name} of the backup is not a partition of a known table.`)
    const [partition, whole] = [name, parent].map((each) => client.escapeIdentifier(each))
    await client.query(
      bound === 'DEFAULT'
        ? `alter table public.${client.escapeIdentifier(`${parent}_default`)} rename to ${partition}`
        : `create table public.${partition} partition of public.${whole} ${bound}`,
    )
    await makeLikeDefault(client, { name, parent })
  }
  for (const name of names) await client.query(`alter table ${name} disable trigger user`)
  return [...names.map((name) => `alter table ${name} enable trigger user`), ...rows.map(({ undone }) => undone)]
}
