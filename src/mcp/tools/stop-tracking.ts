/** `stop_tracking`: ends the tracking of a shipment, so that its sources are no longer polled. */

import { stopTracking as stop } from '../../modules/shipments/stop-tracking.ts'
import { Type } from '../../platform/json-schema.ts'
import { describeChangedShipment, shipmentChanged } from '../presenters/shipment-changed.ts'
import { closed, id } from '../tool/inputs.ts'
import { defineTool } from '../tool/tool.ts'

export const stopTracking = defineTool({
  name: 'stop_tracking',
  title: 'Stop tracking a shipment',
  about: 'Stops asking sources about a shipment; what is known stays. Ask the user first.',
  effect: 'change',
  isIdempotent: true,
  isDestructive: true,
  input: Type.Object({ id }, closed),
  ids: { id: 'shipment' },
  output: shipmentChanged,
  run: async (toolContext, input) => {
    await stop(toolContext.service, toolContext.context, input)
    return describeChangedShipment(toolContext, input.id)
  },
})
