/** Gives new outcomes their numbers, so that every process can find those that it has not read. */

import { inTransaction } from '../../db/database.ts'
import type { Service } from '../service.ts'
import { numberOutcomeBatch } from './outcomes-sql.ts'

const batchMax = 5_000

/** Numbers all outcomes that are committed; returns how many this call numbered. */
export async function numberOutcomes(service: Service): Promise<number> {
  for (let numbered = 0; ; ) {
    const batch = await inTransaction(service.pool, (db) => numberOutcomeBatch(db, batchMax))
    numbered += batch
    if (batch < batchMax) return numbered
  }
}
