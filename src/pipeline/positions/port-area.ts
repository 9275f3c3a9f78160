/** The area of a port, of what the reference data know of it. */

import type { PortArea } from '../../domain/vessels/vessel-arrival.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { terminalsAt } from '../../reference/terminals.ts'

export function portArea(unlocode: string): PortArea {
  const place = findPlaceByCode(unlocode)
  const terminals = terminalsAt(unlocode).filter(({ facilityType }) => facilityType === 'ocean_terminal')
  return {
    unlocode,
    port: place === null ? null : pointOf(place),
    terminals: terminals.map(pointOf).filter((point) => point !== null),
  }
}

function pointOf(of: { readonly latitude: number | null; readonly longitude: number | null }) {
  const { latitude, longitude } = of
  return latitude === null || longitude === null ? null : { latitude, longitude }
}
