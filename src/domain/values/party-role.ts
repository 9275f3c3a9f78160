/** What a party can be for a shipment, a container or a tracking request. */

export const partyRoleNames = [
  'shipper',
  'consignee',
  'notify_party',
  'customs_broker',
  'customer',
  'freight_forwarder',
  'pickup_dray_carrier',
] as const
export type PartyRoleName = (typeof partyRoleNames)[number]

export const partyRecordTypes = ['shipment', 'container', 'tracking_request'] as const
export type PartyRecordType = (typeof partyRecordTypes)[number]

/** A container has only the carrier that picks it up. */
export const partyRolesOf: Readonly<Record<PartyRecordType, readonly PartyRoleName[]>> = {
  shipment: partyRoleNames,
  container: ['pickup_dray_carrier'],
  tracking_request: partyRoleNames,
}

/** The roles that a new tracking request can name. Its customer is a relationship of its own. */
export const requestedRoleNames = partyRoleNames.filter((name) => name !== 'customer')
