/** The few settings of an installation that survive a restart. */

import type { Db } from './database.ts'

export async function readSetting<Value>(db: Db, name: string): Promise<Value | null> {
  const { rows } = await db.query<{ value: Value }>({
    name: 'setting_read',
    text: `select value from settings where name = $1`,
    values: [name],
  })
  return rows[0]?.value ?? null
}

/** Writes the setting unless it exists. Returns the value that is there afterwards. */
export async function ensureSetting<Value>(db: Db, name: string, value: Value): Promise<Value> {
  const { rows } = await db.query<{ value: Value }>({
    name: 'setting_keep',
    text: `insert into settings (name, value) values ($1, $2)
           on conflict (name) do update set name = excluded.name
           returning value`,
    values: [name, JSON.stringify(value)],
  })
  const row = rows[0]
  if (row === undefined) throw new Error('the setting was not stored')
  return row.value
}

export async function deleteSetting(db: Db, name: string): Promise<void> {
  await db.query({ name: 'setting_delete', text: `delete from settings where name = $1`, values: [name] })
}

export async function writeSetting(db: Db, name: string, value: unknown): Promise<void> {
  await db.query({
    name: 'setting_write',
    text: `insert into settings (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value`,
    values: [name, JSON.stringify(value)],
  })
}
