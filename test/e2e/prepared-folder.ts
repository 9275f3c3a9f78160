/**
 * A data folder as it is before the first start, but for its database: that has run its migrations and has the shipped
 * reference data, which is most of what a first start costs. It is made once a run, when somebody first needs it, and
 * copied. Secret, accounts and keys are made by the program that starts on it, as ever.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCluster } from '../../src/platform/postgres-cluster.ts'
import { withLock } from '../../src/platform/process-holds.ts'
import { loadShippedReference } from '../../src/service/knowing/reference/load-shipped.ts'
import type { Service } from '../../src/service/service.ts'
import { openPool } from '../../src/store/database.ts'
import { migrate } from '../../src/store/ground/migrate.ts'
import { makeDataFolder } from './program.ts'

/** For tests that do not look at how a database is made: `start.test.ts` and the database of the private cluster do. */
export async function openDataFolder(): Promise<ReturnType<typeof makeDataFolder>> {
  const folder = makeDataFolder()
  await prepareDatabase(folder.path)
  return folder
}

/** `path`: an empty data folder. */
export async function prepareDatabase(path: string): Promise<void> {
  const shelf = findShelf()
  const kept = join(shelf, 'prepared-database')
  await withLock(`${kept}.lock`, async () => {
    if (!existsSync(kept)) await make(kept)
  })
  // With owners and modes, because PostgreSQL looks at them.
  execFileSync('cp', ['-a', kept, join(path, 'postgres')])
}

let own: string | null = null

/** A folder that all files of the run share and that goes with it; for a file that runs alone one of its own. */
function findShelf(): string {
  const shared = process.env['LANDFALL_TEST_TAKEN'] ?? ''
  if (shared !== '') return shared
  if (own === null) {
    const made = mkdtempSync(join(tmpdir(), 'landfall-prepared-'))
    process.on('exit', () => rmSync(made, { recursive: true, force: true }))
    own = made
  }
  return own
}

async function make(kept: string): Promise<void> {
  const folder = makeDataFolder()
  try {
    const cluster = await startCluster({ dataDir: folder.path, throwaway: true })
    try {
      await migrate(cluster.url)
      const pool = openPool({ connection: cluster.url, connectionsMax: 1 })
      await loadShippedReference({ pool, clock: { now: Date.now } } as Service)
      await pool.end()
    } finally {
      await cluster.stop()
    }
    const inside = join(folder.path, 'postgres')
    // Where PostgreSQL's user may not enter, the database is elsewhere, and each start makes its own.
    mkdirSync(inside, { recursive: true })
    for (const each of ['lock', 'holders', 'socket', 'postgres.log'])
      rmSync(join(inside, each), { recursive: true, force: true })
    dropOldLog(join(inside, 'pgdata', 'pg_wal'))
    execFileSync('cp', ['-a', inside, `${kept}.making`])
    renameSync(`${kept}.making`, kept)
  } finally {
    await folder.remove()
  }
}

/** A database that was shut down needs the last segment of its log alone; the others are two thirds of what is copied. */
function dropOldLog(folder: string): void {
  if (!existsSync(folder)) return
  const writtenMs = (name: string): number => statSync(join(folder, name)).mtimeMs
  const segments = readdirSync(folder).filter((name) => /^[0-9A-F]{24}$/.test(name))
  const [, ...older] = segments.toSorted((a, b) => writtenMs(b) - writtenMs(a))
  for (const name of older) rmSync(join(folder, name))
}
