/** For the operator: the database role that this process uses. */

import { readServingRole, type ServingRole } from '../../db/grant-serving.ts'
import type { Service } from '../service.ts'

export function readDatabaseRole(service: Service): Promise<ServingRole> {
  return readServingRole(service.pool)
}
