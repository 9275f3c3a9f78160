/**
 * Tracks a stopped shipment again and makes it due for a poll at once. Resuming a shipment that is tracked changes
 * nothing.
 */

import type { Context } from '../access/context.ts'
import type { PreconditionCheck } from '../require-current.ts'
import type { Service } from '../service.ts'
import { actOnShipment } from './act-on-shipment.ts'
import { requireCurrentShipment } from './check-shipment.ts'
import type { ShipmentReading } from './list-shipments-sql.ts'

export async function resumeTracking(
  service: Service,
  context: Context,
  input: {
    readonly id: string
    readonly ifCurrent?: PreconditionCheck<ShipmentReading> | null
    readonly onceAs?: string | undefined
  },
): Promise<void> {
  await actOnShipment(service, context, {
    shipmentId: input.id,
    action: { action: 'resume_tracking' },
    check: requireCurrentShipment(context, input),
    onceAs: input.onceAs,
  })
}
