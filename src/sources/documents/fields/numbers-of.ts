/** The numbers in a reading by which a document is linked to shipments. */

import type { DocumentReading } from '../document.ts'

export interface FoundNumber {
  readonly kind: 'bill_of_lading' | 'booking' | 'container' | 'reference'
  readonly number: string
}

const kinds: readonly (readonly [RegExp, FoundNumber['kind']])[] = [
  [/^transportDocumentReference$/, 'bill_of_lading'],
  [/^carrierBookingReference$/, 'booking'],
  [/^containers\[\d+\]\.number$|^charges\[\d+\]\.containerNumber$/, 'container'],
  [
    /^(houseBillOfLading|customer|purchaseOrder)References\[\d+\]$|^(invoice|deliveryOrder)Reference$/,
    'reference',
  ],
]

/** Each number once, in the order of the document. House bills are references: lines do not know them. */
export function numbersOf(reading: Pick<DocumentReading, 'fields'>): readonly FoundNumber[] {
  const found = new Map<string, FoundNumber>()
  for (const { name, value } of reading.fields) {
    const kind = kinds.find(([pattern]) => pattern.test(name))?.[1]
    if (kind === undefined || typeof value !== 'string') continue
    const key = `${kind} ${value}`
    if (!found.has(key)) found.set(key, { kind, number: value })
  }
  return [...found.values()]
}
