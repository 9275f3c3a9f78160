/** What the address of a shipment's page names: the container that is open, and the time that is looked at. */

import { useNavigate, useSearch } from '@tanstack/react-router'

export interface ShipmentAddress {
  /** Number of the open container; null: the first one. */
  readonly box: string | null
  /** ISO 8601; null: now. */
  readonly asOf: string | null
  readonly change: (changes: { readonly box?: string; readonly as_of?: string }) => void
}

export function useShipmentAddress(): ShipmentAddress {
  const search: Readonly<Record<string, string>> = useSearch({ strict: false })
  const navigate = useNavigate()
  return {
    box: search['box'] ?? null,
    asOf: search['as_of'] ?? null,
    change: (changes) => {
      const next = Object.fromEntries(Object.entries({ ...search, ...changes }).filter(([, value]) => value !== ''))
      void navigate({ to: '.', search: next, replace: true, resetScroll: false })
    },
  }
}
