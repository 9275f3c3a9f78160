/** The scratch copy of what the ledger yields, and its comparison with the live tables. */

import type { Db } from '../../db/database.ts'
import type { FoldTableName } from '../projection/fold-rows-sql.ts'
import { isFromLedgerSql, listNonLedgerColumns } from './beside-fold-sql.ts'

export const scratch = 'landfall_rebuild'

export interface RebuiltTable {
  readonly name: FoldTableName
  /** Columns that do not come from the fold. */
  readonly ignored: readonly string[]
  /** True for events: what subscribers have received stays as it is, whatever the ledger yields now. */
  readonly isPublished: boolean
}

/** In the order in which rows may be written without breaking a reference. */
export const rebuiltTables: readonly RebuiltTable[] = (
  ['shipments', 'tracking_requests', 'containers', 'claims', 'issues', 'transport_events', 'events'] as const
).map((name) => ({ name, ignored: listNonLedgerColumns(name), isPublished: name === 'events' }))

/**
 * A row in which the live table and the ledger differ: it is missing, should not be there, has other values, or has
 * another place in the order.
 */
export interface RebuildDifference {
  readonly table: string
  readonly id: string
  readonly kind: 'missing' | 'unexpected' | 'different' | 'out_of_order' | 'misnumbered'
  readonly columns: readonly string[]
}

/**
 * Begins a transaction on one snapshot of the database, with empty tables, in a schema of their own, in place of those
 * that the ledger yields. With `lockTables` nobody else writes meanwhile, so that a repair cannot undo what came in
 * between.
 */
export async function enterScratch(db: Db, options: { readonly lockTables: boolean }): Promise<void> {
  const names = rebuiltTables.map(({ name }) => name)
  await db.query({ text: 'begin isolation level repeatable read' })
  await db.query({ text: 'set local statement_timeout = 0' })
  await db.query({ text: 'set local idle_in_transaction_session_timeout = 0' })
  if (options.lockTables) {
    const tables = ['ledger', ...names].map((name) => `public.${name}`).join(', ')
    await db.query({ text: `lock table ${tables} in share row exclusive mode` })
  }
  await db.query({ text: `create schema ${scratch}` })
  for (const name of names) {
    // The indexes of the served tables are of no use here.
    const like = `like public.${name} including all excluding indexes excluding constraints`
    await db.query({
      text: `create unlogged table ${scratch}.${name} (${like}, primary key (account_id, id))`,
    })
  }
  for (const name of ['transport_events', 'events'])
    await db.query({ text: `create index on ${scratch}.${name} (account_id, shipment_id)` })
  await db.query({ text: `set local search_path = ${scratch}, public` })
  await db.query({ text: 'set local synchronous_commit = off' })
}

/**
 * Tells the planner how the tables have grown. Plans are reused, and those for empty tables are bad: without this, each
 * of 20,000 claims was written by a scan of all of them (100 ms instead of 1).
 */
export async function analyzeScratch(db: Db): Promise<void> {
  await db.query({ text: `analyze ${rebuiltTables.map(({ name }) => `${scratch}.${name}`).join(', ')}` })
}

/** Deletes what was folded of an account. */
export async function emptyScratch(db: Db, accountId: string): Promise<void> {
  for (const { name } of rebuiltTables)
    await db.query({ text: `delete from ${scratch}.${name} where account_id = $1`, values: [accountId] })
}

export async function dropScratch(db: Db): Promise<void> {
  await db.query({ text: `drop schema ${scratch} cascade` })
}

/** Unencrypted snapshots whose bytes are no longer those that were stored. */
export async function findBrokenSnapshots(db: Db, limit: number): Promise<readonly RebuildDifference[]> {
  const { rows } = await db.query<{ id: string }>({
    text: `select id from kept_snapshots
            where body is not null and content_hash <> sha256(convert_to(status || E'\\n', 'UTF8') || body)
            limit $1`,
    values: [limit],
  })
  return rows.map(({ id }) => ({ table: 'snapshots', id, kind: 'different', columns: ['body'] }))
}

