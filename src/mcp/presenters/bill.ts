/** The numbers by which a shipment is known: what was requested, and what its line calls its papers. */

import type { ShipmentReading } from '../../modules/shipments/list-shipments-sql.ts'
import { markUnlessCode } from './fence.ts'

type Named = Pick<ShipmentReading, 'billOfLadingNumber' | 'normalizedNumber' | 'projection'>

export function normalizeNumber(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '')
}

/** The bill that its line has named, where a booking or a container was requested; else what was requested. */
export function writeBill({ billOfLadingNumber: requested, projection }: Named): string {
  const named = projection.billOfLadingNumber
  if (named === null) return markUnlessCode(requested)
  const [long, short] = [requested, named].map(normalizeNumber).toSorted((a, b) => b.length - a.length)
  // With and without the code of the line in front it is one number.
  return markUnlessCode(long?.endsWith(short ?? '') === true ? requested : named)
}

export function isNumberOf({ billOfLadingNumber, normalizedNumber, projection }: Named, text: string): boolean {
  const numbers = [billOfLadingNumber, normalizedNumber, projection.billOfLadingNumber, projection.bookingNumber]
  return numbers.some((each) => each !== null && normalizeNumber(each) === normalizeNumber(text))
}
