/** Which milestone a movement of a route is: the same ship comes to a port on the way or to the last one. */

import type { Movement } from '../../domain/shipment/itinerary.ts'
import type { MilestoneName } from '../../domain/view/projection.ts'

export interface MoveNames {
  readonly inbound: MilestoneName | null
  readonly outbound: MilestoneName | null
}

/**
 * In the order of the stops. Null where no source states anything about a movement, or a truck carries the container.
 */
export function nameMoves(
  stops: readonly { readonly inbound: Movement | null; readonly outbound: Movement | null }[],
): readonly MoveNames[] {
  const first = stops.findIndex(({ outbound }) => isShip(outbound))
  const last = stops.findLastIndex(({ inbound }) => isShip(inbound))
  return stops.map(({ inbound, outbound }, index) => ({
    inbound: arrivalOf(inbound, { isLastPort: index === last, isEnd: index === stops.length - 1 }),
    outbound: departureOf(outbound, index === first),
  }))
}

function arrivalOf(
  movement: Movement | null,
  of: { readonly isLastPort: boolean; readonly isEnd: boolean },
): MilestoneName | null {
  switch (movement?.mode) {
    case 'VESSEL':
      return of.isLastPort ? 'vessel_arrived' : 'transshipment_arrived'
    case 'BARGE':
      return of.isLastPort ? 'vessel_arrived' : 'feeder_arrived'
    case 'RAIL':
      return of.isEnd ? 'arrived_at_inland_destination' : 'rail_arrived'
    default:
      return null
  }
}

function departureOf(movement: Movement | null, isFirstPort: boolean): MilestoneName | null {
  switch (movement?.mode) {
    case 'VESSEL':
      return isFirstPort ? 'vessel_departed' : 'transshipment_departed'
    case 'BARGE':
      return isFirstPort ? 'vessel_departed' : 'feeder_departed'
    case 'RAIL':
      return 'rail_departed'
    default:
      return null
  }
}

function isShip(movement: Movement | null): boolean {
  return movement?.mode === 'VESSEL' || movement?.mode === 'BARGE'
}
