/** `container`: the trip of one container under one shipment, as its projection shows it. */

import {
  identifierOrNull,
  type ResourceKind,
  schemasOf,
  toMany,
  toManyTruncated,
  toOne,
  writeAttributes,
} from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { type ContainerContext, containerAttributes } from '../../domain/attributes/container-attributes.ts'
import { sourceKinds } from '../../domain/statements/observation.ts'
import { findLastReportTime, findTerminalReportTime } from '../../pipeline/ledger/report-times.ts'
import { railroadScac } from '../../reference/railroads.ts'
import { lastChangedBy } from '../audit/last-changed-by-resource.ts'
import { provenance } from '../provenance/provenance-resource.ts'
import type { ContainerReading } from './list-containers-sql.ts'
import { inlandMomentsOf, momentsOf } from './moments.ts'
import { freeTimeContextOf } from './urgency.ts'

const sayer = schema.oneOfOrNull(sourceKinds)
const listSources = schema.object(
  { holds_at_pod_terminal: sayer, fees_at_pod_terminal: sayer },
  {
    description: 'The source of the list. Null: no source has stated any, so an empty list means unknown, not none.',
  },
)

export const container: ResourceKind<ContainerReading> = {
  type: 'container',
  attributes: schemasOf(containerAttributes),
  relations: {
    shipment: toOne('shipment'),
    pickup_facility: toOne('terminal'),
    pod_terminal: toOne('terminal'),
    transport_events: toMany('transport_event'),
    raw_events: toManyTruncated('raw_event'),
    custom_fields: toMany('custom_field'),
  },
  write: (reading) => writeAttributes(containerAttributes, reading.projection, containerContextOf(reading)),
  link: ({ shipmentId, projection }) => ({
    shipment: { type: 'shipment', id: shipmentId },
    pickup_facility: identifierOrNull('terminal', projection.pickupFacility?.terminalId ?? null),
    pod_terminal: identifierOrNull('terminal', projection.podTerminal?.terminalId ?? null),
  }),
  related: ({ id }) => ({
    transport_events: `/containers/${id}/transport_events`,
    raw_events: `/containers/${id}/raw_events`,
    custom_fields: `/containers/${id}/custom_fields`,
  }),
  meta: {
    properties: {
      ...lastChangedBy.properties,
      ...provenance.properties,
      said_by: listSources,
      verified_gross_mass_kg: schema.numberOrNull({
        description: 'Weight of the container with its cargo, as the shipper has verified it (SOLAS).',
      }),
    },
    write: (reading, explained) => ({
      ...lastChangedBy.write(reading),
      ...provenance.write(explained),
      said_by: writeListSources(reading.projection),
      verified_gross_mass_kg: reading.projection.verifiedGrossMassKg ?? null,
    }),
  },
}

function writeListSources({ saidBy: by }: ContainerReading['projection']): Readonly<Record<string, unknown>> {
  return { holds_at_pod_terminal: by.holds ?? null, fees_at_pod_terminal: by.fees ?? null }
}

function containerContextOf(reading: ContainerReading): ContainerContext {
  const { projection, refNumbers, createdAt, status, lastAttemptedAt, actsOn } = reading
  return {
    refNumbers,
    createdAt,
    status,
    lastAttemptedAt,
    actsOn,
    ...freeTimeContextOf(reading),
    happened: momentsOf(reading.happened),
    inland: inlandMomentsOf(reading),
    heardAt: {
      terminal: findLastReportTime('terminal', projection),
      podTerminal: findTerminalReportTime(projection),
      rail: findLastReportTime('rail', projection),
    },
    railroads: {
      pod: railroadScac(projection.podRailCarrier),
      destination: railroadScac(projection.destinationRailCarrier),
    },
  }
}
