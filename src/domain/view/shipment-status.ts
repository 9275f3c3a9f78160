/**
 * A shipment's status in one word, derived from its containers and its route; the API contract leaves the values to us.
 * The container that is furthest behind decides, so that `completed` means that all are completed.
 */

export const shipmentStatuses = ['pending', 'in_transit', 'arrived', 'picked_up', 'completed', 'cancelled'] as const
export type ShipmentStatus = (typeof shipmentStatuses)[number]

export const shipmentStatusMeanings: Readonly<Record<ShipmentStatus, string>> = {
  pending: 'nothing has left the port of lading',
  in_transit: 'at least one container is on its way to the port of discharge',
  arrived: 'at the port of discharge, or on the way inland from it',
  picked_up: 'every container has left the terminal or ramp full, or was delivered',
  completed: 'every container has been returned empty',
  cancelled: 'the line says that the booking is cancelled',
}

/** How far a container with each status has come. Statuses without this information are left out. */
const stages: Readonly<Record<string, ShipmentStatus>> = {
  new: 'pending',
  loaded: 'pending',
  on_ship: 'in_transit',
  grounded: 'arrived',
  available: 'arrived',
  not_available: 'arrived',
  awaiting_inland_transfer: 'arrived',
  on_rail: 'arrived',
  off_dock: 'arrived',
  picked_up: 'picked_up',
  dropped: 'picked_up',
  delivered: 'picked_up',
  empty_returned: 'completed',
}

/** Of containers, in the order of a journey. */
export const statusesInOrder = Object.keys(stages)

/** What a shipment's status is derived from; a null time means that it has not happened. */
export interface StatusFacts {
  readonly containerStatuses: readonly string[]
  readonly projection: {
    readonly isBookingCancelled: boolean
    readonly portOfLoading: { readonly atd: unknown }
    readonly portOfDischarge: { readonly ata: unknown }
  }
}

export function shipmentStatus(shipment: StatusFacts): ShipmentStatus {
  if (shipment.projection.isBookingCancelled) return 'cancelled'
  const byRoute = stageOfRoute(shipment)
  const stagesSeen = shipment.containerStatuses.map((status) => stages[status] ?? byRoute)
  const behind = stagesSeen.map((stage) => shipmentStatuses.indexOf(stage)).sort((a, b) => a - b)[0]
  if (behind === undefined) return byRoute
  // COSU and others give no departure events, only times: the route may know more than a container that is still `new`.
  return shipmentStatuses[Math.max(behind, shipmentStatuses.indexOf(byRoute))] ?? byRoute
}

function stageOfRoute({ projection }: StatusFacts): ShipmentStatus {
  if (projection.portOfDischarge.ata !== null) return 'arrived'
  return projection.portOfLoading.atd === null ? 'pending' : 'in_transit'
}
