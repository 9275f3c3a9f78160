/** For the operator: divides the tables of an installation among the nodes of a Citus cluster. */

import type { Config } from '../../../platform/config.ts'
import { openPool } from '../../../store/database.ts'
import { type Distributed, type DistributeOptions, distribute } from '../../../store/ground/distribute.ts'
import { grantServing, readServingRole } from '../../../store/ground/grant-serving.ts'
import { migrate } from '../../../store/ground/migrate.ts'

/** Migrates the database as well. Throws a readable sentence where something is missing. */
export async function distributeInstallation(
  config: Config,
  options: DistributeOptions,
): Promise<Distributed> {
  const { databaseUrl, migrationDatabaseUrl } = config.data
  if (databaseUrl === null)
    throw new Error(
      'The private database is one server. Set DATABASE_URL to the coordinator of a Citus cluster; docs/many-machines.md has the whole.',
    )
  const owner = migrationDatabaseUrl ?? databaseUrl
  await migrate(owner)
  const done = await distribute(owner, options)
  const pool = openPool({ connection: databaseUrl, connectionsMax: 1 })
  try {
    await grantServing(owner, (await readServingRole(pool)).name)
  } finally {
    await pool.end()
  }
  return done
}
