/**
 * What one document says now, as it enters the ledger: its fields with their places on the page as proof, and what it
 * said before and no longer says.
 */

import type { NumberKind } from '../../source.ts'
import type { DocumentType, FieldRead } from '../document.ts'

/** A field that counts. `page` and `box` are null where a person wrote the value. */
export interface SaidField extends Pick<FieldRead, 'name' | 'value' | 'text' | 'confidence'> {
  readonly page: number | null
  readonly box: FieldRead['box'] | null
  readonly by: 'rules' | 'person'
}

/** What one reading of a document said. */
export interface SaidReading {
  readonly type: DocumentType
  readonly fields: readonly SaidField[]
}

export interface DocumentWord extends SaidReading {
  readonly document: string
  /** When it was read or corrected; ISO instant. The same document at the same moment says the same. */
  readonly at: string
  /** Earlier readings. What they said and the present one does not is taken back. */
  readonly before: readonly SaidReading[]
  /** For those whom only an earlier reading was about: they hear what is taken back, and not what is said now. */
  readonly isTakenBack?: true
}

const numberFields: Readonly<Record<string, NumberKind>> = {
  bill_of_lading_number: 'bill_of_lading',
  booking_number: 'booking',
}

export interface NumberSaid {
  readonly kind: NumberKind
  readonly number: string
}

/** Bills, then bookings, then boxes. */
export function numbersSaid(fields: readonly SaidField[]): readonly NumberSaid[] {
  const order: readonly NumberKind[] = ['bill_of_lading', 'booking', 'container']
  return fields
    .flatMap(({ name, value }): readonly NumberSaid[] => {
      const kind = numberFields[name] ?? (/^containers\[\d+\]\.number$/.test(name) ? 'container' : null)
      return kind === null || typeof value !== 'string' ? [] : [{ kind, number: value }]
    })
    .toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
}

/**
 * The number that a reading is about first of all: its bill, else its booking, else a box. It is part of the key of all
 * that the reading says, so that a paper that was read under a wrong number takes back what it said under that one alone.
 */
export function mainNumber(fields: readonly SaidField[]): string {
  return numbersSaid(fields)[0]?.number.replaceAll('|', ' ') ?? '-'
}

export function writeWord(word: DocumentWord): Buffer {
  return Buffer.from(JSON.stringify(word))
}

/** Null for bytes that are no such word: only this program writes them. */
export function readWord(body: Buffer): DocumentWord | null {
  try {
    const word = JSON.parse(body.toString('utf8')) as Partial<DocumentWord> | null
    return typeof word?.document === 'string' && Array.isArray(word.fields) && Array.isArray(word.before)
      ? (word as DocumentWord)
      : null
  } catch {
    return null
  }
}
