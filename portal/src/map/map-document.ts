/** What `/v2/containers/{id}/map_geojson` answers, as far as a map draws it. */

export interface MapDocument {
  readonly type: 'FeatureCollection'
  readonly features: readonly MapFeature[]
}
export type MapFeature = PortFeature | VesselFeature | WayFeature

interface PortFeature {
  readonly type: 'Feature'
  readonly geometry: { readonly type: 'Point'; readonly coordinates: [number, number] }
  readonly properties: {
    readonly feature_type: 'port'
    readonly name: string
    readonly ports_sequence: number
  }
}
interface VesselFeature {
  readonly type: 'Feature'
  readonly geometry: { readonly type: 'Point'; readonly coordinates: [number, number] }
  readonly properties: {
    readonly feature_type: 'current_vessel'
    readonly vessel_name: string
    readonly vessel_location_timestamp: string
    readonly vessel_location_heading: number | null
    /** The position is reckoned along the way and was not heard. */
    readonly estimated: boolean
  }
}
interface WayFeature {
  readonly type: 'Feature'
  readonly geometry: { readonly type: 'LineString'; readonly coordinates: [number, number][] }
  readonly properties: {
    readonly feature_type: 'past_vessel_locations' | 'estimated_full_legs' | 'estimated_partial_leg'
  }
}

export function isPort(feature: MapFeature): feature is PortFeature {
  return feature.properties.feature_type === 'port'
}
export function isVessel(feature: MapFeature): feature is VesselFeature {
  return feature.properties.feature_type === 'current_vessel'
}
export function isWay(feature: MapFeature): feature is WayFeature {
  return feature.geometry.type === 'LineString'
}
