/** For the operator: divides the tables of an installation among the nodes of a Citus cluster. */

import { openPool } from '../../db/database.ts'
import {
  type DistributeOptions,
  type DistributionResult,
  distributeTables,
} from '../../db/distributed/distribute-tables.ts'
import { grantServing, readServingRole } from '../../db/grant-serving.ts'
import { migrate } from '../../db/migrate.ts'
import type { Config } from '../../platform/config.ts'

/** Migrates the database as well. Throws a readable sentence where something is missing. */
export async function distributeInstallation(config: Config, options: DistributeOptions): Promise<DistributionResult> {
  const { databaseUrl, migrationDatabaseUrl } = config.data
  if (databaseUrl === null)
    throw new Error(
      'The private database runs on one server only. Set DATABASE_URL to the coordinator of a Citus cluster; docs/many-machines.md says how.',
    )
  const owner = migrationDatabaseUrl ?? databaseUrl
  await migrate(owner)
  const done = await distributeTables(owner, options)
  const pool = openPool({ connection: databaseUrl, connectionsMax: 1 })
  try {
    await grantServing(owner, (await readServingRole(pool)).name)
  } finally {
    await pool.end()
  }
  return done
}
