/**
 * All rows of a database, read and written without knowing its tables: each value in the text form of PostgreSQL, so that
 * what is read and written again is the same to the last digit.
 */

import type { Db } from '../../src/db/database.ts'

export interface TableRows {
  readonly name: string
  readonly columns: readonly string[]
  /** The columns that identify a row. */
  readonly key: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
}

export interface Dump {
  readonly tables: readonly TableRows[]
  /** Partitions that the program made by itself, as `create table` writes them. */
  readonly partitions: readonly { readonly name: string; readonly of: string }[]
  readonly sequences: readonly { readonly name: string; readonly last: string; readonly isCalled: boolean }[]
}

/** node-pg-migrate's own: written by running the migrations. */
const notDumped = ['migrations']
/** Data that every version ships and loads by itself; imports of an operator are theirs and stored. */
const shipped = ['places', 'place_aliases', 'terminals', 'vessels', 'reference_editions']

/** `withOldNames`: also tables that have another name now, and views with the old name. */
export async function dumpRows(
  db: Db,
  { withOldNames = false }: { readonly withOldNames?: boolean } = {},
): Promise<Dump> {
  const tables: TableRows[] = []
  for (const { name, columns, key } of await listTables(db, withOldNames ? ['r', 'p', 'v'] : ['r', 'p'])) {
    const values = columns.map((column) => `t.${quote(column)}::text`).join(', ')
    // As JSON, because an array's text is read character by character: nine tenths of a dump's time.
    const { rows } = await db.query<{ row: string }>({
      text: `select to_json(array[${values}]::text[])::text as row from ${quote(name)} t
             ${shipped.includes(name) ? `where t.origin <> 'shipped'` : ''}
             order by ${key.map((column) => `t.${quote(column)}`).join(', ')}`,
    })
    tables.push({ name, columns, key, rows: rows.map(({ row }) => JSON.parse(row) as (string | null)[]) })
  }
  return { tables, partitions: await listPartitions(db), sequences: await readSequences(db) }
}

/** Into the empty tables of the schema that they were read from. Triggers and foreign keys are disabled meanwhile. */
export async function loadRows(db: Db, { tables, partitions, sequences }: Dump): Promise<void> {
  await db.query({ text: `set session_replication_role = replica` })
  for (const { name, of } of partitions)
    await db.query({ text: `create table if not exists ${quote(name)} partition of ${of}` })
  for (const { name, columns, rows } of tables) {
    const types = await typesOf(db, name)
    const values = columns.map((column, index) => `(r ->> ${index})::${types.get(column) ?? 'text'}`)
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      await db.query({
        text: `insert into ${quote(name)} (${columns.map(quote).join(', ')}) overriding system value
               select ${values.join(', ')} from json_array_elements($1::json) as r`,
        values: [JSON.stringify(rows.slice(from, from + rowsAtOnce))],
      })
    }
  }
  for (const { name, last, isCalled } of sequences)
    await db.query({ text: `select setval($1, $2::bigint, $3)`, values: [name, last, isCalled] })
  await db.query({ text: `set session_replication_role = origin` })
}

const rowsAtOnce = 1_000

/** The rows of one table by their keys, each as column → value. */
export function byKey({ columns, key, rows }: TableRows): ReadonlyMap<string, ReadonlyMap<string, string | null>> {
  return new Map(
    rows.map((row) => {
      const values = new Map(columns.map((column, index) => [column, row[index] ?? null]))
      return [key.map((column) => values.get(column)).join(' '), values]
    }),
  )
}

export function rowsOf(dump: Dump, table: string): readonly ReadonlyMap<string, string | null>[] {
  const found = dump.tables.find(({ name }) => name === table)
  return found === undefined ? [] : [...byKey(found).values()]
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A partition's rows are read with its table; unlogged tables are lost at any crash and not stored. */
async function listTables(db: Db, kinds: readonly string[]): Promise<readonly Omit<TableRows, 'rows'>[]> {
  const { rows } = await db.query<Omit<TableRows, 'rows'>>({
    text: `select c.relname as name,
                  array(select a.attname::text from pg_attribute a
                         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                         order by a.attnum) as columns,
                  case when c.relkind = 'v' then array['id'] else array(select a.attname::text from pg_index i
                          cross join unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
                          join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
                         where i.indrelid = w.keyed and i.indisprimary order by k.place) end as key
             from pg_class c
             left join pg_partitioned_table p on p.partrelid = c.oid
            -- A table whose partitions have keys of their own has none itself.
            cross join lateral (select case when p.partdefid > 0 then p.partdefid else c.oid end as keyed) w
            where c.relnamespace = 'public'::regnamespace and c.relkind::text = any($2) and not c.relispartition
              and c.relpersistence = 'p' and c.relname <> all($1)
            order by c.relname collate "C"`,
    values: [notDumped, kinds],
  })
  const without = rows.find(({ key }) => key.length === 0)
  if (without !== undefined)
    throw new Error(`The table ${without.name} has no primary key: its rows cannot be told apart.`)
  return rows
}

async function listPartitions(db: Db): Promise<Dump['partitions']> {
  const { rows } = await db.query<Dump['partitions'][number]>({
    text: `select c.relname as name,
                  format('%s %s', i.inhparent::regclass, pg_get_expr(c.relpartbound, c.oid)) as of
             from pg_class c join pg_inherits i on i.inhrelid = c.oid
            where c.relispartition and c.relkind = 'r' and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
            order by c.relname collate "C"`,
  })
  return rows
}

async function readSequences(db: Db): Promise<Dump['sequences']> {
  const { rows } = await db.query<{ name: string }>({
    text: `select c.relname as name from pg_class c
            where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' and c.relname not like 'migrations%'
            order by c.relname collate "C"`,
  })
  const sequences: Dump['sequences'][number][] = []
  for (const { name } of rows) {
    const { rows: read } = await db.query<{ last: string; isCalled: boolean }>({
      text: `select last_value::text as last, is_called as "isCalled" from ${quote(name)}`,
    })
    if (read[0] !== undefined) sequences.push({ name, ...read[0] })
  }
  return sequences
}

async function typesOf(db: Db, table: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ name: string; type: string }>({
    text: `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
            where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    values: [quote(table)],
  })
  return new Map(rows.map(({ name, type }) => [name, type]))
}
