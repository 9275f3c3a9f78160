/** Tracks a stopped shipment again and has it looked at at once. Resuming what is tracked changes nothing. */

import type { Context } from '../context.ts'
import type { Service } from '../service.ts'
import { actOnShipment } from '../tracking/act.ts'

export async function resumeTracking(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<void> {
  await actOnShipment(service, context, { shipmentId: input.id, action: { action: 'resume_tracking' } })
}
