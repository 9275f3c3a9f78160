/** `stop_tracking`: ends the tracking of a shipment, so that its sources are no longer asked. */

import { Type } from '../../../platform/json-schema.ts'
import { stopTracking as stop } from '../../../service/tracking/shipments/stop-tracking.ts'
import { closed, id } from '../tool/inputs.ts'
import { tool } from '../tool/tool.ts'
import { shipmentChanged, tellShipment } from '../words/shipment-changed.ts'

export const stopTracking = tool({
  name: 'stop_tracking',
  title: 'Stop tracking a shipment',
  about: 'Stops asking sources about a shipment; what is known stays. Ask the user first.',
  effect: 'change',
  isDestructive: true,
  input: Type.Object({ id }, closed),
  ids: { id: 'shipment' },
  output: shipmentChanged,
  run: async (asking, input) => {
    await stop(asking.service, asking.context, input)
    return tellShipment(asking, input.id)
  },
})
