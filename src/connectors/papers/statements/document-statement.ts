/**
 * The present statements of one document, as they enter the ledger: its fields with their places on the page as proof,
 * and its earlier statements that are withdrawn.
 */

import type { NumberKind } from '../../source.ts'
import type { DocumentField, DocumentType } from '../document.ts'

/** A field that counts. `page` and `box` are null where a person wrote the value. */
export interface StatedField extends Pick<DocumentField, 'name' | 'value' | 'text' | 'confidence'> {
  readonly page: number | null
  readonly box: DocumentField['box'] | null
  readonly by: 'rules' | 'person'
}

/** The statements of one reading of a document. */
export interface StatedReading {
  readonly type: DocumentType
  readonly fields: readonly StatedField[]
}

export interface DocumentStatement extends StatedReading {
  readonly document: string
  /** When it was read or corrected; ISO instant. The same document at the same moment has the same statements. */
  readonly at: string
  /** Earlier readings. Their statements that the present reading does not contain are withdrawn. */
  readonly before: readonly StatedReading[]
  /**
   * For parties that only an earlier reading was about: they receive the withdrawals, and not the present statements.
   */
  readonly isTakenBack?: true
}

const numberFields: Readonly<Record<string, NumberKind>> = {
  bill_of_lading_number: 'bill_of_lading',
  booking_number: 'booking',
}

export interface StatedNumber {
  readonly kind: NumberKind
  readonly number: string
}

/** Bills, then bookings, then containers. */
export function findStatedNumbers(fields: readonly StatedField[]): readonly StatedNumber[] {
  const order: readonly NumberKind[] = ['bill_of_lading', 'booking', 'container']
  return fields
    .flatMap(({ name, value }): readonly StatedNumber[] => {
      const kind = numberFields[name] ?? (/^containers\[\d+\]\.number$/.test(name) ? 'container' : null)
      return kind === null || typeof value !== 'string' ? [] : [{ kind, number: value }]
    })
    .toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
}

/**
 * The number that a reading is about first of all: its bill, else its booking, else a container. It is part of the key
 * of all statements of the reading. So a document that was read under a wrong number withdraws only the statements
 * under that number.
 */
export function mainNumber(fields: readonly StatedField[]): string {
  return findStatedNumbers(fields)[0]?.number.replaceAll('|', ' ') ?? '-'
}

export function writeDocumentStatement(statement: DocumentStatement): Buffer {
  return Buffer.from(JSON.stringify(statement))
}

/** Null for bytes that are not such a statement: only this program writes them. */
export function readDocumentStatement(body: Buffer): DocumentStatement | null {
  try {
    const statement = JSON.parse(body.toString('utf8')) as Partial<DocumentStatement> | null
    return typeof statement?.document === 'string' && Array.isArray(statement.fields) && Array.isArray(statement.before)
      ? (statement as DocumentStatement)
      : null
  } catch {
    return null
  }
}
