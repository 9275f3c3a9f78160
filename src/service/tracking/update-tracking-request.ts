/** Changes the customer's reference numbers of a request. */

import { inTransaction } from '../../store/database.ts'
import { readTrackingRequest, type TrackingRequestReading } from '../../store/read/tracking-requests.ts'
import { lockTrackingRequest } from '../../store/tracking-requests.ts'
import { type Context, requireScope } from '../context.ts'
import { notFound } from '../errors.ts'
import { type IfCurrent, requireCurrent } from '../if-current.ts'
import { tidyTexts } from '../ledger/tidy-texts.ts'
import type { Service } from '../service.ts'
import { record } from './act.ts'

export async function updateTrackingRequest(
  service: Service,
  context: Context,
  input: {
    readonly id: string
    readonly refNumbers: readonly string[]
    readonly ifCurrent?: IfCurrent<TrackingRequestReading> | null
  },
): Promise<void> {
  requireScope(context, 'write')
  await inTransaction(service.pool, async (db) => {
    const request = await lockTrackingRequest(db, { accountId: context.account.id, id: input.id })
    if (request === null) throw notFound('tracking request')
    if (input.ifCurrent != null) {
      const key = { accountId: context.account.id, id: input.id }
      requireCurrent(input.ifCurrent, await readTrackingRequest(db, key))
    }
    await record(db, service, context, {
      trackingRequestId: request.id,
      shipmentId: null,
      action: { action: 'update_request', refNumbers: tidyTexts(input.refNumbers) },
      floor: request.updatedAt,
    })
  })
}
