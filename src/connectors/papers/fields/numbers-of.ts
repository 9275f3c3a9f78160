/** The numbers by which a document is linked to shipments. */

import type { DocumentReading } from '../document.ts'

export interface NumberOfDocument {
  readonly kind: 'bill_of_lading' | 'booking' | 'container' | 'reference'
  readonly number: string
}

const kinds: Readonly<Record<string, NumberOfDocument['kind']>> = {
  bill_of_lading_number: 'bill_of_lading',
  booking_number: 'booking',
  house_bill_number: 'reference',
  reference_numbers: 'reference',
  purchase_order_numbers: 'reference',
}

/** From the payload, so that what a person wrote instead of what was read counts. */
export function listDocumentNumbers({ payload }: Pick<DocumentReading, 'payload'>): readonly NumberOfDocument[] {
  const named = Object.entries(kinds).flatMap(([name, kind]) =>
    [payload[name]].flat().flatMap((number) => (typeof number === 'string' ? [{ kind, number }] : [])),
  )
  const containerItems = Array.isArray(payload['containers']) ? (payload['containers'] as readonly unknown[]) : []
  const containers = containerItems.flatMap((item): readonly NumberOfDocument[] => {
    const number = (item as Readonly<Record<string, unknown>> | null)?.['number']
    return typeof number === 'string' ? [{ kind: 'container', number }] : []
  })
  return [...named, ...containers]
}
