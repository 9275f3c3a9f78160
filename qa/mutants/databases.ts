// One PostgreSQL for a whole run. Each process of tests gets a template of its own: what tests keep in templates of theirs
// was written by the code with a fault in it, and no other may find it.

import { cloneDatabase, startTestServer, withAdmin } from '../../test/support/cluster.ts'

export interface Database {
  readonly open: () => Promise<OpenDatabase>
  readonly stop: () => Promise<void>
}

export interface OpenDatabase {
  /** For the process of the tests. */
  readonly env: Readonly<Record<string, string>>
  /** Drops what the process, with this id, has left as well. */
  readonly close: (pid: number) => Promise<void>
}

export async function startDatabase(): Promise<Database> {
  const { adminUrl, template, stop } = await startTestServer(process.env)
  let opened = 0
  const open = async (): Promise<OpenDatabase> => {
    opened += 1
    const own = `${template}_m${String(opened).padStart(6, '0')}`
    await cloneDatabase(adminUrl, own, template)
    return {
      env: { LANDFALL_TEST_ADMIN_URL: adminUrl, LANDFALL_TEST_TEMPLATE: own },
      close: (pid) => dropAll(adminUrl, [own, `landfall_test_${pid}_`]),
    }
  }
  return { open, stop }
}

/** The databases whose names begin so, and the roles that were made for them. */
async function dropAll(adminUrl: string, prefixes: readonly string[]): Promise<void> {
  await withAdmin(adminUrl, async (client) => {
    const { rows } = await client.query<{ readonly drop: string }>(
      `select 'drop database if exists ' || datname || ' with (force)' as drop
         from pg_database join unnest($1::text[]) as prefix on starts_with(datname, prefix)
        union all
       select 'drop role if exists ' || rolname
         from pg_roles join unnest($1::text[]) as prefix on starts_with(rolname, prefix)`,
      [prefixes],
    )
    for (const { drop } of rows) await client.query(drop)
  })
}
