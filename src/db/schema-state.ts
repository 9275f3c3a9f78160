/** Which of this code's migrations a database lacks. */

import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Db } from './database.ts'

const names = readdirSync(fileURLToPath(new URL('./migrations/', import.meta.url)))
  .filter((name) => name.endsWith('.sql'))
  .map((name) => name.slice(0, -'.sql'.length))

export async function readSchemaState(db: Db): Promise<{ readonly missing: readonly string[] }> {
  const { rows } = await db.query<{ name: string }>({
    name: 'migrations_applied',
    text: `select name from migrations`,
  })
  const applied = new Set(rows.map(({ name }) => name))
  return { missing: names.filter((name) => !applied.has(name)) }
}
