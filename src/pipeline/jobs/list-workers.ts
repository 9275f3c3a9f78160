/** The processes that work on this installation, according to the database. */

import { listWorkers as readWorkers, type Worker } from '../../db/workers.ts'
import type { Service } from '../../modules/service.ts'

export function listWorkers({ pool }: Service): Promise<readonly Worker[]> {
  return readWorkers(pool)
}
