/** What an agent sees after it changed a shipment: its present state. */

import { getShipment } from '../../modules/shipments/get-shipment.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { flag, object, text, textOrNull, texts } from '../tool/schema.ts'
import { makeResult, type ToolAnswer, type ToolContext } from '../tool/tool.ts'
import { writeLabels } from './labels.ts'

export const shipmentChanged = object({
  id: text,
  ref_numbers: texts,
  tags: texts,
  is_tracked: flag,
  tracking_stopped_reason: textOrNull,
  _response_contract: responseContract,
})

export async function describeChangedShipment({ service, context }: ToolContext, id: string): Promise<ToolAnswer> {
  const shipment = await getShipment(service, context, { id })
  return makeResult(
    {
      id: shipment.id,
      ref_numbers: writeLabels(shipment.refNumbers),
      tags: writeLabels(shipment.tags),
      is_tracked: shipment.trackingStoppedAt === null,
      tracking_stopped_reason: shipment.trackingStoppedReason,
      _response_contract: writeContract(),
    },
    { presentation: 'Say what is different now.', tools: ['get_shipment_details'] },
  )
}
