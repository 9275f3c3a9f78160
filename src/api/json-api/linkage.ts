/**
 * Linkage that every document shows although no reading contains it. It is read when a document is written, in one
 * query for all resources of a type, primary and included.
 */

import { type ContainerWithShipment, rawIdsMax } from '../../modules/containers/container-with-shipment-sql.ts'
import type { EventIds } from '../../modules/containers/related-ids-sql.ts'
import { listValueIds } from '../../modules/custom-fields/list-value-ids.ts'
import { getShipmentFacilities } from '../../modules/shipments/get-shipment.ts'
import type { ShipmentFacilities } from '../../modules/shipments/list-shipments-sql.ts'
import { facilitiesOf } from '../../modules/shipments/shipment-resource.ts'
import type { TerminalReading } from '../../modules/terminals/terminal-resource.ts'
import { listEventIds } from '../../modules/transport-events/list-transport-events.ts'
import type { Caller } from '../callers/caller.ts'
import type { Identifier, Links, ResourceType } from '../shape/resource-kind.ts'
import type { Reading, ReadingOf } from './resource-kinds.ts'

/**
 * Maximum identifiers that such a relation shows. These are the newest; all are shown when the relation is included.
 */
const linkedMax = rawIdsMax - 1

export interface LoadedLinkage {
  readonly links: Links
  /** The relations that have more members than the linkage shows. */
  readonly cut: readonly string[]
}

/** Data that need not be read. */
export interface KnownReadings {
  /** The readings of examples, which are in no database, and those that the caller has already read. */
  readonly readings: readonly Reading[]
  /** What the linkage of containers and shipments needs, where it was read with them. */
  readonly linked?: LinkedIds | undefined
}

/** By the id of the container or shipment. */
export interface LinkedIds {
  readonly eventIds: ReadonlyMap<string, EventIds>
  readonly facilities: ReadonlyMap<string, ShipmentFacilities>
}

export function linkedIdsOf({ container, shipment, eventIds, facilities }: ContainerWithShipment): LinkedIds {
  return { eventIds: new Map([[container.id, eventIds]]), facilities: new Map([[shipment.id, facilities]]) }
}

/** Reads it for all these readings of one account at once. */
export async function readLinkedIds({ service, context }: Caller, readings: readonly Reading[]): Promise<LinkedIds> {
  const containers = readings.filter((reading) => reading.type === 'container')
  const shipments = readings.filter((reading) => reading.type === 'shipment')
  const [eventIds, facilities] = await Promise.all([
    containers.length === 0
      ? []
      : listEventIds(service, context, { containerIds: idsOf(containers), rawMax: linkedMax + 1 }),
    shipments.length === 0 ? [] : getShipmentFacilities(service, context, { shipments }),
  ])
  return {
    eventIds: new Map(eventIds.map((row) => [row.containerId, row])),
    facilities: new Map(facilities.map((row) => [row.id, row])),
  }
}

interface LinkageLoader<From> {
  readonly relations: readonly string[]
  readonly ask: (
    caller: Caller,
    from: readonly From[],
    known: KnownReadings,
  ) => Promise<ReadonlyMap<string, LoadedLinkage>>
}

const askers: { readonly [Type in Reading['type']]?: LinkageLoader<ReadingOf<Type>> } = {
  container: { relations: ['transport_events', 'raw_events'], ask: loadEventLinks },
  shipment: { relations: ['pod_terminal', 'destination_terminal'], ask: loadFacilityLinks },
  custom_field_definition: { relations: ['fields', 'options'], ask: loadValueLinks },
}

/** The linkage of each reading. Relations that are linked already, and those that `fields` omits, are not read. */
export async function loadLinkage(
  caller: Caller,
  readings: readonly Reading[],
  given: {
    readonly linkage: ReadonlyMap<Reading, Links>
    readonly fields: ReadonlyMap<string, ReadonlySet<string>>
    readonly known: KnownReadings
  },
): Promise<ReadonlyMap<Reading, LoadedLinkage>> {
  const loaded = new Map<Reading, LoadedLinkage>()
  const ofType = Map.groupBy(readings, ({ type }) => type)
  await Promise.all(
    [...ofType].map(async ([type, all]) => {
      const asker = askers[type] as LinkageLoader<Reading> | undefined
      const shownFields = given.fields.get(type)
      const relations = asker?.relations.filter((name) => shownFields === undefined || shownFields.has(name)) ?? []
      const isMissing = (reading: Reading, name: string) => given.linkage.get(reading)?.[name] === undefined
      const from = all.filter((reading) => relations.some((name) => isMissing(reading, name)))
      if (asker === undefined || from.length === 0) return
      const found = await asker.ask(caller, from, given.known)
      for (const reading of from) {
        const { links, cut } = found.get(reading.id) ?? { links: {}, cut: [] }
        const missing = Object.entries(links).filter(([name]) => isMissing(reading, name))
        loaded.set(reading, {
          links: Object.fromEntries(missing),
          cut: cut.filter((name) => isMissing(reading, name)),
        })
      }
    }),
  )
  return loaded
}

