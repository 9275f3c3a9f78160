/**
 * The tables that migrations change are locked before the first of them runs. Servers of the version before are at work
 * meanwhile: migrations that took a lock here and another there, some seconds apart, met their transactions crosswise,
 * and PostgreSQL ended the migrations as the deadlock's victim.
 */

import type pg from 'pg'

/**
 * Servers queue behind a lock that is waited for. After this time the wait is given up, they go on, and it is tried
 * again.
 */
const waitMs = 1_000

/** Transactions that fold a journey take their rows in this order, so taking the tables in it waits for few of them. */
const first = ['tracking_requests', 'shipments', 'containers']

/** Within the transaction of the migrations. `files`: their text. Fails with 55P03 when a table is in use too long. */
export async function lockTables(client: pg.Client, files: readonly string[]): Promise<void> {
  const named = findChangedTables(files)
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname = any($1)`,
    [named],
  )
  const names = rows.map(({ name }) => name).toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
  await client.query(`set local lock_timeout = ${waitMs}`)
  for (const name of names) await client.query(`lock table public."${name}" in access exclusive mode`)
}

function place(name: string): number {
  const at = first.indexOf(name)
  return at < 0 ? first.length : at
}

/** Names after the words by which SQL changes a table or what hangs on it. Some are no tables, or are made by the files. */
export function findChangedTables(files: readonly string[]): readonly string[] {
  const changes =
    /\b(?:alter table(?: if exists)?(?: only)?|drop table(?: if exists)?|update|insert into|delete from|references|on(?: only)?)\s+(?!on\b|of\b|set\b)(?:public\.)?([a-z_][a-z0-9_]*)/gi
  const names = files.flatMap((text) =>
    [...text.replaceAll(/--.*$/gm, '').matchAll(changes)].map(([, name = '']) => name.toLowerCase()),
  )
  return [...new Set(names)].sort()
}
