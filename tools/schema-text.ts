/**
 * Writes the schema of a migrated database as SQL in a stable order. src/db/schema.sql has this text, for readers
 * and reviews.
 */

import type { Db } from '../src/db/database.ts'

/** Throws when the database has something that this function cannot write. */
export async function writeSchemaText(db: Db): Promise<string> {
  await refuseUnknown(db)
  const tables = await listTables(db)
  const parts = tables.map(
    ({ name, isUnlogged, partOf, partedBy, options, columns, constraints, indexes, statistics }) => {
      const lines = [...columns, ...constraints].map((line) => `  ${line}`).join(',\n')
      if (partOf !== null) return `create table ${name} partition of ${partOf};`
      const parts = partedBy === null ? '' : ` partition by ${partedBy}`
      const suffix = options === null ? '' : ` with (${options})`
      const create = isUnlogged ? 'create unlogged table' : 'create table'
      return [
        `${create} ${name} (\n${lines}\n)${parts}${suffix};`,
        ...indexes.map(writeIndex),
        ...statistics.map(writeStatistics),
      ].join('\n')
    },
  )
  // Functions come first, because indexes use them. Triggers come last, because they use tables and functions.
  const { functions, triggers } = await listRoutines(db)
  const views = await listViews(db)
  return `${heading}\n\n${[...functions, ...parts, ...views, ...triggers].join('\n\n')}\n`
}

async function listViews(db: Db): Promise<readonly string[]> {
  const { rows } = await db.query<{ name: string; text: string }>({
    text: `select c.relname as name, pg_get_viewdef(c.oid) as text
             from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where ${ours} and c.relkind = 'v'
            order by c.relname collate "C"`,
  })
  return rows.map(({ name, text }) => `create view ${name} as\n${withoutTable(text)}`)
}

/** Before version 16, PostgreSQL writes the table before each column, also where there is no other table. */
function withoutTable(view: string): string {
  const tables = [...view.matchAll(/\b(?:FROM|JOIN) \(*(\w+)/g)].map(([, table = '']) => table)
  const [only] = tables
  return only === undefined || tables.length > 1 ? view : view.replaceAll(`${only}.`, '')
}

/** Functions and triggers, in PostgreSQL's own text. */
async function listRoutines(
  db: Db,
): Promise<{ readonly functions: readonly string[]; readonly triggers: readonly string[] }> {
  const { rows } = await db.query<{ text: string; part: number }>({
    text: `select text, part from (
             select trim(trailing E'\\n' from pg_get_functiondef(p.oid)) || ';' as text, 1 as part, p.proname as name
               from pg_proc p join pg_namespace n on n.oid = p.pronamespace
              where n.nspname = 'public' and p.prokind = 'f'
             union all
             select pg_get_triggerdef(t.oid) || ';', 2, t.tgname
               from pg_trigger t where not t.tgisinternal and t.tgparentid = 0) r
            order by part, name collate "C"`,
  })
  const of = (wanted: number) => rows.filter(({ part }) => part === wanted).map(({ text }) => text)
  return { functions: of(1), triggers: of(2) }
}

function writeIndex(definition: string): string {
  return `${definition.replace(/^CREATE (UNIQUE )?INDEX/, (words) => words.toLowerCase()).replace(/ ON (ONLY )?public\./, ' on ')};`
}

function writeStatistics(definition: string): string {
  return `${definition.replace(/^CREATE STATISTICS public\./, 'create statistics ').replace(/ ON (.*) FROM (\S+)$/, ' on $1 from $2')};`
}

const heading = `-- What the migrations add up to; written by \`npm run schema\`, kept current by a test. Comments stand in migrations/.`

interface Table {
  readonly name: string
  readonly isUnlogged: boolean
  /** For a partition: its table and the range of values. It has the columns, constraints and indexes of that table. */
  readonly partOf: string | null
  /** The key by which a table is partitioned. */
  readonly partedBy: string | null
  readonly options: string | null
  readonly columns: readonly string[]
  readonly constraints: readonly string[]
  readonly indexes: readonly string[]
  /** What is counted of columns together. */
  readonly statistics: readonly string[]
}

/** Leaves out the tables of node-pg-migrate and of `migrate.ts`. */
const ours = `n.nspname = 'public' and c.relname not in ('migrations', 'migration_hashes')`

async function listTables(db: Db): Promise<readonly Table[]> {
  const { rows } = await db.query<Record<string, never>>({
    text: `select c.relname as name, c.relpersistence = 'u' as "isUnlogged",
                  pg_get_partkeydef(c.oid) as "partedBy",
                  (select format('%s %s', i.inhparent::regclass, pg_get_expr(c.relpartbound, c.oid))
                     from pg_inherits i where c.relispartition and i.inhrelid = c.oid) as "partOf",
                  array_to_string(c.reloptions, ', ') as options,
                  array(select format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod))
                               || coalesce((select format(' collate %I', l.collname) from pg_collation l join pg_type y on y.oid = a.atttypid
                                             where l.oid = a.attcollation and l.oid <> y.typcollation), '')
                               || case a.attidentity when 'a' then ' generated always as identity'
                                                     when 'd' then ' generated by default as identity' else '' end
                               || coalesce(case a.attgenerated when 's' then format(' generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
                                                               else ' default ' || pg_get_expr(d.adbin, d.adrelid) end, '')
                               || case when a.attnotnull then ' not null' else '' end
                          from pg_attribute a
                          left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
                         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                         order by a.attnum) as columns,
                  array(select format('constraint %I %s', k.conname, pg_get_constraintdef(k.oid))
                          from pg_constraint k
                         where k.conrelid = c.oid and k.contype <> 'n'
                         order by position(k.contype in 'pucfx'), k.conname collate "C") as constraints,
                  array(select pg_get_indexdef(i.indexrelid)
                          from pg_index i join pg_class x on x.oid = i.indexrelid
                         where i.indrelid = c.oid
                           and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = c.oid)
                         order by x.relname collate "C") as indexes,
                  array(select pg_get_statisticsobjdef(e.oid) from pg_statistic_ext e
                         where e.stxrelid = c.oid order by e.stxname collate "C") as statistics
             from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where ${ours} and c.relkind in ('r', 'p')
            order by c.relname collate "C"`,
  })
  return rows as unknown as Table[]
}

async function refuseUnknown(db: Db): Promise<void> {
  const { rows } = await db.query<{ what: string }>({
    text: `select case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table'
                       else 'relation' end || ' ' || c.relname as what
             from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where ${ours} and c.relkind not in ('r', 'p', 'i', 'I', 'S', 'v')
           union all
           select 'routine ' || p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
            where n.nspname = 'public' and p.prokind <> 'f'
           union all
           select 'type ' || t.typname from pg_type t join pg_namespace n on n.oid = t.typnamespace
            where n.nspname = 'public' and t.typtype in ('d', 'e', 'r')`,
  })
  const [first] = rows
  if (first !== undefined) throw new Error(`tools/schema-text.ts does not know yet how to write the ${first.what}`)
}
