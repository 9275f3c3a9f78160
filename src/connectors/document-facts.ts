/**
 * Facts for the bill and booking numbers that a message names: they belong to the same journey. The facts are about the
 * journey and not about a container, and each message under a document repeats them under the same key.
 */

import type { FactObservation } from '../domain/statements/observation.ts'

export function documentFacts(
  { bills, bookings }: { readonly bills: readonly string[]; readonly bookings: readonly string[] },
  statedAt: string | null,
): readonly FactObservation[] {
  const write = (fact: 'bill_of_lading_number' | 'booking_number') => (number: string) =>
    ({ ...stated, fact, value: number, statedAt, key: `${fact}|${number}` }) as const
  return [...bills.map(write('bill_of_lading_number')), ...bookings.map(write('booking_number'))]
}

const stated = { kind: 'fact', equipment: null, isRetracted: false } as const
