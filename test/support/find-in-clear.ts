/** Finds where a text is stored in clear in a database: in any column of any table, as text or as bytes. */

import type { Db } from '../../src/db/database.ts'

/** `table.column` of each place, in order. */
export async function findInClear(db: Db, text: string): Promise<readonly string[]> {
  const { rows: columns } = await db.query<{ table: string; column: string; type: string }>({
    text: `select c.relname as "table", a.attname as "column", a.atttypid::regtype::text as type
             from pg_class c join pg_attribute a on a.attrelid = c.oid
            where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
              and a.attnum > 0 and not a.attisdropped
            order by c.relname, a.attname`,
  })
  const found: string[] = []
  for (const { table, column, type } of columns) {
    // Bytes are shown in hex, so the text is searched in hex there. In JSON, quotes are escaped.
    const said = type === 'bytea' ? `encode("${column}", 'hex')` : `"${column}"::text`
    const words = [text, JSON.stringify(text).slice(1, -1)]
    const sought = type === 'bytea' ? [Buffer.from(text).toString('hex')] : words
    const { rows } = await db.query({
      text: `select from "${table}" where exists (select from unnest($1::text[]) as w where position(w in ${said}) > 0) limit 1`,
      values: [sought],
    })
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found
}
