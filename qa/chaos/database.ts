/**
 * Access to the private database from outside: finds it by its lock file, stops it as `pg_ctl stop -m immediate` does,
 * and queries it.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openPool, type Pool } from '../../src/db/database.ts'
import { openPostgresHome } from '../../src/platform/postgres-home.ts'
import { isProcessAlive } from '../../src/platform/process-holds.ts'
import { eventually } from '../../test/support/eventually.ts'

/**
 * `place`: the data folder of a private database, or another database. Connects without being registered as a user of the cluster: a process that starts alone on the cluster must see that
 * it is alone.
 */
export function openOutside(place: string | { readonly url: string }): Pool {
  const connection = typeof place === 'string' ? privateDatabase(place) : place.url
  const pool = openPool({ connection, connectionsMax: 2 })
  // Errors are expected, because the database is stopped on purpose.
  pool.on('error', () => {})
  return pool
}

/** Stops immediately, without a checkpoint, so the next start has to recover. */
export async function stopDatabase(dataFolder: string): Promise<number> {
  const { pid } = readPostmaster(dataFolder)
  process.kill(pid, 'SIGQUIT')
  await eventually(async () => (isProcessAlive(pid) ? null : true), {
    withinMs: 10_000,
    everyMs: 20,
    late: () => `The database server ${pid} does not stop.`,
  })
  return pid
}

function privateDatabase(dataFolder: string) {
  const { port, socketFolder } = readPostmaster(dataFolder)
  return { host: socketFolder, port, user: 'landfall', database: 'landfall' }
}

/** Lines of the file: pid, folder, start, port, socket folder, … */
function readPostmaster(dataFolder: string): {
  readonly pid: number
  readonly port: number
  readonly socketFolder: string
} {
  const path = join(openPostgresHome(dataFolder).pgData, 'postmaster.pid')
  const [pid = '', , , port = '', socketFolder = ''] = readFileSync(path, 'utf8').split('\n')
  return { pid: Number(pid), port: Number(port), socketFolder }
}
