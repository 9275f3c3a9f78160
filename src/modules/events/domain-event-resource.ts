/** The events that are their own reference object: a new estimate of a shipment, a change of a container. */

import { type IdentifiedReading, identifierOrNull, type ResourceKind, toOne } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { writeIfTime } from '../../api/shape/whole-times.ts'
import { linkPlace } from '../ports/place-resource.ts'
import { dataSource } from '../transport-events/data-source-resource.ts'
import { linkVessel } from '../vessels/vessel-resource.ts'
import type { DomainEventReading } from './read-domain-events-sql.ts'

const ownEventTypes = [
  'estimated_event',
  'container_charges_event',
  'container_overdue_event',
  'container_created_event',
  'container_updated_event',
  'container_pod_terminal_changed_event',
] as const
type OwnEventType = (typeof ownEventTypes)[number]

export interface OwnEventReading<Type extends OwnEventType = OwnEventType> extends IdentifiedReading {
  readonly type: Type
  readonly event: DomainEventReading
}

/** Null for an event whose reference object has a row of its own. */
export function readOwnEvent(event: DomainEventReading): OwnEventReading | null {
  const type = ownEventTypes.find((each) => each === event.referenceType)
  return type === undefined ? null : { type, id: event.referenceId, event }
}

/** A text of the payload; null when the value is no text. */
export function textOf(event: DomainEventReading, name: string): string | null {
  const value = event.payload[name]
  return typeof value === 'string' ? value : null
}

/** `meta` of the events that name their data source. */
const sourceMeta = {
  properties: dataSource.meta.properties,
  write: ({ event }: { readonly event: DomainEventReading }) => dataSource.meta.write(event.payload['data_source']),
}
const containerRelations = { container: toOne('container'), shipment: toOne('shipment') }

function writeContainerRelations({ containerId, shipmentId }: DomainEventReading) {
  return {
    container: identifierOrNull('container', containerId),
    shipment: identifierOrNull('shipment', shipmentId),
  }
}

function writeTerminalRelation(event: DomainEventReading) {
  return { terminal: identifierOrNull('terminal', textOf(event, 'terminal_id')) }
}

export const estimatedEvent: ResourceKind<OwnEventReading<'estimated_event'>> = {
  type: 'estimated_event',
  attributes: {
    created_at: schema.instant(),
    estimated_timestamp: schema.instant(),
    event: schema.text(),
    location_locode: schema.textOrNull(),
    timezone: schema.zoneOrNull(),
    voyage_number: schema.textOrNull(),
    data_source: dataSource.attribute,
  },
  relations: { shipment: toOne('shipment'), port: toOne('port', 'metro_area'), vessel: toOne('vessel') },
  write: ({ event }) => ({
    created_at: event.createdAt,
    estimated_timestamp: event.payload['estimated_timestamp'],
    event: event.name,
    location_locode: textOf(event, 'location_locode'),
    timezone: textOf(event, 'timezone'),
    voyage_number: textOf(event, 'voyage_number'),
    data_source: dataSource.write(event.payload['data_source']),
  }),
  link: ({ event }) => ({
    shipment: identifierOrNull('shipment', event.shipmentId),
    port: linkPlace(textOf(event, 'location_locode')),
    vessel: linkVessel(textOf(event, 'vessel_imo')),
  }),
  meta: sourceMeta,
}

export const containerCreatedEvent: ResourceKind<OwnEventReading<'container_created_event'>> = {
  type: 'container_created_event',
  attributes: { timestamp: schema.instant(), timezone: schema.zoneOrNull() },
  relations: containerRelations,
  write: ({ event }) => ({
    timestamp: event.payload['timestamp'],
    timezone: textOf(event, 'timezone'),
  }),
  link: ({ event }) => writeContainerRelations(event),
}

export const containerUpdatedEvent: ResourceKind<OwnEventReading<'container_updated_event'>> = {
  type: 'container_updated_event',
  attributes: {
    changeset: {
      type: 'object',
      description: 'Each field that changed, with the values before and after.',
      additionalProperties: { type: 'array', minItems: 2, maxItems: 2 },
    },
    timestamp: schema.instant(),
    timezone: schema.zoneOrNull(),
    data_source: dataSource.attribute,
  },
  relations: { ...containerRelations, terminal: toOne('terminal') },
  write: ({ event }) => ({
    changeset: writeChangeset(event.payload['changeset']),
    timestamp: event.payload['timestamp'],
    timezone: textOf(event, 'timezone'),
    data_source: dataSource.write(event.payload['data_source']),
  }),
  link: ({ event }) => ({ ...writeContainerRelations(event), ...writeTerminalRelation(event) }),
  meta: sourceMeta,
}

/** Most values in a changeset are times. Its fields have no schemas, so each value is checked by its form. */
function writeChangeset(changeset: unknown): Readonly<Record<string, unknown>> {
  const fields = Object.entries(changeset as Readonly<Record<string, readonly unknown[]>>)
  return Object.fromEntries(fields.map(([field, values]) => [field, values.map(writeIfTime)]))
}

export const containerPodTerminalChangedEvent: ResourceKind<OwnEventReading<'container_pod_terminal_changed_event'>> = {
  type: 'container_pod_terminal_changed_event',
  attributes: { timestamp: schema.instant(), data_source: dataSource.attribute },
  relations: { ...containerRelations, terminal: toOne('terminal') },
  write: ({ event }) => ({
    timestamp: event.payload['timestamp'],
    data_source: dataSource.write(event.payload['data_source']),
  }),
  link: ({ event }) => ({ ...writeContainerRelations(event), ...writeTerminalRelation(event) }),
  meta: sourceMeta,
}
