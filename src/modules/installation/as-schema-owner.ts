/** A service whose statements run as the owner of the tables, for work that creates a schema of its own. */

import { openPool } from '../../db/database.ts'
import type { Service } from '../service.ts'

/** Where one role owns and serves, it is the same service. */
export function asSchemaOwner(service: Service): { readonly service: Service; readonly close: () => Promise<void> } {
  const { migrationDatabaseUrl } = service.config.data
  if (migrationDatabaseUrl === null) return { service, close: async () => {} }
  const pool = openPool({ connection: migrationDatabaseUrl, connectionsMax: 2 })
  return { service: { ...service, pool }, close: () => pool.end() }
}
