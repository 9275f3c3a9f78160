/** Changes the customer's reference numbers and tags of a shipment; what is not given stays. */

import type { Context } from '../context.ts'
import type { Service } from '../service.ts'
import { actOnShipment } from '../tracking/act.ts'

export async function updateShipment(
  service: Service,
  context: Context,
  input: { readonly id: string; readonly refNumbers?: readonly string[]; readonly tags?: readonly string[] },
): Promise<void> {
  const { id, ...fields } = input
  await actOnShipment(service, context, { shipmentId: id, action: { action: 'update_shipment', ...fields } })
}
