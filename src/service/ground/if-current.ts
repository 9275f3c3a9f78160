/**
 * A change that is wanted only while things stand as its author saw them. The verb asks within its own transaction, after
 * the row is locked, so nothing can come between the look and the change.
 */

import { ServiceError } from '../errors.ts'

export type IfCurrent<Reading> = (reading: Reading) => boolean

/** `ifCurrent`: null when the change is wanted anyhow. `reading`: null when it is gone, which the verb tells by itself. */
export function requireCurrent<Reading>(
  ifCurrent: IfCurrent<Reading> | null | undefined,
  reading: Reading | null | undefined,
): void {
  if (ifCurrent == null || reading == null || ifCurrent(reading)) return
  throw new ServiceError(
    'precondition_failed',
    'This has changed since it was read. Read it again, and send the change with its new ETag.',
    { source: { header: 'If-Match' } },
  )
}
