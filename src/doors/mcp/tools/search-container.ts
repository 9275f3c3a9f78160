/** `search_container`: containers and shipments by any part of a number or reference. Nothing found is no error. */

import { Type } from 'typebox'
import type { ObservedPlace } from '../../../core/observation.ts'
import { getContainers } from '../../../service/tracking/containers/get-container.ts'
import { listContainersOfShipments } from '../../../service/tracking/containers/list-containers.ts'
import { containerNumberSlip } from '../../../service/tracking/requests/container-number-slip.ts'
import { getTrackingRequests } from '../../../service/tracking/requests/get-tracking-request.ts'
import { search } from '../../../service/tracking/search/search.ts'
import { getShipments } from '../../../service/tracking/shipments/get-shipment.ts'
import type { ContainerReading } from '../../../store/read/containers.ts'
import type { ShipmentReading } from '../../../store/read/shipments.ts'
import type { TrackingRequestReading } from '../../../store/read/tracking-requests.ts'
import { fenceUnlessCode } from '../fence.ts'
import { closed } from '../inputs.ts'
import { writeLabels } from '../labels.ts'
import { placeName, writeTerminal } from '../places.ts'
import { responseContract, writeContract } from '../response-contract.ts'
import { flag, list, maybe, number, object, text, textOrNull, texts } from '../schema.ts'
import { type Asking, result, tool } from '../tool.ts'
import { trackingRequestItem, writeTrackingRequest } from '../tracking-request-item.ts'

/** Containers of a shipment that was found are shown as well, but no more than these. */
const containersMax = 25

export const searchContainer = tool({
  name: 'search_container',
  title: 'Search',
  about: 'Find tracked containers and shipments by any part of a number or reference.',
  effect: 'read',
  input: Type.Object(
    {
      query: Type.String({ minLength: 1, maxLength: 200, description: 'Number or reference, or part of it' }),
    },
    closed,
  ),
  output: object({
    containers: list(
      object({
        id: text,
        number: text,
        container_number: text,
        status: text,
        shipping_line: text,
        shipment_id: text,
        pol_terminal: textOrNull,
        pod_terminal: textOrNull,
        destination: textOrNull,
        duplicate_number: flag,
      }),
    ),
    shipments: list(
      object({
        id: text,
        bill_of_lading: textOrNull,
        status: textOrNull,
        ref_numbers: texts,
        shipping_line: text,
        container_count: number,
      }),
    ),
    tracking_requests: list(trackingRequestItem),
    total_results: number,
    message: maybe(text),
    _response_contract: responseContract,
  }),
  run: async (asking, { query }) => {
    const found = await findTracked(asking, query)
    const message = found.isEmpty ? await whyNothing(asking, query, found) : null
    return result(
      {
        ...writeFound(found),
        ...(message === null ? {} : { message }),
        _response_contract: writeContract({ total_is_reliable: found.isWhole }),
      },
      {
        presentation:
          found.shipments.length + found.containers.length === 0
            ? 'Say what `message` says, else that nothing tracked matches; offer to track the number.'
            : 'Name the matches; where a number comes twice, ask which shipment is meant.',
        followUps: found.isEmpty
          ? ['Is the number right?', 'Shall it be tracked?']
          : ['Where is it now?', 'When does it arrive, or must be picked up?'],
        tools: ['get_container', 'get_shipment_details', 'track_container'],
      },
    )
  },
})

export interface Found {
  readonly containers: readonly ContainerReading[]
  readonly shipments: readonly ShipmentReading[]
  /** Of the shipments, and of those of the containers. */
  readonly byId: ReadonlyMap<string, ShipmentReading>
  readonly statusOf: ReadonlyMap<string, string | null>
  /** What was asked to be tracked and is no shipment (yet). */
  readonly requests: readonly TrackingRequestReading[]
  readonly isEmpty: boolean
  readonly isWhole: boolean
}

export async function findTracked({ service, context }: Asking, query: string): Promise<Found> {
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

/** A typing mistake and a number that is asked for are no reasons to say that there is no such number. */
async function whyNothing(
  { service, context }: Asking,
  query: string,
  { requests }: Found,
): Promise<string | null> {
  if (requests.length > 0)
    return 'It was asked for, and is not tracked (yet): `tracking_requests` says how that stands.'
  return containerNumberSlip(service, context, query)
}

function writeFound({ containers, shipments, byId, statusOf, requests }: Found) {
  const times = Map.groupBy(containers, ({ projection }) => projection.number)
  return {
    containers: containers.map((container) => {
      const shipment = byId.get(container.shipmentId)
      return {
        id: container.id,
        number: container.projection.number,
        container_number: container.projection.number,
        status: container.status,
        shipping_line: fenceUnlessCode(shipment?.scac ?? ''),
        shipment_id: container.shipmentId,
        pol_terminal: nameOf(container.projection.portOfLoading.place),
        pod_terminal: writeTerminal(container.projection.podTerminal)?.name ?? null,
        destination: nameOf(container.projection.destination?.place ?? null),
        duplicate_number: (times.get(container.projection.number)?.length ?? 0) > 1,
      }
    }),
    shipments: shipments.map((shipment) => ({
      id: shipment.id,
      bill_of_lading: fenceUnlessCode(shipment.billOfLadingNumber),
      status: statusOf.get(shipment.id) ?? null,
      ref_numbers: writeLabels(shipment.refNumbers),
      shipping_line: shipment.scac,
      container_count: shipment.containerIds.length,
    })),
    tracking_requests: requests.map(writeTrackingRequest),
    total_results: containers.length + shipments.length,
  }
}

function nameOf(place: ObservedPlace | null): string | null {
  return place === null ? null : placeName(place)
}
