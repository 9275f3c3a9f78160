/**
 * The tables that migrations change are locked before the first migration runs. Servers of the previous version are at
 * work meanwhile. Migrations that locked one table, and some seconds later another one, came into a deadlock with the
 * transactions of these servers, and PostgreSQL ended the migrations as its victim. Migrations wait for transactions of
 * versions that use `migrationGate`; the others are single statements, and the transactions of versions before 0.2.0.
 */

import type pg from 'pg'
import { isErrorCode } from '../platform/error-code.ts'
import { migrationGate } from './database.ts'

/**
 * Servers queue behind a lock that is waited for. After this time the wait for all tables is given up, they go on, and
 * it is tried again. An analysis of a table that PostgreSQL does by itself gives way after 1 s; a request that waits for
 * 5 s is answered with 503.
 */
const waitMs = 2_500
/**
 * Transactions at work check for a deadlock after 1 s, end as its victim and are repeated. A later check of the
 * migration lets them go first; a deadlock that still exists then will not end by itself.
 */
const deadlockMs = 2_000

/** The locks that the changes need, the weakest first. With the first, others read the table; with the second none. */
const modes = ['share row exclusive', 'access exclusive'] as const
type LockMode = (typeof modes)[number]

/**
 * Nearly every transaction uses these, so they are locked last, when the migration waits for nothing else. A holder of
 * one of them that waits for another blocks everybody, and PostgreSQL finds the deadlock only while both are waited
 * for.
 */
const last = ['subjects', 'events', 'tracking_requests', 'containers', 'shipments']

/**
 * Within the transaction of the migrations. `files`: their text. Fails with 55P03 or 40P01 when the tables are in use
 * too long.
 */
export async function lockTables(client: pg.Client, files: readonly string[]): Promise<void> {
  const changed = findChangedTables(files)
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname = any($1)`,
    [[...changed.keys()]],
  )
  const names = rows.map(({ name }) => name).toSorted((a, b) => getLockOrder(a) - getLockOrder(b) || (a < b ? -1 : 1))
  await delayDeadlockCheck(client)
  const until = performance.now() + waitMs
  await client.query(`set local lock_timeout = ${waitMs}; select pg_advisory_xact_lock(${migrationGate})`)
  for (const name of names) {
    const remainingMs = Math.max(1, Math.round(until - performance.now()))
    await client.query(`set local lock_timeout = ${remainingMs}`)
    await client.query(`lock table public."${name}" in ${changed.get(name) ?? 'access exclusive'} mode`)
  }
  await client.query(`set local lock_timeout = ${waitMs}`)
}

/** Only a superuser may set it; without it there are more attempts. */
async function delayDeadlockCheck(client: pg.Client): Promise<void> {
  await client.query('savepoint asked')
  await client.query(`set local deadlock_timeout = ${deadlockMs}`).catch(async (error: unknown) => {
    if (!isErrorCode(error, '42501')) throw error
    await client.query('rollback to savepoint asked')
  })
}

function getLockOrder(name: string): number {
  return last.indexOf(name)
}

/** Which SQL statements change the table that they name next, by the lock that PostgreSQL uses for it. */
const changes: Readonly<Record<LockMode, RegExp>> = {
  'share row exclusive':
    /\b(?:references|update|insert into|delete from|on)(?: only)?\s+(?!on\b|of\b|set\b)(?:public\.)?([a-z_][a-z0-9_]*)/gi,
  'access exclusive':
    /\b(?:alter table|drop table|drop trigger(?: if exists)? [a-z0-9_]+ on)(?: if exists)?(?: only)?\s+(?:public\.)?([a-z_][a-z0-9_]*)/gi,
}

/** Each table that the files change, with the lock that it needs. Some are no tables, or are made by the files. */
export function findChangedTables(files: readonly string[]): ReadonlyMap<string, LockMode> {
  const found = new Map<string, LockMode>()
  for (const mode of modes)
    for (const text of files)
      for (const [, name = ''] of text.replaceAll(/--.*$/gm, '').matchAll(changes[mode]))
        found.set(name.toLowerCase(), mode)
  return found
}
