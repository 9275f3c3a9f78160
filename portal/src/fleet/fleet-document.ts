/** What `GET /v2/fleet` answers, as far as the map and its list show it. */

export interface FleetDocument {
  readonly type: 'FeatureCollection'
  readonly features: readonly FleetFeature[]
  readonly meta: { readonly unplaced_containers: number; readonly has_more: boolean }
}
export type FleetFeature = Feature<ShipAfloat> | Feature<PlaceAshore>

interface Feature<Properties> {
  readonly type: 'Feature'
  readonly geometry: { readonly type: 'Point'; readonly coordinates: [number, number] }
  readonly properties: Properties
}
interface Counted {
  readonly container_count: number
  readonly shipment_count: number
  readonly shipment_ids: readonly string[]
  readonly shipment_numbers: readonly string[]
  readonly free_until: {
    readonly on: string
    readonly timezone: string | null
    readonly container_number: string
    readonly shipment_id: string
  } | null
}
export interface ShipAfloat extends Counted {
  readonly feature_type: 'vessel'
  readonly vessel_name: string | null
  readonly vessel_imo: string | null
  readonly voyage_number: string | null
  readonly position: 'heard' | 'reckoned' | 'port'
  readonly heading: number | null
  readonly next_port_name: string | null
  readonly next_port_eta: string | null
}
export interface PlaceAshore extends Counted {
  readonly feature_type: 'terminal' | 'place'
  readonly location_name: string | null
  readonly location_locode: string | null
  readonly terminal_name: string | null
}

export function isShip(feature: FleetFeature): feature is Feature<ShipAfloat> {
  return feature.properties.feature_type === 'vessel'
}

export function nameOf(feature: FleetFeature): string {
  if (isShip(feature)) return feature.properties.vessel_name ?? feature.properties.vessel_imo ?? ''
  const { terminal_name: terminal, location_name: place, location_locode: code } = feature.properties
  return terminal ?? place ?? code ?? ''
}
