/** Stops tracking a shipment, by the user's will. Stopping what is stopped changes nothing. */

import type { Context } from '../context.ts'
import type { Service } from '../service.ts'
import { actOnShipment } from '../tracking/act.ts'

export async function stopTracking(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<void> {
  await actOnShipment(service, context, { shipmentId: input.id, action: { action: 'stop_tracking' } })
}
