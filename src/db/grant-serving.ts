/**
 * What a role that serves may do on a database that another role owns: read and write rows, and nothing else. The
 * rights are granted again after every migration, so that new tables are included and rights that are no longer needed
 * are gone.
 */

import pg from 'pg'
import type { Db } from './database.ts'
import { migrationLock } from './migrate.ts'

/** Rows of these tables are written once, and never changed or deleted. */
const writtenOnce = ['audit_events', 'ledger']
/**
 * These functions run with the rights of their owner. Besides the owner, only the role that serves may call them
 * (migrations 0020, 0058 and 0113).
 */
const ownersWork = [
  'make_positions_month(date)',
  'drop_positions_months(timestamptz)',
  'make_looks_day(date)',
  'close_looks_part(text)',
  'drop_looks_part(text)',
  'make_time_part(text, date)',
  'drop_time_part(text, text)',
  'cut_time_parts(text, timestamptz)',
]
/** Only the owner writes these tables. */
const readOnly = ['migrations', 'migration_hashes']

/** `connection` is the owner's. Does nothing where the owner itself serves. */
export async function grantServing(connection: string, role: string): Promise<void> {
  const client = new pg.Client({ connectionString: connection, application_name: 'landfall grant' })
  await client.connect()
  try {
    // Two grants at once would disturb each other, and a migration.
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    const { rows } = await client.query<{ owner: string; database: string }>(
      'select current_user as owner, current_database() as database',
    )
    const [row] = rows
    if (row === undefined || row.owner === role) return
    const [to, database] = [client.escapeIdentifier(role), client.escapeIdentifier(row.database)]
    await client.query(`
      begin;
      revoke all on all tables in schema public from ${to};
      revoke all on schema public from ${to};
      grant connect, temporary on database ${database} to ${to};
      grant usage on schema public to ${to};
      grant select, insert, update, delete on all tables in schema public to ${to};
      grant usage on all sequences in schema public to ${to};
      grant execute on function ${ownersWork.join(', ')} to ${to};
      revoke update, delete on ${writtenOnce.join(', ')} from ${to};
      revoke insert, update, delete on ${readOnly.join(', ')} from ${to};
      commit`)
  } finally {
    await client.end()
  }
}

export interface ServingRole {
  readonly name: string
  /** True when the role could make, change or drop tables, which is more than it needs. */
  readonly mayChangeSchema: boolean
}

/** The role as which a connection of this pool acts. */
export async function readServingRole(db: Db): Promise<ServingRole> {
  const { rows } = await db.query<ServingRole>({
    name: 'serving_role',
    text: `select current_user::text as name,
                  r.rolsuper or has_schema_privilege('public', 'create')
                  or has_database_privilege(current_database(), 'create')
                  or exists (select from pg_class c
                              where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
                                and pg_has_role(c.relowner, 'member')) as "mayChangeSchema"
             from pg_roles r where r.rolname = current_user`,
  })
  const [role] = rows
  if (role === undefined) throw new Error('the session has no role')
  return role
}
