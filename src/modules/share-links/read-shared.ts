/**
 * What a share link shows: its shipments with their containers, events and maps. The API writes an allow-listed
 * document of it.
 */

import type { Context } from '../access/context.ts'
import { listContainers, listContainersOfShipments } from '../containers/list-containers.ts'
import type { ContainerFilter, ContainerOrder, ContainerReading } from '../containers/list-containers-sql.ts'
import type { RouteStop } from '../routes/container-itinerary.ts'
import { getContainerMap, type MapFeature } from '../routes/get-container-map.ts'
import { findSavedView, type SavedView } from '../saved-views/saved-views-sql.ts'
import type { Service } from '../service.ts'
import { getShipments } from '../shipments/get-shipment.ts'
import { listShipments } from '../shipments/list-shipments.ts'
import type { ShipmentFilter, ShipmentOrder, ShipmentReading } from '../shipments/list-shipments-sql.ts'
import { listTransportEvents } from '../transport-events/list-transport-events.ts'
import type { TransportEventReading } from '../transport-events/list-transport-events-sql.ts'
import { type ShareAccess, sharedPageNotFound } from './open-share-link.ts'
import { listStops, type PlannedMove, plannedMovesOf } from './planned-moves.ts'

/** What a saved view lists. */
export type ViewedRows =
  | { readonly list: 'shipments'; readonly filter: ShipmentFilter; readonly order: ShipmentOrder }
  | { readonly list: 'containers'; readonly filter: ContainerFilter; readonly order: ContainerOrder }

/** The APIs know the parameters of the lists, so they read the query of a view. Null: it cannot be read any more. */
export type ReadView = (view: SavedView) => Promise<ViewedRows | null>

export interface SharedContainer {
  readonly container: ContainerReading
  readonly events: readonly TransportEventReading[]
  readonly stops: readonly RouteStop[]
  readonly planned: readonly PlannedMove[]
}

export interface SharedShipment {
  readonly shipment: ShipmentReading
  readonly containers: readonly SharedContainer[]
  readonly features: readonly MapFeature[]
}

export interface SharedContent {
  readonly shipments: readonly SharedShipment[]
  /** The view lists more than is shown. */
  readonly hasMore: boolean
}

/** The first rows of a view that are shown. */
export const sharedRowsMax = 200
/** After this many containers no further shipment is shown: a bill can have hundreds. */
const containersMax = 2_000
/** The containers of a shipment mostly travel together. Each different way is drawn once, at most this many. */
const waysMax = 5
/** Shipments that are read at a time, so that one page does not use all connections of its account. */
const togetherMax = 4

interface Rows {
  readonly shipments: readonly ShipmentReading[]
  readonly containers: readonly ContainerReading[]
  readonly hasMore: boolean
}

export async function readSharedContent(
  service: Service,
  { link, context }: ShareAccess,
  readView: ReadView,
): Promise<SharedContent> {
  const rows =
    link.shipmentId === null
      ? await rowsOfView(service, context, await viewOf(service, link, readView))
      : await rowsOfShipment(service, context, link.shipmentId)
  const byShipment = Map.groupBy(rows.containers, ({ shipmentId }) => shipmentId)
  const views: { shipment: ShipmentReading; containers: readonly ContainerReading[] }[] = []
  let count = 0
  for (const shipment of rows.shipments) {
    const containers = byShipment.get(shipment.id) ?? []
    count += containers.length
    if (count > containersMax && views.length > 0) break
    views.push({ shipment, containers })
  }
  const shipments: SharedShipment[] = []
  for (let at = 0; at < views.length; at += togetherMax) {
    const some = views.slice(at, at + togetherMax)
    shipments.push(...(await Promise.all(some.map((each) => readJourneys(service, context, each)))))
  }
  return { shipments, hasMore: rows.hasMore || views.length < rows.shipments.length }
}

async function viewOf(service: Service, link: ShareAccess['link'], readView: ReadView): Promise<ViewedRows> {
  const id = link.savedViewId
  const view = id === null ? null : await findSavedView(service.pool, { accountId: link.accountId, id })
  const viewed = view === null ? null : await readView(view)
  if (viewed === null) throw sharedPageNotFound()
  return viewed
}

async function rowsOfShipment(service: Service, context: Context, id: string): Promise<Rows> {
  const shipments = await getShipments(service, context, { ids: [id] })
  if (shipments.length === 0) throw sharedPageNotFound()
  const containers = await listContainersOfShipments(service, context, { shipmentIds: [id] })
  return { shipments, containers, hasMore: false }
}

async function rowsOfView(service: Service, context: Context, viewed: ViewedRows): Promise<Rows> {
  const page = { number: 1, size: sharedRowsMax }
  if (viewed.list === 'shipments') {
    const { rows, pagePosition } = await listShipments(service, context, { ...viewed, page })
    const shipmentIds = rows.map(({ id }) => id)
    const containers = await listContainersOfShipments(service, context, { shipmentIds })
    return { shipments: rows, containers, hasMore: pagePosition?.hasNext === true }
  }
  // A view of containers shows the containers that it lists, and no others of the same shipments.
  const { rows, pagePosition } = await listContainers(service, context, { ...viewed, page })
  const ids = [...new Set(rows.map(({ shipmentId }) => shipmentId))]
  const byId = new Map((await getShipments(service, context, { ids })).map((each) => [each.id, each]))
  const shipments = ids.flatMap((id) => byId.get(id) ?? [])
  return { shipments, containers: rows, hasMore: pagePosition?.hasNext === true }
}

/** The containers of a shipment with their events and ways, and what of the ways can be drawn. */
export async function readJourneys(
  service: Service,
  context: Context,
  of: { readonly shipment: ShipmentReading; readonly containers: readonly ContainerReading[] },
): Promise<SharedShipment> {
  const containerIds = of.containers.map(({ id }) => id)
  const events = await listTransportEvents(service, context, { containerIds })
  const byContainer = Map.groupBy(events, ({ containerId }) => containerId)
  const wayOf = (id: string) => toWayKey(byContainer.get(id) ?? [])
  const stops = new Map<string, readonly RouteStop[]>()
  const features: MapFeature[] = []
  for (const id of containerIds) {
    const way = wayOf(id)
    if (stops.has(way) || stops.size === waysMax) continue
    stops.set(way, await listStops(service, context, { containerId: id }))
    features.push(...(await getContainerMap(service, context, { id })))
  }
  const containers = of.containers.map((container) => ({
    container,
    events: byContainer.get(container.id) ?? [],
    stops: stops.get(wayOf(container.id)) ?? [],
    planned: plannedMovesOf(stops.get(wayOf(container.id)) ?? []),
  }))
  return { shipment: of.shipment, containers, features }
}

/** Containers with the same text have the same places and ships. */
function toWayKey(events: readonly TransportEventReading[]): string {
  const steps = events.map(({ unlocode, vesselImo, voyageNumber }) => `${unlocode} ${vesselImo} ${voyageNumber}`)
  return [...new Set(steps)].join('\n')
}
