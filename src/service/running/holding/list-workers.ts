/** The processes that work on this installation, as the database knows them. */

import { listWorkers as readWorkers, type Worker } from '../../../store/ground/workers.ts'
import type { Service } from '../../service.ts'

export function listWorkers({ pool }: Service): Promise<readonly Worker[]> {
  return readWorkers(pool)
}
