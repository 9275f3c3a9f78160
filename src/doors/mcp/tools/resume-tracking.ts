/** `resume_tracking`: tracks a shipment again, so that its sources are asked again. */

import { Type } from '../../../platform/json-schema.ts'
import { resumeTracking as resume } from '../../../service/tracking/shipments/resume-tracking.ts'
import { closed, id } from '../tool/inputs.ts'
import { tool } from '../tool/tool.ts'
import { shipmentChanged, tellShipment } from '../words/shipment-changed.ts'

export const resumeTracking = tool({
  name: 'resume_tracking',
  title: 'Resume tracking a shipment',
  about: 'Asks sources about a stopped shipment again, at once.',
  effect: 'change',

  input: Type.Object({ id }, closed),
  ids: { id: 'shipment' },
  output: shipmentChanged,
  run: async (asking, input) => {
    await resume(asking.service, asking.context, input)
    return tellShipment(asking, input.id)
  },
})
