/** Changes a container's reference numbers, and records that it was delivered: the only way to that status. */

import { parseEventTime } from '../../core/time.ts'
import { shipmentOfContainer } from '../../store/shipments.ts'
import type { Context } from '../context.ts'
import { notFound, ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { actOnShipment } from '../tracking/act.ts'

/** `deliveredAt`: ISO 8601; null takes an earlier one back. */
export async function updateContainer(
  service: Service,
  context: Context,
  input: {
    readonly id: string
    readonly refNumbers?: readonly string[]
    readonly deliveredAt?: string | null
  },
): Promise<void> {
  const delivered = input.deliveredAt == null ? input.deliveredAt : parseEventTime(input.deliveredAt)
  if (delivered === null && input.deliveredAt !== null) {
    throw new ServiceError('invalid', 'delivered_at must be an ISO 8601 date or date-time.', {
      source: { pointer: '/data/attributes/delivered_at' },
    })
  }
  const shipmentId = await shipmentOfContainer(service.pool, {
    accountId: context.account.id,
    containerId: input.id,
  })
  if (shipmentId === null) throw notFound('container')
  await actOnShipment(service, context, {
    shipmentId,
    action: {
      action: 'update_container',
      containerId: input.id,
      ...(input.refNumbers !== undefined && { refNumbers: input.refNumbers }),
      ...(delivered !== undefined && { delivered }),
    },
  })
}
