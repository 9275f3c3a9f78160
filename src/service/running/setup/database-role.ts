/** For the operator: the database role that this process uses. */

import { readServingRole, type ServingRole } from '../../../store/ground/grant-serving.ts'
import type { Service } from '../../service.ts'

export function readDatabaseRole(service: Service): Promise<ServingRole> {
  return readServingRole(service.pool)
}
