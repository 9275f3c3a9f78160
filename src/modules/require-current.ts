/**
 * A change that is wanted only while the data is as its author read it. The verb checks this within its own
 * transaction, after the row is locked, so nothing can change between the check and the change.
 */

import { ServiceError } from './errors.ts'

export type PreconditionCheck<Reading> = (reading: Reading) => boolean

/**
 * `ifCurrent`: null when the change is wanted in any case. `reading`: null when the row is gone; the verb reports that
 * itself.
 */
export function requireCurrent<Reading>(
  ifCurrent: PreconditionCheck<Reading> | null | undefined,
  reading: Reading | null | undefined,
): void {
  if (ifCurrent == null || reading == null || ifCurrent(reading)) return
  throw new ServiceError(
    'precondition_failed',
    'This has changed since it was read. Read it again, and send the change with its new ETag.',
    { source: { header: 'If-Match' } },
  )
}
