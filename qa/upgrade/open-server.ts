/** A PostgreSQL server of its own for a proof. */

import { openPool, type Pool } from '../../src/db/database.ts'
import { startCluster } from '../../src/platform/postgres-cluster.ts'
import { makeDataFolder } from '../../test/e2e/program.ts'

/** Its address. `prepare` puts a database into the empty data folder. */
export async function openServer(
  { prepare }: { readonly prepare?: (dataFolder: string) => Promise<void> },
  onClose: (close: () => Promise<unknown>) => void,
): Promise<string> {
  const folder = makeDataFolder()
  onClose(() => folder.remove())
  await prepare?.(folder.path)
  const cluster = await startCluster({ dataDir: folder.path, throwaway: true })
  onClose(() => cluster.stop())
  return cluster.url
}

/** For the private database it is one of those who hold it: the database goes on when the program has stopped. */
export async function openDatabase(
  place: string,
  by: { readonly isServer: boolean; readonly onClose: (close: () => Promise<unknown>) => void },
): Promise<Pool> {
  const cluster = by.isServer ? null : await startCluster({ dataDir: place })
  if (cluster !== null) by.onClose(() => cluster.stop())
  const pool = openPool({ connection: cluster?.url ?? place, connectionsMax: 2 })
  // The server may stop while an idle connection is being closed. A statement that fails says so itself.
  pool.on('error', () => {})
  by.onClose(() => pool.end())
  return pool
}
