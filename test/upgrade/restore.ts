/** Restores a stored installation, and upgrades it: its migrations, its rows, then the migrations of today. */

import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import { migrate } from '../../src/db/migrate.ts'
import { isErrorCode } from '../../src/platform/error-code.ts'
import { withConnection } from '../support/cluster.ts'
import type { Filling } from '../support/database.ts'
import { type Kept, readLightKept } from './kept.ts'
import { loadRows } from './rows.ts'

const migrations = fileURLToPath(new URL('../../src/db/migrations/', import.meta.url))

/** `url`: of a database that nobody else uses; its contents are deleted. Its user must be a superuser. */
export async function restoreKept(url: string, kept: Kept): Promise<void> {
  await withConnection(url, async (client) => {
    await client.query(`drop schema public cascade; create schema public; set timezone = 'UTC'`)
    const folder = mkdtempSync(join(tmpdir(), 'landfall-migrations-'))
    try {
      for (const name of kept.migrations) {
        const file = join(migrations, `${name}.sql`)
        if (!existsSync(file)) throw new Error(`A kept installation has run the migration ${name}, and it is gone.`)
        copyFileSync(file, join(folder, `${name}.sql`))
      }
      const log = { info: () => {}, warn: () => {}, error: () => {} }
      await runner({
        dbClient: client,
        dir: folder,
        direction: 'up',
        migrationsTable: 'migrations',
        logger: log,
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
    // Tables of the migration program; their rows are among the stored ones.
    await client.query(`create table if not exists migration_hashes (name text primary key, sha256 text not null)`)
    // Rows that a migration wrote into the empty tables are among the stored rows too.
    for (const { name } of kept.tables) await client.query(`truncate table "${name}" cascade`)
    await loadRows(client, kept)
    // A running server does so by itself; without it the plans are those for empty tables. In installations from
    // before migration 0127, PostgreSQL 17 and newer do not finish with it.
    await client.query('analyze').catch((error: unknown) => {
      if (!isErrorCode(error, '42883')) throw error
    })
  })
}

/** A database with the upgraded installation, made once a run; its bodies are those of `readLightKept`. */
export function upgradedOf(name: string): Filling {
  return {
    name: `kept_${name.replaceAll(/\W/g, '_')}`,
    fill: async (url) => {
      await restoreKept(url, readLightKept(name))
      await upgrade(url)
    },
  }
}

export async function upgrade(url: string): Promise<void> {
  await migrate(url)
}
