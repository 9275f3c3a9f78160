/** What the address names of a shipment, on its page or beside a list: tab, container, and the time that is looked at. */

import { useNavigate, useSearch } from '@tanstack/react-router'

export interface ShipmentAddress {
  /** Id of the shipment that is open beside a list; null: none is. */
  readonly open: string | null
  readonly tab: string
  /** Number of the open container; null: the first one. */
  readonly box: string | null
  /** ISO 8601; null: now. */
  readonly asOf: string | null
  /** The whole search with these changes; an empty text takes a name out. */
  readonly with: (changes: Changes) => Readonly<Record<string, string>>
  readonly change: (changes: Changes) => void
}

export interface Changes {
  readonly open?: string
  readonly tab?: string
  readonly box?: string
  readonly as_of?: string
}

export function useShipmentAddress(): ShipmentAddress {
  const search: Readonly<Record<string, string>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const changed = (changes: Changes): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries({ ...search, ...changes }).filter(([, value]) => value !== ''))
  return {
    open: search['open'] ?? null,
    tab: search['tab'] ?? 'journey',
    box: search['box'] ?? null,
    asOf: search['as_of'] ?? null,
    with: changed,
    change: (changes) => void navigate({ to: '.', search: changed(changes), replace: true, resetScroll: false }),
  }
}
