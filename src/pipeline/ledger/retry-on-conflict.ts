/**
 * Commits entries once more when another transaction was in the way, or when more had to be locked than was expected.
 */

import { isErrorCode } from '../../platform/error-code.ts'
import { MoreLocksNeeded } from '../projection/load-states-sql.ts'
import { ShipmentNotLoaded } from './open-shipment.ts'

const triesMax = 5

/** `work` is a transaction of its own. It gets the ids of requests that it must lock besides those it knows of. */
export async function retryOnConflict<Result>(
  work: (alsoRequestIds: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const also = new Set<string>()
  for (let tries = 1; ; tries += 1) {
    try {
      return await work([...also])
    } catch (error) {
      const isToRepeat =
        error instanceof MoreLocksNeeded || error instanceof ShipmentNotLoaded || isRetryableConflict(error)
      if (!isToRepeat || tries === triesMax) throw error
      if (error instanceof MoreLocksNeeded) for (const id of error.requestIds) also.add(id)
    }
  }
}

const inTheWay = ['40P01', '40001', '23505']

/**
 * True for a deadlock, a serialization failure, the same row made at the same moment, or a partition made at the moment
 * when a row for it was on its way to the default partition.
 */
function isRetryableConflict(error: unknown): boolean {
  return inTheWay.some((code) => isErrorCode(error, code)) || isNewPartition(error)
}

/** The constraint of a partition has no name. A check of a table has one. */
function isNewPartition(error: unknown): boolean {
  return isErrorCode(error, '23514') && (error as { readonly constraint?: string }).constraint === undefined
}
