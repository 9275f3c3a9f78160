// Brings a database to the schema of this code: runs the numbered SQL files that it has not seen, each in the order of
// its number, under a lock that makes a second process wait. A file that has run must never change; its hash is kept.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'

const folder = fileURLToPath(new URL('./migrations/', import.meta.url))

const migrationLock = 7_116_100_001

/** Connection is a URL. All pending files run in one transaction: a failing one leaves the schema as it was. */
export async function migrate(connection: string): Promise<{ readonly applied: number }> {
  const files = readMigrations()
  const client = new pg.Client({ connectionString: connection, application_name: 'landfall migrate' })
  await client.connect()
  try {
    // Even `create … if not exists` collides with itself: one process at a time, until the connection ends.
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query(
      `create table if not exists migration_hashes (name text primary key, sha256 text not null)`,
    )
    const kept = await client.query<{ name: string; sha256: string }>(
      'select name, sha256 from migration_hashes',
    )
    for (const { name, sha256 } of kept.rows) {
      const file = files.find((each) => each.name === name)
      // A name that is missing here was run by newer code, which keeps its schema safe for older code.
      if (file !== undefined && file.sha256 !== sha256) {
        throw new Error(
          `The migration ${name} has changed since this database ran it. Undo that and add a new file.`,
        )
      }
    }
    const applied = await runner({
      dbClient: client,
      dir: folder,
      ignorePattern: '(?!.*\\.sql$).*',
      direction: 'up',
      migrationsTable: 'migrations',
      advisoryLockMode: 'wait',
      logger: { info: () => {}, warn: () => {}, error: () => {} },
    })
    await client.query(
      `insert into migration_hashes (name, sha256) select * from unnest($1::text[], $2::text[]) on conflict do nothing`,
      [files.map(({ name }) => name), files.map(({ sha256 }) => sha256)],
    )
    return { applied: applied.length }
  } finally {
    await client.end()
  }
}

function readMigrations(): readonly { readonly name: string; readonly sha256: string }[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  const odd = names.find((name) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name))
  if (odd !== undefined) throw new Error(`A migration is named NNNN_what_it_does.sql; ${odd} is not.`)
  return names.map((name) => ({
    name: name.slice(0, -'.sql'.length),
    sha256: createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  }))
}
