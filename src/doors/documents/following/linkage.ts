/**
 * Linkage that every document shows although no reading contains it. It is read when a document is written, in one
 * query for all resources of a type, primary and included.
 */

import { listEventIds } from '../../../service/tracking/containers/list-event-ids.ts'
import { listValueIds } from '../../../service/tracking/custom-fields/list-value-ids.ts'
import { getShipmentFacilities } from '../../../service/tracking/shipments/get-shipment.ts'
import { type ContainerWithShipment, rawIdsMax } from '../../../store/read/container-with-shipment.ts'
import type { ShipmentFacilities } from '../../../store/read/shipments.ts'
import { facilitiesOf } from '../resources/journeys/shipment.ts'
import type { TerminalReading } from '../resources/reference/terminal.ts'
import type { Reading, ReadingOf } from '../resources.ts'
import type { Identifier, Links, ResourceType } from '../shape/resource.ts'
import type { Caller } from './caller.ts'

/**
 * Maximum identifiers that such a relation shows. These are the newest; all are shown when the relation is included.
 */
const linkedMax = rawIdsMax - 1

export interface Asked {
  readonly links: Links
  /** The relations that have more members than the linkage shows. */
  readonly cut: readonly string[]
}

/** Data that need not be read. */
export interface Known {
  /** The readings of examples, which are in no database, and those that the caller has already read. */
  readonly readings: readonly Reading[]
  /** One container and its shipment, with the ids that their linkage needs. */
  readonly whole?: ContainerWithShipment | undefined
}

interface Asker<From> {
  readonly relations: readonly string[]
  readonly ask: (caller: Caller, from: readonly From[], known: Known) => Promise<ReadonlyMap<string, Asked>>
}

const askers: { readonly [Type in Reading['type']]?: Asker<ReadingOf<Type>> } = {
  container: { relations: ['transport_events', 'raw_events'], ask: askForEvents },
  shipment: { relations: ['pod_terminal', 'destination_terminal'], ask: askForFacilities },
  custom_field_definition: { relations: ['fields', 'options'], ask: askForValues },
}

/** The linkage of each reading. Relations that are linked already, and those that `fields` omits, are not read. */
export async function askLinkage(
  caller: Caller,
  readings: readonly Reading[],
  given: {
    readonly linkage: ReadonlyMap<Reading, Links>
    readonly fields: ReadonlyMap<string, ReadonlySet<string>>
    readonly known: Known
  },
): Promise<ReadonlyMap<Reading, Asked>> {
  const asked = new Map<Reading, Asked>()
  const ofType = Map.groupBy(readings, ({ type }) => type)
  await Promise.all(
    [...ofType].map(async ([type, all]) => {
      const asker = askers[type] as Asker<Reading> | undefined
      const shown = given.fields.get(type)
      const relations = asker?.relations.filter((name) => shown === undefined || shown.has(name)) ?? []
      const isMissing = (reading: Reading, name: string) => given.linkage.get(reading)?.[name] === undefined
      const from = all.filter((reading) => relations.some((name) => isMissing(reading, name)))
      if (asker === undefined || from.length === 0) return
      const found = await asker.ask(caller, from, given.known)
      for (const reading of from) {
        const { links, cut } = found.get(reading.id) ?? { links: {}, cut: [] }
        const missing = Object.entries(links).filter(([name]) => isMissing(reading, name))
        asked.set(reading, {
          links: Object.fromEntries(missing),
          cut: cut.filter((name) => isMissing(reading, name)),
        })
      }
    }),
  )
  return asked
}

async function askForEvents(
  { service, context }: Caller,
  from: readonly ReadingOf<'container'>[],
  { readings, whole }: Known,
): Promise<ReadonlyMap<string, Asked>> {
  const isTold = from.every((container) => container === whole?.container)
  const rows =
    whole !== undefined && isTold
      ? [whole.eventIds]
      : await listEventIds(service, context, { containerIds: idsOf(from), rawMax: linkedMax + 1 })
  const byContainer = new Map(rows.map((row) => [row.containerId, row]))
  return new Map(
    from.map(({ id }) => {
      const row = byContainer.get(id)
      const ofExample = readings.filter((each) => each.type === 'transport_event' && each.containerId === id)
      const raw = cutList('raw_event', row?.rawEventIds ?? [])
      return [
        id,
        {
          links: {
            transport_events: identify('transport_event', row?.transportEventIds ?? idsOf(ofExample)),
            raw_events: raw.identifiers,
          },
          cut: raw.isCut ? ['raw_events'] : [],
        },
      ]
    }),
  )
}

async function askForFacilities(
  { service, context }: Caller,
  from: readonly ReadingOf<'shipment'>[],
  { readings, whole }: Known,
): Promise<ReadonlyMap<string, Asked>> {
  const isTold = from.every((shipment) => shipment === whole?.shipment)
  const rows =
    whole !== undefined && isTold
      ? [whole.facilities]
      : await getShipmentFacilities(service, context, { shipments: from })
  const byShipment = new Map(rows.map((row) => [row.id, row]))
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
  const boxes = known
    .filter((each) => each.type === 'container')
    .filter(({ shipmentId }) => shipmentId === id)
  const agreed = (ids: readonly (string | null)[]) => (new Set(ids).size === 1 ? (ids[0] ?? null) : null)
  return {
    podTerminalId: agreed(boxes.map(({ projection }) => projection.podTerminal?.terminalId ?? null)),
    pickupFacilityId: agreed(boxes.map(({ projection }) => projection.pickupFacility?.terminalId ?? null)),
  }
}

async function askForValues(
  { service, context }: Caller,
  from: readonly ReadingOf<'custom_field_definition'>[],
): Promise<ReadonlyMap<string, Asked>> {
  const rows = await listValueIds(service, context, { definitionIds: idsOf(from), fieldsMax: linkedMax + 1 })
  const byDefinition = new Map(rows.map((row) => [row.definitionId, row]))
  return new Map(
    from.map(({ id }) => {
      // A definition that was just deleted has none any more.
      const { fieldIds = [], optionIds = [] } = byDefinition.get(id) ?? {}
      const fields = cutList('custom_field', fieldIds)
      const links = { fields: fields.identifiers, options: identify('custom_field_option', optionIds) }
      return [id, { links, cut: fields.isCut ? ['fields'] : [] }]
    }),
  )
}

function cutList(type: ResourceType, ids: readonly string[]) {
  return { identifiers: identify(type, ids.slice(0, linkedMax)), isCut: ids.length > linkedMax }
}

function identify(type: ResourceType, ids: readonly string[]): readonly Identifier[] {
  return ids.map((id) => ({ type, id }))
}

function idsOf(readings: readonly { readonly id: string }[]): readonly string[] {
  return readings.map(({ id }) => id)
}

function linkOf(reading: TerminalReading | null): Identifier | null {
  return reading === null ? null : { type: reading.type, id: reading.id }
}