/** Compares the rows as texts, so that only rows with the same bytes count as equal. Generated columns follow from the others. */
export async function compareTable(
  db: Db,
  table: RebuiltTable,
  limit: number,
): Promise<{ readonly rows: number; readonly differences: readonly RebuildDifference[] }> {
  const rowsOf = (schema: string): string =>
    `(select account_id, id, to_jsonb(t) - $1::text[] - coalesce(generated.columns, array[]::text[]) as said from (
       select array_agg(column_name::text) as columns from information_schema.columns
        where table_schema = 'public' and table_name = '${table.name}' and is_generated = 'ALWAYS') generated,
        ${schema}.${table.name} t where ${isFromLedgerSql(table.name)})`
  const { rows } = await db.query<{
    id: string
    live: Readonly<Record<string, unknown>> | null
    rebuilt: Readonly<Record<string, unknown>> | null
  }>({
    text: `select coalesce(l.id, r.id) as id, l.said as live, r.said as rebuilt
             from ${rowsOf('public')} l full join ${rowsOf(scratch)} r using (account_id, id)
            where l.said::text is distinct from r.said::text
            limit $2`,
    values: [table.ignored, limit],
  })
  const count = await db.query<{ rows: number }>({
    text: `select count(*) as rows from public.${table.name}`,
  })
  return {
    rows: count.rows[0]?.rows ?? 0,
    differences: rows.map(({ id, live, rebuilt }) => ({
      table: table.name,
      id,
      kind: live === null ? 'missing' : rebuilt === null ? 'unexpected' : 'different',
      columns: live === null || rebuilt === null ? [] : differingColumns(live, rebuilt),
    })),
  }
}

/**
 * Events of one shipment, or else of one request, that were written in another order than they happened. Those beside
 * the ledger may be anywhere between.
 */
export async function findOutOfOrder(db: Db, limit: number): Promise<readonly RebuildDifference[]> {
  const placed = (schema: string): string =>
    `(select account_id, id, row_number() over (
               partition by account_id, coalesce(shipment_id, tracking_request_id) order by ordinal) as place
        from ${schema}.events where ${isFromLedgerSql('events')})`
  const { rows } = await db.query<{ id: string }>({
    text: `select l.id from ${placed('public')} l join ${placed(scratch)} r using (account_id, id)
            where l.place <> r.place
            limit $1`,
    values: [limit],
  })
  return rows.map(({ id }) => ({ table: 'events', id, kind: 'out_of_order', columns: ['ordinal'] }))
}

/**
 * Accounts whose sequence has a gap, and events whose number is lower than that of an earlier event of their shipment.
 */
export async function findMisnumbered(db: Db, limit: number): Promise<readonly RebuildDifference[]> {
  const { rows } = await db.query<{ table: string; id: string }>({
    text: `with numbered as materialized (
             select account_id, count(*) as events, max(sequence) as last
               from public.events where sequence is not null group by account_id
           ), counters as materialized (
             select account_id, last_sequence from event_counters
           )
           (select 'accounts' as table, a.id
              from accounts a
              left join counters c on c.account_id = a.id
              left join numbered e on e.account_id = a.id
             where e.events <> e.last or coalesce(e.last, 0) <> coalesce(c.last_sequence, 0))
           union all
           (select 'events', id
              -- Events beside the ledger are written by others, who do not wait for the shipment.
              from (select id, sequence, ordinal,
                           lag(sequence) over (partition by account_id, coalesce(shipment_id, tracking_request_id)
                                               order by ordinal) as before
                      from public.events where sequence is not null and ${isFromLedgerSql('events')}) e
             where sequence < before)
           limit $1`,
    values: [limit],
  })
  return rows.map(({ table, id }) => ({ table, id, kind: 'misnumbered', columns: ['sequence'] }))
}

function differingColumns(
  live: Readonly<Record<string, unknown>>,
  rebuilt: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.keys(live).filter((column) => JSON.stringify(live[column]) !== JSON.stringify(rebuilt[column]))
}

/**
 * Makes the live table equal to what the ledger yields: rows that it does not yield are deleted, the others are
 * overwritten.
 */
export async function replaceFromScratch(db: Db, table: RebuiltTable): Promise<void> {
  const { rows } = await db.query<{ column: string }>({
    text: `select column_name as column from information_schema.columns
            where table_schema = 'public' and table_name = $1 and is_identity = 'NO' and is_generated = 'NEVER'
              and column_name <> all ($2::text[])
            order by ordinal_position`,
    values: [table.name, table.ignored],
  })
  const columns = rows.map(({ column }) => column)
  const written = columns.filter((column) => column !== 'account_id' && column !== 'id')
  await db.query({
    text: `insert into public.${table.name} (${columns.join(', ')})
           select ${columns.join(', ')} from ${scratch}.${table.name}
           on conflict (account_id, id) do update
              set ${written.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  })
  await db.query({
    text: `with yielded as materialized (
             select account_id, id from ${scratch}.${table.name}
           )
           delete from public.${table.name} l
            where ${isFromLedgerSql(table.name)}
              and not exists (select 1 from yielded r where r.account_id = l.account_id and r.id = l.id)`,
  })
  // A repair has no ledger entry by which caches would notice it. They do notice that the rows of containers were
  // written (container-with-shipment-sql.ts, docs/decisions/0021).
  if (table.name !== 'containers' && table.name !== 'shipments')
    await db.query({ text: 'update public.containers set updated_at = updated_at' })
}
