/** As whom this process works on its database: for the operator. */

import { readServingRole, type ServingRole } from '../../../store/grant-serving.ts'
import type { Service } from '../../service.ts'

export function readDatabaseRole(service: Service): Promise<ServingRole> {
  return readServingRole(service.pool)
}
