/** `update_shipment`: the customer's reference numbers and tags; what is given replaces, what is not given stays. */

import { Type } from 'typebox'
import { updateShipment as update } from '../../../service/shipments/update-shipment.ts'
import { closed, id } from '../inputs.ts'
import { shipmentChanged, tellShipment } from '../shipment-changed.ts'
import { tool } from '../tool.ts'

const labels = Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 }))

export const updateShipment = tool({
  name: 'update_shipment',
  title: 'Set references and tags of a shipment',
  about: 'Replaces `ref_numbers` or `tags` whole; what is left out stays.',
  effect: 'change',
  isDestructive: true,
  input: Type.Object({ id, ref_numbers: labels, tags: labels }, closed),
  output: shipmentChanged,
  run: async (asking, { id: shipmentId, ref_numbers: refNumbers, tags }) => {
    await update(asking.service, asking.context, {
      id: shipmentId,
      ...(refNumbers === undefined ? {} : { refNumbers }),
      ...(tags === undefined ? {} : { tags }),
    })
    return tellShipment(asking, shipmentId)
  },
})
