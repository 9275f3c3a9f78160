/** Changes a container's reference numbers, and records that it was delivered. */

import { parseEventTime } from '../../domain/values/time.ts'
import { normalizeTexts } from '../../pipeline/ledger/normalize-texts.ts'
import { shipmentOfContainer } from '../../pipeline/projection/shipments-sql.ts'
import type { Context } from '../access/context.ts'
import { notFound, refusedAt } from '../errors.ts'
import { type PreconditionCheck, requireCurrent } from '../require-current.ts'
import { journeyNow, type Service } from '../service.ts'
import { actOnShipment } from '../shipments/act-on-shipment.ts'
import { requireDeliveryAfterStart, requirePastDelivery } from './delivery-times.ts'
import { type ContainerReading, readContainers } from './list-containers-sql.ts'

const deliveredAt = { pointer: '/data/attributes/delivered_at', name: 'delivered_at' }

/** `deliveredAt`: ISO 8601; null withdraws an earlier one. */
export async function updateContainer(
  service: Service,
  context: Context,
  input: {
    readonly id: string
    readonly refNumbers?: readonly string[]
    readonly deliveredAt?: string | null
    readonly ifCurrent?: PreconditionCheck<ContainerReading> | null
  },
): Promise<void> {
  const delivered = input.deliveredAt == null ? input.deliveredAt : parseEventTime(input.deliveredAt)
  if (delivered === null && input.deliveredAt !== null) {
    throw refusedAt(deliveredAt.pointer, 'delivered_at must be an ISO 8601 date or date-time.')
  }
  if (delivered) requirePastDelivery(delivered, journeyNow(service, context.account.isSandbox), deliveredAt)
  const shipmentId = await shipmentOfContainer(service.pool, {
    accountId: context.account.id,
    containerId: input.id,
  })
  if (shipmentId === null) throw notFound('container')
  await actOnShipment(service, context, {
    shipmentId,
    check: async (db) => {
      if (input.ifCurrent == null && !delivered) return
      const key = { accountId: context.account.id, ids: [input.id] }
      const [container] = await readContainers(db, key)
      requireCurrent(input.ifCurrent, container)
      if (delivered && container !== undefined) requireDeliveryAfterStart(delivered, container, deliveredAt)
    },
    action: {
      action: 'update_container',
      containerId: input.id,
      ...(input.refNumbers !== undefined && { refNumbers: normalizeTexts(input.refNumbers) }),
      ...(delivered !== undefined && { delivered }),
    },
  })
}