async function loadEventLinks(
  caller: Caller,
  from: readonly ReadingOf<'container'>[],
  { readings, linked }: KnownReadings,
): Promise<ReadonlyMap<string, LoadedLinkage>> {
  const isKnown = from.every(({ id }) => linked?.eventIds.has(id) === true)
  const { eventIds: byContainer } = linked !== undefined && isKnown ? linked : await readLinkedIds(caller, from)
  return new Map(
    from.map(({ id }) => {
      const row = byContainer.get(id)
      const ofExample = readings.filter((each) => each.type === 'transport_event' && each.containerId === id)
      const raw = cutList('raw_event', row?.rawEventIds ?? [])
      return [
        id,
        {
          links: {
            transport_events: toIdentifiers('transport_event', row?.transportEventIds ?? idsOf(ofExample)),
            raw_events: raw.identifiers,
          },
          cut: raw.isCut ? ['raw_events'] : [],
        },
      ]
    }),
  )
}

async function loadFacilityLinks(
  caller: Caller,
  from: readonly ReadingOf<'shipment'>[],
  { readings, linked }: KnownReadings,
): Promise<ReadonlyMap<string, LoadedLinkage>> {
  const isKnown = from.every(({ id }) => linked?.facilities.has(id) === true)
  const { facilities: byShipment } = linked !== undefined && isKnown ? linked : await readLinkedIds(caller, from)
  return new Map(
    from.map((shipment) => {
      const row = byShipment.get(shipment.id) ?? agreedFacilities(shipment.id, readings)
      const { podTerminal, destinationTerminal } = facilitiesOf(shipment, row)
      const links = { pod_terminal: linkOf(podTerminal), destination_terminal: linkOf(destinationTerminal) }
      return [shipment.id, { links, cut: [] }]
    }),
  )
}

/** For a shipment that is in no database: the facilities in which all its known containers agree. */
function agreedFacilities(id: string, known: readonly Reading[]): Omit<ShipmentFacilities, 'id'> {
  const containers = known.filter((each) => each.type === 'container').filter(({ shipmentId }) => shipmentId === id)
  const agreed = (ids: readonly (string | null)[]) => (new Set(ids).size === 1 ? (ids[0] ?? null) : null)
  return {
    podTerminalId: agreed(containers.map(({ projection }) => projection.podTerminal?.terminalId ?? null)),
    pickupFacilityId: agreed(containers.map(({ projection }) => projection.pickupFacility?.terminalId ?? null)),
  }
}

async function loadValueLinks(
  { service, context }: Caller,
  from: readonly ReadingOf<'custom_field_definition'>[],
): Promise<ReadonlyMap<string, LoadedLinkage>> {
  const rows = await listValueIds(service, context, { definitionIds: idsOf(from), fieldsMax: linkedMax + 1 })
  const byDefinition = new Map(rows.map((row) => [row.definitionId, row]))
  return new Map(
    from.map(({ id }) => {
      // A definition that was just deleted has none any more.
      const { fieldIds = [], optionIds = [] } = byDefinition.get(id) ?? {}
      const fields = cutList('custom_field', fieldIds)
      const links = { fields: fields.identifiers, options: toIdentifiers('custom_field_option', optionIds) }
      return [id, { links, cut: fields.isCut ? ['fields'] : [] }]
    }),
  )
}

function cutList(type: ResourceType, ids: readonly string[]) {
  return { identifiers: toIdentifiers(type, ids.slice(0, linkedMax)), isCut: ids.length > linkedMax }
}

function toIdentifiers(type: ResourceType, ids: readonly string[]): readonly Identifier[] {
  return ids.map((id) => ({ type, id }))
}

function idsOf(readings: readonly { readonly id: string }[]): readonly string[] {
  return readings.map(({ id }) => id)
}

function linkOf(reading: TerminalReading | null): Identifier | null {
  return reading === null ? null : { type: reading.type, id: reading.id }
}
