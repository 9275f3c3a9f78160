/** `resume_tracking`: tracks a shipment again, so that its sources are polled again. */

import { resumeTracking as resume } from '../../modules/shipments/resume-tracking.ts'
import { Type } from '../../platform/json-schema.ts'
import { describeChangedShipment, shipmentChanged } from '../presenters/shipment-changed.ts'
import { closed, id } from '../tool/inputs.ts'
import { defineTool } from '../tool/tool.ts'

export const resumeTracking = defineTool({
  name: 'resume_tracking',
  title: 'Resume tracking a shipment',
  about: 'Asks sources about a stopped shipment again, at once.',
  effect: 'change',
  isIdempotent: true,
  isOpenWorld: true,

  input: Type.Object({ id }, closed),
  ids: { id: 'shipment' },
  output: shipmentChanged,
  run: async (toolContext, input) => {
    await resume(toolContext.service, toolContext.context, input)
    return describeChangedShipment(toolContext, input.id)
  },
})
