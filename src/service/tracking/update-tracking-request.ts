/** Changes the customer's reference numbers of a request. */

import { inTransaction } from '../../store/database.ts'
import { lockTrackingRequest } from '../../store/tracking-requests.ts'
import { type Context, requireScope } from '../context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import { record } from './act.ts'

export async function updateTrackingRequest(
  service: Service,
  context: Context,
  input: { readonly id: string; readonly refNumbers: readonly string[] },
): Promise<void> {
  requireScope(context, 'write')
  await inTransaction(service.pool, async (db) => {
    const request = await lockTrackingRequest(db, { accountId: context.account.id, id: input.id })
    if (request === null) throw notFound('tracking request')
    await record(db, service, context, {
      trackingRequestId: request.id,
      shipmentId: null,
      action: { action: 'update_request', refNumbers: input.refNumbers },
      floor: request.updatedAt,
    })
  })
}
