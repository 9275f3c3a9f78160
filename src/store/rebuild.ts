/** The scratch copy of what the ledger yields, and its comparison with the live tables. */

import type { Db } from './database.ts'

export const scratchSchema = 'landfall_rebuild'

export interface RebuiltTable {
  readonly name: 'shipments' | 'tracking_requests' | 'containers' | 'claims' | 'issues' | 'transport_events' | 'events'
  /** Given by others than the fold. */
  readonly ignored: readonly string[]
}

/** In the order in which rows may be written without breaking a reference. */
export const rebuiltTables: readonly RebuiltTable[] = [
  { name: 'shipments', ignored: [] },
  { name: 'tracking_requests', ignored: [] },
  { name: 'containers', ignored: [] },
  { name: 'claims', ignored: [] },
  { name: 'issues', ignored: [] },
  { name: 'transport_events', ignored: [] },
  { name: 'events', ignored: ['ordinal', 'sequence'] },
]

/** A row that the ledger does not yield, that is missing, or that it yields otherwise. */
export interface Difference {
  readonly table: string
  readonly id: string
  readonly kind: 'missing' | 'unexpected' | 'different'
  readonly columns: readonly string[]
}

/** Empty tables of the same shape in a schema of their own; gone with the transaction unless it commits. */
export async function makeScratch(db: Db): Promise<void> {
  await db.query({ text: `create schema ${scratchSchema}` })
  for (const { name } of rebuiltTables) {
    await db.query({ text: `create table ${scratchSchema}.${name} (like public.${name} including all)` })
  }
}

/** Snapshots whose bytes are no longer those that were kept. */
export async function findBrokenSnapshots(db: Db, limit: number): Promise<readonly Difference[]> {
  const { rows } = await db.query<{ id: string }>({
    text: `select id from snapshots
            where content_hash <> sha256(convert_to(status || E'\\n', 'UTF8') || body)
            limit $1`,
    values: [limit],
  })
  return rows.map(({ id }) => ({ table: 'snapshots', id, kind: 'different', columns: ['body'] }))
}

export async function compareTable(
  db: Db,
  table: RebuiltTable,
  limit: number,
): Promise<{ readonly rows: number; readonly differences: readonly Difference[] }> {
  const row = (schema: string): string =>
    `(select account_id, id, to_jsonb(t) - $1::text[] as said from ${schema}.${table.name} t)`
  const { rows } = await db.query<{
    id: string
    live: Readonly<Record<string, unknown>> | null
    rebuilt: Readonly<Record<string, unknown>> | null
  }>({
    text: `select coalesce(l.id, r.id) as id, l.said as live, r.said as rebuilt
             from ${row('public')} l full join ${row(scratchSchema)} r using (account_id, id)
            where l.said is distinct from r.said
            limit $2`,
    values: [table.ignored, limit],
  })
  const count = await db.query<{ rows: number }>({ text: `select count(*) as rows from public.${table.name}` })
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

function differingColumns(
  live: Readonly<Record<string, unknown>>,
  rebuilt: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.keys(live).filter((column) => JSON.stringify(live[column]) !== JSON.stringify(rebuilt[column]))
}

/** Makes the live table what the ledger yields: rows it does not yield go, the others are written over. */
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
           select ${columns.join(', ')} from ${scratchSchema}.${table.name}
           on conflict (account_id, id) do update
              set ${written.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  })
  await db.query({
    text: `delete from public.${table.name} l
            where not exists (select 1 from ${scratchSchema}.${table.name} r
                               where r.account_id = l.account_id and r.id = l.id)`,
  })
}
