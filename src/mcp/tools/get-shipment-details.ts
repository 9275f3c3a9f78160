/** `get_shipment_details`: one shipment with its route, its containers and the state of its tracking. */

import { shipmentStatus } from '../../domain/view/shipment-status.ts'
import { listContainersOfShipments } from '../../modules/containers/list-containers.ts'
import { journeyNow } from '../../modules/service.ts'
import { getShipment } from '../../modules/shipments/get-shipment.ts'
import { listEtas } from '../../modules/shipments/list-etas.ts'
import { listSlips } from '../../modules/shipments/list-slips.ts'
import { Type } from '../../platform/json-schema.ts'
import { bytesOf, fitRows } from '../lists/fit-rows.ts'
import { citations, writeCitations } from '../presenters/citations.ts'
import { customFields, writeCustomFields } from '../presenters/custom-fields.ts'
import { delay, writeDelay } from '../presenters/delay.ts'
import { readJourneyView } from '../presenters/read-journey-view.ts'
import { shipmentDetails, writeShipmentDetails } from '../presenters/shipment-details.ts'
import { closed, id } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { object, optional } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

/** More than any line states of one arrival. */
const allEtas = { number: 1, size: 500 } as const

export const getShipmentDetails = defineTool({
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
      include_custom_fields: Type.Optional(Type.Boolean({ default: false, description: 'Add its custom fields' })),
      cite: Type.Optional(Type.Boolean({ description: 'Add a claim for each value: who said it, in which words' })),
    },
    closed,
  ),
  ids: { id: 'shipment' },
  hasMap: true,
  output: object({
    ...shipmentDetails,
    delay,
    custom_fields: optional(customFields),
    citations: optional(citations),
    _response_contract: responseContract,
  }),
  run: async (toolContext, input) => {
    const { service, context } = toolContext
    const shipment = await getShipment(service, context, input)
    const at = journeyNow(service, context.account.isSandbox)
    const [{ rows: etas }, slips] = await Promise.all([
      listEtas(service, context, { shipmentId: shipment.id, page: allEtas }),
      listSlips(service, context, { shipments: [shipment], now: at }),
    ])
    const isListed = input.include_containers !== false
    const containers =
      isListed || toolContext.showsViews
        ? await listContainersOfShipments(service, context, { shipmentIds: [shipment.id] })
        : []
    const status = shipmentStatus(shipment)
    const { containers: listed, ...details } = writeShipmentDetails(shipment, {
      status,
      containers: isListed ? containers : null,
    })
    const delayData = writeDelay(shipment, { etas, slips: slips.get(shipment.id), at })
    const { count, containers: rows } = listed
    const isCut = rows !== undefined && input.include_containers === undefined
    const shown = isCut ? fitRows(rows, bytesOf([details, delayData]) + 200) : rows
    return makeResult(
      {
        ...details,
        containers: { count, ...(shown === undefined ? {} : { containers: shown }) },
        delay: delayData,
        ...(input.include_custom_fields === true
          ? { custom_fields: await writeCustomFields(toolContext, shipment.id) }
          : {}),
        ...(input.cite === true
          ? { citations: await writeCitations(toolContext, { type: 'shipment', id: shipment.id }) }
          : {}),
        _response_contract: writeContract(),
      },
      {
        presentation: `Lead with status and arrival; call estimates estimates, and say who gave Landfall’s own.${
          shown === undefined || shown.length === count
            ? ''
            : ` Of ${count} containers ${shown.length} are listed: \`include_containers: true\` lists all.`
        }`,
        followUps: ['Which of its containers must be picked up first?', 'Who gave the arrival estimate?'],
        tools: ['get_container', 'get_container_route', 'stop_tracking', 'update_shipment'],
      },
      [],
      await readJourneyView(toolContext, {
        shipment,
        containers,
        number: shipment.billOfLadingNumber,
        status,
      }),
    )
  },
})
