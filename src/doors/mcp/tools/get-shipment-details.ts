/** `get_shipment_details`: one shipment with its route, its containers and the state of its tracking. */

import { Type } from '../../../platform/json-schema.ts'
import { journeyNow } from '../../../service/service.ts'
import { listContainersOfShipments } from '../../../service/tracking/containers/list-containers.ts'
import { getShipment } from '../../../service/tracking/shipments/get-shipment.ts'
import { listEtas } from '../../../service/tracking/shipments/list-etas.ts'
import { shipmentStatus } from '../../../service/tracking/shipments/shipment-status.ts'
import { closed, id } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { maybe, object } from '../tool/schema.ts'
import { result, tool } from '../tool/tool.ts'
import { citations, writeCitations } from '../words/citations.ts'
import { delay, writeDelay } from '../words/delay.ts'
import { shipmentDetails, writeShipmentDetails } from '../words/shipment-details.ts'
import { readShownJourney } from '../words/shown-journey.ts'

/** More than any line tells of one arrival. */
const allEtas = { number: 1, size: 500 } as const

export const getShipmentDetails = tool({
  name: 'get_shipment_details',
  title: 'Get a shipment',
  about: 'Route, times, delay, ship, containers and tracking of one shipment.',
  effect: 'read',
  input: Type.Object(
    {
      id,
      include_containers: Type.Optional(
        Type.Boolean({ default: true, description: 'List the containers with their statuses' }),
      ),
      cite: Type.Optional(
        Type.Boolean({ description: 'Add a claim for each value: who said it, in which words' }),
      ),
    },
    closed,
  ),
  ids: { id: 'shipment' },
  hasMap: true,
  output: object({
    ...shipmentDetails,
    delay,
    citations: maybe(citations),
    _response_contract: responseContract,
  }),
  run: async (asking, input) => {
    const { service, context } = asking
    const shipment = await getShipment(service, context, input)
    const { rows: etas } = await listEtas(service, context, { shipmentId: shipment.id, page: allEtas })
    const isListed = input.include_containers !== false
    const containers =
      isListed || asking.showsViews
        ? await listContainersOfShipments(service, context, { shipmentIds: [shipment.id] })
        : []
    const status = shipmentStatus(shipment)
    return result(
      {
        ...writeShipmentDetails(shipment, { status, containers: isListed ? containers : null }),
        delay: writeDelay(shipment, etas, journeyNow(service, context.account.isFiction)),
        ...(input.cite === true
          ? { citations: await writeCitations(asking, { type: 'shipment', id: shipment.id }) }
          : {}),
        _response_contract: writeContract(),
      },
      {
        presentation:
          'Lead with status and arrival; call estimates estimates, and say who gave Landfall’s own.',
        followUps: ['Which of its containers must be picked up first?', 'Who gave the arrival estimate?'],
        tools: ['get_container', 'get_container_route', 'stop_tracking', 'update_shipment'],
      },
      [],
      await readShownJourney(asking, { shipment, containers, number: shipment.billOfLadingNumber, status }),
    )
  },
})
