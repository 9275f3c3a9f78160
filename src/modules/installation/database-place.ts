/** The database of an installation for a backup or a restore: found as a start finds it, and neither made nor migrated. */

import { existsSync } from 'node:fs'
import type { Config } from '../../platform/config.ts'
import { startCluster } from '../../platform/postgres-cluster.ts'
import { findPostgresData } from '../../platform/postgres-home.ts'

export interface DatabaseAccess {
  /** With the role that serves. */
  readonly url: string
  /** With the role that owns the tables. */
  readonly ownerUrl: string
  /** True when another process runs on the private database. */
  readonly isShared: boolean
  readonly close: () => Promise<void>
}

/** Null when the private database is not there and is not to be made. */
export async function openDatabaseAccess(
  config: Config,
  options: { readonly makes: boolean; readonly print: (sentence: string) => void },
): Promise<DatabaseAccess | null> {
  const { databaseUrl, migrationDatabaseUrl, folder, pgPort, pgBin, pgSource } = config.data
  if (databaseUrl !== null)
    return {
      url: databaseUrl,
      ownerUrl: migrationDatabaseUrl ?? databaseUrl,
      isShared: false,
      close: async () => {},
    }
  if (!options.makes && (!existsSync(folder) || findPostgresData(folder) === null)) return null
  const cluster = await startCluster({
    dataDir: folder,
    port: pgPort,
    pgBin,
    source: pgSource,
    walArchive: config.backup.walArchive,
    log: options.print,
  })
  return {
    url: cluster.url,
    ownerUrl: cluster.url,
    isShared: !cluster.isAlone,
    close: () => cluster.stop(),
  }
}
