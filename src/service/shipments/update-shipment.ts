/** Changes the customer's reference numbers and tags of a shipment; what is not given stays. */

import type { ShipmentReading } from '../../store/read/shipments.ts'
import type { Context } from '../context.ts'
import type { IfCurrent } from '../if-current.ts'
import type { Service } from '../service.ts'
import { actOnShipment } from '../tracking/act.ts'
import { tidyTexts } from '../tracking/tidy-texts.ts'
import { checkShipment } from './check-shipment.ts'

export async function updateShipment(
  service: Service,
  context: Context,
  input: {
    readonly id: string
    readonly refNumbers?: readonly string[]
    readonly tags?: readonly string[]
    readonly ifCurrent?: IfCurrent<ShipmentReading> | null
  },
): Promise<void> {
  const { id, refNumbers, tags } = input
  await actOnShipment(service, context, {
    shipmentId: id,
    check: checkShipment(context, input),
    action: {
      action: 'update_shipment',
      ...(refNumbers === undefined ? {} : { refNumbers: tidyTexts(refNumbers) }),
      ...(tags === undefined ? {} : { tags: tidyTexts(tags) }),
    },
  })
}
