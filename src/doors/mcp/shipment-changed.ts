/** What an agent is told after it changed a shipment: how it stands now. */

import { getShipment } from '../../service/tracking/shipments/get-shipment.ts'
import { writeLabels } from './labels.ts'
import { responseContract, writeContract } from './response-contract.ts'
import { flag, object, text, textOrNull, texts } from './schema.ts'
import { type Asking, result, type ToolAnswer } from './tool.ts'

export const shipmentChanged = object({
  id: text,
  ref_numbers: texts,
  tags: texts,
  is_tracked: flag,
  tracking_stopped_reason: textOrNull,
  _response_contract: responseContract,
})

export async function tellShipment({ service, context }: Asking, id: string): Promise<ToolAnswer> {
  const shipment = await getShipment(service, context, { id })
  return result(
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
