/**
 * `search_container`: finds containers and shipments by any part of a number or reference. An empty result is no error.
 */

import type { ObservedPlace } from '../../domain/statements/observation.ts'
import type { ContainerReading } from '../../modules/containers/list-containers-sql.ts'
import type { TrackedMatches } from '../../modules/search/find-tracked.ts'
import type { ShipmentReading } from '../../modules/shipments/list-shipments-sql.ts'
import { explainContainerNumberTypo } from '../../modules/tracking-requests/container-number-slip.ts'
import { Type } from '../../platform/json-schema.ts'
import { bytesOf, fitRows } from '../lists/fit-rows.ts'
import { currentLimit, findShown } from '../lists/row-limit.ts'
import { markUnlessCode } from '../presenters/fence.ts'
import { writeLabels } from '../presenters/labels.ts'
import { placeName, writeTerminal } from '../presenters/places.ts'
import { trackingRequestItem, writeTrackingRequest } from '../presenters/tracking-request-item.ts'
import { closed } from '../tool/inputs.ts'
import { type Members, schemaOf, writeMembers } from '../tool/members.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { flag, list, number, object, optional, text, textOrNull, texts } from '../tool/schema.ts'
import { defineTool, makeResult, type ToolContext } from '../tool/tool.ts'

interface FoundContainer extends ContainerReading {
  readonly shipment: ShipmentReading | undefined
  readonly isDuplicate: boolean
}

const container: Members<FoundContainer> = {
  id: [text, ({ id }) => id],
  number: [text, ({ projection }) => projection.number],
  container_number: [text, ({ projection }) => projection.number],
  status: [text, ({ status }) => status],
  shipping_line: [text, ({ shipment }) => markUnlessCode(shipment?.scac ?? '')],
  shipment_id: [text, ({ shipmentId }) => shipmentId],
  pol_terminal: [textOrNull, ({ projection }) => nameOf(projection.portOfLoading.place)],
  pod_terminal: [textOrNull, ({ projection }) => writeTerminal(projection.podTerminal)?.name ?? null],
  destination: [textOrNull, ({ projection }) => nameOf(projection.destination?.place ?? null)],
  duplicate_number: [flag, ({ isDuplicate }) => isDuplicate],
}

const shipment: Members<ShipmentReading & { readonly status: string | null }> = {
  id: [text, ({ id }) => id],
  bill_of_lading: [textOrNull, ({ billOfLadingNumber }) => markUnlessCode(billOfLadingNumber)],
  status: [textOrNull, ({ status }) => status],
  ref_numbers: [texts, ({ refNumbers }) => writeLabels(refNumbers)],
  shipping_line: [text, ({ scac }) => scac],
  container_count: [number, ({ containerIds }) => containerIds.length],
}

export const searchContainer = defineTool({
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
    containers: list(schemaOf(container)),
    shipments: list(schemaOf(shipment)),
    tracking_requests: list(trackingRequestItem),
    total_results: number,
    left_off: optional(number),
    message: optional(text),
    _response_contract: responseContract,
  }),
  run: async (toolContext, { query }) => {
    const found = await findShown(toolContext, query)
    const message = found.isEmpty ? await explainEmptyResult(toolContext, query, found) : null
    return makeResult(
      {
        ...writeMatches(found),
        ...(message === null ? {} : { message }),
        _response_contract: writeContract({ total_is_reliable: found.isWhole }),
      },
      {
        presentation:
          found.shipments.length + found.containers.length === 0
            ? 'Say what `message` says, else that nothing tracked matches; offer to track the number.'
            : 'Name the matches; where a number comes twice, ask which shipment is meant. `left_off` more match: ask for more of the number.',
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
async function explainEmptyResult(
  { service, context }: ToolContext,
  query: string,
  { requests }: TrackedMatches,
): Promise<string | null> {
  if (requests.length > 0) return 'It was requested, but is not tracked (yet): `tracking_requests` shows its status.'
  // It names numbers of all rows.
  return currentLimit() === null ? explainContainerNumberTypo(service, context, query) : null
}

function writeMatches({ containers, shipments, byId, statusOf, requests }: TrackedMatches) {
  const times = Map.groupBy(containers, ({ projection }) => projection.number)
  const writeContainer = (each: ContainerReading) =>
    writeMembers(container, {
      ...each,
      shipment: byId.get(each.shipmentId),
      isDuplicate: (times.get(each.projection.number)?.length ?? 0) > 1,
    })
  const writeShipment = (each: ShipmentReading) =>
    writeMembers(shipment, { ...each, status: statusOf.get(each.id) ?? null })
  const shownShipments = fitRows(shipments.map(writeShipment), 2_800)
  const shownRequests = fitRows(requests.map(writeTrackingRequest), 3_000)
  const besides = bytesOf([shownShipments, shownRequests]) + 400
  const shownContainers = fitRows(containers.map(writeContainer), besides)
  const total = containers.length + shipments.length
  const left = total + requests.length - shownContainers.length - shownShipments.length - shownRequests.length
  return {
    containers: shownContainers,
    shipments: shownShipments,
    tracking_requests: shownRequests,
    total_results: total,
    ...(left === 0 ? {} : { left_off: left }),
  }
}

function nameOf(place: ObservedPlace | null): string | null {
  return place === null ? null : placeName(place)
}
