/**
 * The key of a statement: its sender's id. Without one the document that it is about and what stays the same when it is
 * said anew; a box alone comes back under other documents, so then an event that happened bears its own day.
 */

import { naturalKeyOf } from '../../core/natural-key.ts'
import type { EventTime } from '../../core/time.ts'
import type { SaidEvent } from './event.ts'
import type { SaidFact } from './fact.ts'

export function keyOfStatement(
  said: (SaidEvent | SaidFact) & { readonly equipment: string | null },
  { bill, booking }: Readonly<Record<'bill' | 'booking', string | null>>,
  id: string | null,
): string {
  if (id !== null) return id
  const document = bill ?? booking
  if (said.kind === 'fact') return [document ?? '-', naturalKeyOf(said), ...whichOf(said)].join('|')
  const day = said.classifier === 'ACT' ? dayOf(said.time) : '-'
  return [document ?? day, naturalKeyOf(said)].join('|')
}

function dayOf(time: EventTime): string {
  if (time.kind === 'day') return time.on
  return (time.kind === 'local' ? time.local : time.at).slice(0, 10)
}

/** What tells several of one fact and box apart; of what has no name of its own its description. */
function whichOf({ fact, value }: SaidFact): readonly string[] {
  if (typeof value === 'string' && (fact === 'bill_of_lading_number' || fact === 'booking_number'))
    return [value]
  if (fact === 'undated_arrival' || fact === 'undated_departure')
    return value !== null && typeof value === 'object' && 'unlocode' in value
      ? [value.unlocode ?? value.name ?? value.facilityCode ?? '-']
      : []
  if (fact !== 'hold' && fact !== 'fee') return []
  if (value === null || typeof value !== 'object' || !('description' in value)) return []
  const name = 'name' in value ? value.name : 'type' in value ? value.type : 'other'
  return name === 'other' ? [name, value.description ?? '-'] : [name]
}
