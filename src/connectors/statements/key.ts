/** The key of a statement: the sender's id, else a key of its content, as for every message (`natural-key.ts`). */

import { naturalKey, type UnkeyedStatement } from '../natural-key.ts'
import type { StatedEvent } from './event.ts'
import type { StatedFact } from './fact.ts'

export function keyOfStatement(
  statement: (StatedEvent | StatedFact) & { readonly equipment: string | null },
  { bill, booking }: Readonly<Record<'bill' | 'booking', string | null>>,
  id: string | null,
): string {
  if (id !== null) return id
  // Value and name of a fact were read together (`readFact`), so the types fit.
  const key = naturalKey(statement as UnkeyedStatement, bill ?? booking)
  return statement.kind === 'fact' ? [key, ...listDistinguishingParts(statement)].join('|') : key
}

/** Distinguishes several facts with one name of the same container. */
function listDistinguishingParts({ fact, value }: StatedFact): readonly string[] {
  if (typeof value === 'string' && (fact === 'bill_of_lading_number' || fact === 'booking_number')) return [value]
  if (fact !== 'undated_arrival' && fact !== 'undated_departure') return []
  return value !== null && typeof value === 'object' && 'unlocode' in value
    ? [value.unlocode ?? value.name ?? value.facilityCode ?? '-']
    : []
}
