/**
 * A data folder as before the first start, but with a database that has run its migrations and has the shipped
 * reference data, which is most of the cost of a first start. It is made once a run, at its first use, and then
 * copied. Secret, accounts and keys are made by the program that starts on it, as usual.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPool } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { loadShippedReference } from '../../src/modules/reference-data/load-shipped.ts'
import type { Service } from '../../src/modules/service.ts'
import { startCluster } from '../../src/platform/postgres-cluster.ts'
import { withLock } from '../../src/platform/process-holds.ts'
import { findRun } from '../../tools/test/run-of-tests.ts'
import { makeDataFolder } from './program.ts'

/** For tests that do not test how a database is made: `start.test.ts` and the database of the private cluster do. */
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
  // With owners and modes, because PostgreSQL checks them.
  execFileSync('cp', ['-a', kept, join(path, 'postgres')])
}

let own: string | null = null

/** A folder shared by all files of the run and deleted with it; a file that runs alone has one of its own. */
function findShelf(): string {
  const run = findRun()
  if (run !== null) return run.folder
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
    // If PostgreSQL's user may not enter, the database is elsewhere, and each start makes its own.
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

/** A database that was shut down needs only the last segment of its log; the others are two thirds of the bytes. */
function dropOldLog(folder: string): void {
  if (!existsSync(folder)) return
  const writtenMs = (name: string): number => statSync(join(folder, name)).mtimeMs
  const segments = readdirSync(folder).filter((name) => /^[0-9A-F]{24}$/.test(name))
  const [, ...older] = segments.toSorted((a, b) => writtenMs(b) - writtenMs(a))
  for (const name of older) rmSync(join(folder, name))
}
