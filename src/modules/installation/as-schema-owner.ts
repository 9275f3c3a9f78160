/** A service whose statements run as the owner of the tables, for work that creates a schema of its own. */

import { openPool } from '../../db/database.ts'
import type { Service } from '../service.ts'
import { readDatabaseRole } from './database-role.ts'

interface OwnerService {
  readonly service: Service
  readonly close: () => Promise<void>
}

/** Where one role owns and serves, it is the same service. Throws a sentence where no setting names the owner. */
export async function asSchemaOwner(service: Service): Promise<OwnerService> {
  const { migrationDatabaseUrl } = service.config.data
  if (migrationDatabaseUrl !== null) {
    const pool = openPool({ connection: migrationDatabaseUrl, connectionsMax: 2 })
    return { service: { ...service, pool }, close: () => pool.end() }
  }
  const { name, mayChangeSchema } = await readDatabaseRole(service)
  if (!mayChangeSchema)
    throw new Error(
      `The role ${name} may not create a schema. Name the owner's database in LANDFALL_MIGRATION_DATABASE_URL.`,
    )
  return { service, close: async () => {} }
}
