/** What `GET /v2/shared/{token}` answers, as far as the page and the widget show it. */

import type { MapDocument } from '../map/map-document.ts'

export interface SharedDocument {
  readonly company_name: string | null
  readonly color: string | null
  readonly expires_at: string
  readonly has_more: boolean
  readonly shipments: readonly SharedShipment[]
}
export interface SharedShipment {
  readonly bill_of_lading_number: string | null
  readonly booking_number: string | null
  readonly shipping_line_name: string
  readonly status: string
  readonly port_of_lading: SharedPort | null
  readonly port_of_discharge: SharedPort | null
  readonly destination: SharedPort | null
  readonly vessel: { readonly name: string | null } | null
  readonly voyage_number: string | null
  readonly containers: readonly SharedContainer[]
  readonly map: MapDocument
}
export interface SharedPort {
  readonly locode: string | null
  readonly name: string | null
  readonly timezone: string | null
  readonly eta_at: string | null
  readonly ata_at: string | null
}
export interface SharedContainer {
  readonly number: string
  readonly status: string
  readonly free_until: string | null
  readonly pickup_timezone: string | null
  readonly available_for_pickup: boolean | null
  readonly milestones: readonly SharedMilestone[]
}
export interface SharedMilestone {
  readonly event: string
  readonly classifier: 'actual' | 'estimated' | 'planned'
  readonly at: string | null
  readonly timezone: string | null
  readonly locode: string | null
  readonly place: string | null
  readonly vessel: { readonly name: string | null } | null
  readonly voyage_number: string | null
}
