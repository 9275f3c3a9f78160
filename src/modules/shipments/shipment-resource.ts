/** `shipment`: what one bill of lading or booking covers, with its route and the state of its tracking. */

import {
  type Identifier,
  identifierOrNull,
  type ResourceKind,
  schemasOf,
  toMany,
  toOne,
  writeAttributes,
} from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { type ShipmentContext, shipmentAttributes } from '../../domain/attributes/shipment-attributes.ts'
import { shipmentStatus, shipmentStatuses, shipmentStatusMeanings } from '../../domain/view/shipment-status.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { lastChangedBy } from '../audit/last-changed-by-resource.ts'
import { linkPlace, readPlace } from '../ports/place-resource.ts'
import { provenance } from '../provenance/provenance-resource.ts'
import { readFacility, readTerminal, type TerminalReading } from '../terminals/terminal-resource.ts'
import type { ShipmentFacilities, ShipmentReading } from './list-shipments-sql.ts'
import { ownEta } from './own-eta-resource.ts'

const meanings = Object.entries(shipmentStatusMeanings).map(([status, meaning]) => `\`${status}\`: ${meaning}`)

export const shipment: ResourceKind<ShipmentReading> = {
  type: 'shipment',
  attributes: {
    ...schemasOf(shipmentAttributes),
    status: schema.oneOf(shipmentStatuses, {
      description: `Derived from the containers. ${meanings.join('; ')}.`,
    }),
  },
  relations: {
    destination: toOne('port', 'metro_area'),
    port_of_lading: toOne('port', 'metro_area'),
    containers: toMany('container'),
    port_of_discharge: toOne('port', 'metro_area'),
    pod_terminal: toOne('terminal'),
    destination_terminal: toOne('terminal', 'rail_terminal'),
    line_tracking_stopped_by_user: toOne('user'),
    customer: toOne('party'),
    party_roles: toMany('party_role'),
    custom_fields: toMany('custom_field'),
  },
  write: (reading) => writeAttributes(shipmentAttributes, reading.projection, withDerivedValues(reading)),
  link: ({ projection, containerIds, stoppedByUserId }) => ({
    destination: linkPlace(projection.destination?.place?.unlocode),
    port_of_lading: linkPlace(projection.portOfLoading.place?.unlocode),
    port_of_discharge: linkPlace(projection.portOfDischarge.place?.unlocode),
    containers: containerIds.map((id): Identifier => ({ type: 'container', id })),
    line_tracking_stopped_by_user: identifierOrNull('user', stoppedByUserId),
  }),
  self: ({ id }) => `/shipments/${id}`,
  related: ({ id }) => ({ custom_fields: `/shipments/${id}/custom_fields` }),
  meta: {
    properties: { ...lastChangedBy.properties, ...ownEta.properties, ...provenance.properties },
    write: (reading, explained) => ({
      ...lastChangedBy.write(reading),
      ...ownEta.write(reading),
      ...provenance.write(explained),
    }),
  },
}

function withDerivedValues(reading: ShipmentReading): ShipmentContext {
  const { scac, projection } = reading
  const { name = scac, shortName = scac } = findShippingLine(scac) ?? {}
  return {
    ...reading,
    line: { scac, name, shortName },
    status: shipmentStatus(reading),
    nameOf: (of) => {
      const place = projection[of]?.place
      return readPlace(place?.unlocode ?? null)?.place.name ?? place?.name ?? null
    },
  }
}

/**
 * Where the receiver gets the containers. The place of pick-up is the destination's terminal only if there is a
 * destination.
 */
export function facilitiesOf(
  { projection }: ShipmentReading,
  agreed: Omit<ShipmentFacilities, 'id'>,
): { readonly podTerminal: TerminalReading | null; readonly destinationTerminal: TerminalReading | null } {
  return {
    podTerminal: readTerminal(agreed.podTerminalId),
    destinationTerminal: projection.destination === null ? null : readFacility(agreed.pickupFacilityId),
  }
}
