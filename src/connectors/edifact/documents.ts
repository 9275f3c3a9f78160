/** The bills and bookings that a message part names, and the other numbers that it is about. */

import { parseEquipmentReference, parseReferenceNumber } from '../../domain/values/identifiers.ts'
import { noteCheckDigit } from '../container-reference.ts'
import type { IssueList } from '../source-issue.ts'
import { codeOf, numberOf, pathTo } from './fields.ts'
import type { Segment } from './segments.ts'

export interface Documents {
  readonly bills: readonly string[]
  readonly bookings: readonly string[]
}

export const noDocuments: Documents = { bills: [], bookings: [] }

/** `RFF+BM` and `RFF+BN`. Placeholders (bay plans write 1) are left out. */
export function documentsOf(segments: readonly Segment[]): Documents {
  return { bills: numbersOf(segments, 'BM'), bookings: numbersOf(segments, 'BN') }
}

export function isDocument(segment: Segment): boolean {
  return segment.tag === 'RFF' && ['BM', 'BN'].includes(codeOf(segment, 0))
}

export function hasDocuments({ bills, bookings }: Documents): boolean {
  return bills.length > 0 || bookings.length > 0
}

/** The document in the keys of statements: the bill, else the booking; null where neither is named. */
export function documentKeyOf({ bills, bookings }: Documents): string | null {
  return bills[0] ?? bookings[0] ?? null
}

function numbersOf(segments: readonly Segment[], kind: string): readonly string[] {
  const numbers = segments
    .filter((each) => each.tag === 'RFF' && codeOf(each, 0) === kind)
    .flatMap((each) => parseDocumentNumber(numberOf(each, 0, 1)))
  return [...new Set(numbers)]
}

export function parseDocumentNumber(text: string | null): readonly string[] {
  const number = parseReferenceNumber(text ?? '')
  return number.ok ? [number.value] : []
}

/** The container of `EQD+CN` or `RFF+EQ`; null when the number is invalid. `issues`: where its check digit is noted. */
export function containerOf(segment: Segment, issues?: IssueList): string | null {
  const text = segment.tag === 'RFF' ? numberOf(segment, 0, 1) : numberOf(segment, 1)
  const reference = parseEquipmentReference(text ?? '')
  if (!reference.ok) return null
  if (issues !== undefined) noteCheckDigit(reference.value, pathTo(segment, 1), issues)
  return reference.value.number
}

export function isContainer(segment: Segment): boolean {
  return (
    (segment.tag === 'EQD' && codeOf(segment, 0) === 'CN') || (segment.tag === 'RFF' && codeOf(segment, 0) === 'EQ')
  )
}
