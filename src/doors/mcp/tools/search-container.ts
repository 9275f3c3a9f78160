/**
 * `search_container`: finds containers and shipments by any part of a number or reference. An empty result is no error.
 */

import type { ObservedPlace } from '../../../core/statements/observation.ts'
import { Type } from '../../../platform/json-schema.ts'
import { containerNumberSlip } from '../../../service/tracking/requests/container-number-slip.ts'
import { findTracked, type Tracked } from '../../../service/tracking/search/find-tracked.ts'
import { closed } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { flag, list, maybe, number, object, text, textOrNull, texts } from '../tool/schema.ts'
import { type Asking, result, tool } from '../tool/tool.ts'
import { fenceUnlessCode } from '../words/fence.ts'
import { writeLabels } from '../words/labels.ts'
import { placeName, writeTerminal } from '../words/places.ts'
import { trackingRequestItem, writeTrackingRequest } from '../words/tracking-request-item.ts'

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
    const found = await findTracked(asking.service, asking.context, query)
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

/**
 * Why nothing was found, when the number contains a typing mistake or is requested but not tracked yet. Without this,
 * the agent would report that the number does not exist.
 */
async function whyNothing(
  { service, context }: Asking,
  query: string,
  { requests }: Tracked,
): Promise<string | null> {
  if (requests.length > 0)
    return 'It was asked for, and is not tracked (yet): `tracking_requests` says how that stands.'
  return containerNumberSlip(service, context, query)
}

function writeFound({ containers, shipments, byId, statusOf, requests }: Tracked) {
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
