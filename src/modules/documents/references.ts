/** The numbers by which a document is linked and found, from what was read or what a person wrote. */

import type { DocumentReading } from '../../connectors/papers/document.ts'
import { normalizeMentionedNumber } from '../../pipeline/ledger/known-numbers.ts'
import type { Service } from '../service.ts'
import type { Reference } from './document-readings-sql.ts'
import { readersOf } from './readers.ts'

/** A document that names more is a list of many shipments; the first are enough to find it. */
const referencesMax = 500

export function referencesOf(
  service: Service,
  reading: Pick<DocumentReading, 'type' | 'payload' | 'fields'>,
): readonly Reference[] {
  const found = new Map<string, Reference>()
  for (const { kind, number: written } of readersOf(service).numbersOf({
    ...reading,
    typeConfidence: 1,
    notes: '',
  })) {
    const number = normalizeMentionedNumber(written)
    if (number !== '') found.set(`${kind} ${number}`, { kind, number, written })
  }
  return [...found.values()].slice(0, referencesMax)
}
