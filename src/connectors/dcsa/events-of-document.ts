/** Which events of an answer are about the polled bill or booking, in whatever form the carrier writes its number. */

import { findShippingLine } from '../../reference/shipping-lines.ts'
import type { PollRequest } from '../source.ts'
import type { StatedEvent } from './event.ts'

export interface EventsOfDocument {
  readonly ours: readonly StatedEvent[]
  /** Numbers of other documents of the same type, named by events that are not ours. Sorted. */
  readonly otherNumbers: readonly string[]
}

/**
 * The events of the poll target are those that name the polled document, and those that name no document of its type.
 * If the answer names documents of that type but never the polled one, no event belongs to the poll target. A document
 * of any type with the polled number counts, because many lines give a bill and its booking the same number, and
 * customers track one by the number of the other.
 */
export function eventsOfDocument(
  events: readonly StatedEvent[],
  request: PollRequest & { readonly kind: 'bill_of_lading' | 'booking' },
): EventsOfDocument {
  const type = request.kind === 'booking' ? 'BKG' : 'TRD'
  const numbers = new Set(events.flatMap(({ documents }) => documents.map(({ number }) => number)))
  const requested = new Set([...numbers].filter((number) => isSameDocument(request.scac, request.number, number)))
  const isOther = ({ documents }: StatedEvent): boolean =>
    numbersOf(type, documents).length > 0 && !documents.some(({ number }) => requested.has(number))
  const others = events.filter(isOther)
  if (others.length === 0) return { ours: events, otherNumbers: [] }
  const otherNumbers = [...new Set(others.flatMap(({ documents }) => numbersOf(type, documents)))].sort()
  return { ours: requested.size === 0 ? [] : events.filter((event) => !isOther(event)), otherNumbers }
}

function numbersOf(type: string, documents: StatedEvent['documents']): readonly string[] {
  return documents.filter((each) => each.type === type).map(({ number }) => number)
}

/** Many numbers end with the same few characters, so a shorter number does not identify a bill. */
const stemLengthMin = 6

/**
 * Whether two numbers identify the same bill or booking of a line. They may differ by the line's letters (`MAEU`, or
 * `MEDU` for `MSCU`), by up to four letters of the issuer before the number, or by the one or two characters that
 * partial bills have at the end.
 */
export function isSameDocument(scac: string, a: string, b: string): boolean {
  const [left, right] = [bareNumber(scac, a), bareNumber(scac, b)]
  const [shorter, longer] = left.length <= right.length ? [left, right] : [right, left]
  if (shorter === longer) return true
  if (shorter.length < stemLengthMin) return false
  const isLettersBefore = longer.endsWith(shorter) && /^[A-Z]{1,4}$/.test(longer.slice(0, -shorter.length))
  const isPartBill = longer.startsWith(shorter) && longer.length - shorter.length <= 2
  return isLettersBefore || isPartBill
}

/** The number without punctuation and without the letters of the line, if digits remain. */
function bareNumber(scac: string, number: string): string {
  const compact = number.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const line = findShippingLine(scac)
  const letters = line === null ? [scac] : [line.scac, ...line.alternativeScacs, ...line.prefixesOfBill]
  const found = letters.find((each) => compact.startsWith(each) && /[0-9]/.test(compact.slice(each.length)))
  return compact.slice(found?.length ?? 0)
}
