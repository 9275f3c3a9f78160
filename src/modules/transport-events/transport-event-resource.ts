/** `transport_event`: a milestone, an announced estimate or a changed deadline of one container. */

import { identifierOrNull, type ResourceKind, toOne } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { estimatedMilestoneNames, milestoneNames } from '../../domain/view/projection.ts'
import { linkPlace } from '../ports/place-resource.ts'
import { provenance } from '../provenance/provenance-resource.ts'
import { readFacility } from '../terminals/terminal-resource.ts'
import { linkVessel } from '../vessels/vessel-resource.ts'
import { dataSource } from './data-source-resource.ts'
import type { TransportEventReading } from './list-transport-events-sql.ts'

const deadlineEventNames = [
  'container.pickup_lfd.changed',
  'container.pickup_lfd_line.changed',
  'container.pickup_lfd_terminal.changed',
  'container.pickup_lfd_rail.changed',
  'container.pickup_appointment.changed',
] as const

const transportEventNames = [
  ...milestoneNames.map((name) => `container.transport.${name}`),
  ...estimatedMilestoneNames.map((name) => `container.transport.estimated.${name}`),
  ...deadlineEventNames,
]

export const transportEvent: ResourceKind<TransportEventReading> = {
  type: 'transport_event',
  attributes: {
    event: schema.oneOf(transportEventNames),
    voyage_number: schema.textOrNull(),
    timestamp: schema.instantOrNull({
      description:
        'When it happened or is expected. For events about a deadline: the deadline; `created_at` says when Landfall received it.',
    }),
    timezone: schema.zoneOrNull(),
    location_locode: schema.textOrNull(),
    created_at: schema.instant(),
    data_source: dataSource.attribute,
    invalidated_at: schema.instantOrNull({
      description: 'When the event was withdrawn or replaced.',
    }),
    value: schema.instantOrNull({
      description: 'For events about a deadline: the new deadline; null if there is no deadline any more.',
    }),
  },
  relations: {
    shipment: toOne('shipment'),
    location: toOne('port', 'metro_area'),
    vessel: toOne('vessel'),
    terminal: toOne('terminal', 'rail_terminal'),
    container: toOne('container'),
    source_event: toOne('raw_event'),
    previous_version: toOne('transport_event'),
  },
  write: (reading) => ({
    event: reading.event,
    voyage_number: reading.voyageNumber,
    timestamp: isDeadline(reading) ? reading.value : reading.occursAt,
    timezone: reading.timeZone,
    location_locode: reading.unlocode,
    created_at: reading.createdAt,
    data_source: dataSource.write(reading.dataSource),
    invalidated_at: reading.invalidatedAt,
    value: reading.value,
  }),
  link: (reading) => {
    const facility = readFacility(reading.terminalId)
    return {
      shipment: { type: 'shipment', id: reading.shipmentId },
      container: { type: 'container', id: reading.containerId },
      location: linkPlace(reading.unlocode),
      vessel: linkVessel(reading.vesselImo),
      terminal: facility === null ? null : { type: facility.type, id: facility.id },
      source_event: reading.dataSource === 'user' ? null : identifierOrNull('raw_event', reading.sourceClaimId),
      previous_version: identifierOrNull('transport_event', reading.previousVersionId),
    }
  },
  meta: {
    properties: { ...dataSource.meta.properties, ...provenance.properties },
    write: (reading, explained) => ({
      ...dataSource.meta.write(reading.dataSource),
      ...provenance.write(explained),
    }),
  },
}

/**
 * Events about a deadline: their time is the deadline (null when withdrawn), and they are created when we ingest it.
 */
function isDeadline({ event }: TransportEventReading): boolean {
  return deadlineEventNames.some((name) => name === event)
}
