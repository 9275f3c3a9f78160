/** Which events of an answer are about the bill or booking that was asked for, however the line writes its number. */

import { findShippingLine } from '../../reference/shipping-lines.ts'
import type { LookRequest } from '../source.ts'
import type { StatedEvent } from './event.ts'

export interface EventsOfDocument {
  readonly ours: readonly StatedEvent[]
  /** Numbers of the documents of that type that events which are not ours are about, sorted. */
  readonly otherNumbers: readonly string[]
}

/**
 * Those that name the document asked for or none of its type; none, when the answer names such documents and nowhere the one
 * asked for. A number of any document counts as naming it: many lines give bill and booking one number, and customers
 * ask for one by the other.
 */
export function eventsOfDocument(
  events: readonly StatedEvent[],
  request: LookRequest & { readonly kind: 'bill_of_lading' | 'booking' },
): EventsOfDocument {
  const type = request.kind === 'booking' ? 'BKG' : 'TRD'
  const numbers = new Set(events.flatMap(({ documents }) => documents.map(({ number }) => number)))
  const asked = new Set([...numbers].filter((number) => isSameDocument(request.scac, request.number, number)))
  const isOther = ({ documents }: StatedEvent): boolean =>
    numbersOf(type, documents).length > 0 && !documents.some(({ number }) => asked.has(number))
  const others = events.filter(isOther)
  if (others.length === 0) return { ours: events, otherNumbers: [] }
  const otherNumbers = [...new Set(others.flatMap(({ documents }) => numbersOf(type, documents)))].sort()
  return { ours: asked.size === 0 ? [] : events.filter((event) => !isOther(event)), otherNumbers }
}

function numbersOf(type: string, documents: StatedEvent['documents']): readonly string[] {
  return documents.filter((each) => each.type === type).map(({ number }) => number)
}

/** Shorter numbers are too common an ending to mean one bill. */
const stemLengthMin = 6

/**
 * Whether two numbers mean one bill or booking of a line: with and without its letters (`MAEU`, or `MEDU` for `MSCU`), with and
 * without up to four letters of whoever issued it, and its parts, which bear one or two characters more.
 */
export function isSameDocument(scac: string, a: string, b: string): boolean {
  const [left, right] = [bareNumber(scac, a), bareNumber(scac, b)]
  const [shorter, longer] = left.length <= right.length ? [left, right] : [right, left]
  if (shorter === longer) return true
  if (shorter.length < stemLengthMin) return false
  const isLettersBefore = longer.endsWith(shorter) && /^[A-Z]{1,4}$/.test(longer.slice(0, -shorter.length))
  const isPart = longer.startsWith(shorter) && longer.length - shorter.length <= 2
  return isLettersBefore || isPart
}

/** Without punctuation and without any of the line's letters, where digits are left. */
function bareNumber(scac: string, number: string): string {
  const compact = number.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const line = findShippingLine(scac)
  const letters = line === null ? [scac] : [line.scac, ...line.alternativeScacs, ...line.prefixesOfBill]
  const found = letters.find((each) => compact.startsWith(each) && /[0-9]/.test(compact.slice(each.length)))
  return compact.slice(found?.length ?? 0)
}
