/**
 * Tracks a stopped shipment again and makes it due for a look at once. Resuming a shipment that is tracked changes
 * nothing.
 */

import type { ShipmentReading } from '../../../store/read/shipments.ts'
import type { Context } from '../../context.ts'
import type { IfCurrent } from '../../ground/if-current.ts'
import type { Service } from '../../service.ts'
import { actOnShipment } from '../requests/act.ts'
import { checkShipment } from './check-shipment.ts'

export async function resumeTracking(
  service: Service,
  context: Context,
  input: {
    readonly id: string
    readonly ifCurrent?: IfCurrent<ShipmentReading> | null
    readonly onceAs?: string | undefined
  },
): Promise<void> {
  await actOnShipment(service, context, {
    shipmentId: input.id,
    action: { action: 'resume_tracking' },
    check: checkShipment(context, input),
    onceAs: input.onceAs,
  })
}
