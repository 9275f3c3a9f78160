/** `get_shipment_details`: one shipment with its route, its containers and the state of its tracking. */

import { Type } from 'typebox'
import { listContainersOfShipments } from '../../../service/tracking/containers/list-containers.ts'
import { getShipment } from '../../../service/tracking/shipments/get-shipment.ts'
import { shipmentStatus } from '../../../service/tracking/shipments/shipment-status.ts'
import { closed, id } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { object } from '../tool/schema.ts'
import { result, tool } from '../tool/tool.ts'
import { shipmentDetails, writeShipmentDetails } from '../words/shipment-details.ts'

export const getShipmentDetails = tool({
  name: 'get_shipment_details',
  title: 'Get a shipment',
  about: 'Route, times, ship, containers and tracking of one shipment by id.',
  effect: 'read',
  input: Type.Object(
    {
      id,
      include_containers: Type.Optional(Type.Boolean({ default: true, description: 'With their statuses' })),
    },
    closed,
  ),
  output: object({ ...shipmentDetails, _response_contract: responseContract }),
  run: async ({ service, context }, input) => {
    const shipment = await getShipment(service, context, input)
    const containers =
      input.include_containers === false
        ? null
        : await listContainersOfShipments(service, context, { shipmentIds: [shipment.id] })
    return result(
      {
        ...writeShipmentDetails(shipment, { status: shipmentStatus(shipment), containers }),
        _response_contract: writeContract(),
      },
      {
        presentation:
          'Lead with status and arrival; call estimates estimates, and say who gave Landfall’s own.',
        followUps: ['Which of its containers must be picked up first?', 'Who gave the arrival estimate?'],
        tools: ['get_container', 'get_container_route', 'stop_tracking', 'update_shipment'],
      },
    )
  },
})
