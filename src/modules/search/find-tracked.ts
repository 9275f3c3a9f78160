/**
 * What the account tracks under a number or reference: containers with their shipments, and requests that have no
 * shipment yet.
 */

import { readPasted } from '../../inference/pasted.ts'
import type { Context } from '../access/context.ts'
import { getContainers } from '../containers/get-container.ts'
import { listContainersOfShipments } from '../containers/list-containers.ts'
import type { ContainerReading } from '../containers/list-containers-sql.ts'
import type { Service } from '../service.ts'
import { getShipments } from '../shipments/get-shipment.ts'
import type { ShipmentReading } from '../shipments/list-shipments-sql.ts'
import { getTrackingRequests } from '../tracking-requests/get-tracking-request.ts'
import type { TrackingRequestReading } from '../tracking-requests/list-tracking-requests-sql.ts'
import { isAnswerFor, type NumberToTrack } from '../tracking-requests/track-number.ts'
import { search } from './search.ts'

/** Containers of a shipment that was found are listed too, up to this maximum. */
const containersMax = 25

export interface TrackedMatches {
  readonly containers: readonly ContainerReading[]
  readonly shipments: readonly ShipmentReading[]
  /** The shipments that were found, and those of the containers. */
  readonly byId: ReadonlyMap<string, ShipmentReading>
  readonly statusOf: ReadonlyMap<string, string | null>
  /** Requests that have no shipment (yet). */
  readonly requests: readonly TrackingRequestReading[]
  readonly isEmpty: boolean
  readonly isWhole: boolean
}

export async function findTracked(service: Service, context: Context, query: string): Promise<TrackedMatches> {
  const hits = await search(service, context, { query })
  const idsOf = (kind: string) => hits.flatMap((hit) => (hit.kind === kind ? [hit.id] : []))
  const shipmentIds = idsOf('shipment')
  const [hitContainers, ofShipments, hitRequests] = await Promise.all([
    getContainers(service, context, { ids: idsOf('container') }),
    listContainersOfShipments(service, context, { shipmentIds }),
    getTrackingRequests(service, context, { ids: idsOf('tracking_request') }),
  ])
  const inOrder = hits.flatMap(({ id }) => hitContainers.filter((each) => each.id === id))
  const more = ofShipments.filter(({ id }) => !inOrder.some((each) => each.id === id))
  const containers = [...inOrder, ...more].slice(0, containersMax)
  const allIds = [...new Set([...shipmentIds, ...containers.map(({ shipmentId }) => shipmentId)])]
  const byId = new Map((await getShipments(service, context, { ids: allIds })).map((each) => [each.id, each]))
  return {
    containers,
    shipments: shipmentIds.flatMap((id) => byId.get(id) ?? []),
    byId,
    statusOf: new Map(hits.map(({ id, status }) => [id, status])),
    requests: hitRequests
      .filter(({ shipmentId }) => shipmentId === null)
      .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)),
    isEmpty: containers.length === 0 && shipmentIds.length === 0,
    isWhole: hits.length < 25 && inOrder.length + more.length <= containersMax,
  }
}

/**
 * The containers found that are the answer for the wanted number: it is exactly their own or their shipment's. Then no
 * new request is needed.
 */
export function findAnsweringContainers(
  found: TrackedMatches,
  wanted: Pick<NumberToTrack, 'number' | 'scac' | 'isAgain'>,
): readonly { readonly container: ContainerReading; readonly shipment: ShipmentReading }[] {
  if (readPasted(wanted.number).kind === 'changed') return []
  const plain = (each: string): string => each.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const isSame = (each: string): boolean => plain(each) === plain(wanted.number)
  return found.containers.flatMap((container) => {
    const shipment = found.byId.get(container.shipmentId)
    if (shipment === undefined || !isAnswerFor(shipment, wanted)) return []
    const isHit = found.shipments.includes(shipment)
    const names = isHit ? [shipment.billOfLadingNumber, shipment.normalizedNumber] : []
    return [container.projection.number, ...names].some(isSame) ? [{ container, shipment }] : []
  })
}
