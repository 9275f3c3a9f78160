/** Changes the customer's reference numbers of a request. */

import { inTransaction } from '../../db/database.ts'
import { normalizeTexts } from '../../pipeline/ledger/normalize-texts.ts'
import { retryOnConflict } from '../../pipeline/ledger/retry-on-conflict.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import { type PreconditionCheck, requireCurrent } from '../require-current.ts'
import type { Service } from '../service.ts'
import { recordAction } from '../shipments/act-on-shipment.ts'
import { readTrackingRequest, type TrackingRequestReading } from './list-tracking-requests-sql.ts'

export async function updateTrackingRequest(
  service: Service,
  context: Context,
  input: {
    readonly id: string
    readonly refNumbers: readonly string[]
    readonly ifCurrent?: PreconditionCheck<TrackingRequestReading> | null
  },
): Promise<void> {
  requireScope(context, 'write')
  const { id, refNumbers, ifCurrent } = input
  const held = { shipmentIds: [], locksAllRequests: false, isProjected: false }
  await retryOnConflict((alsoHeld) =>
    inTransaction(service.pool, async (db) => {
      await recordAction(db, service, context, { ...held, requestIds: [id, ...alsoHeld] }, async (state) => {
        if (!state.requests.has(id)) throw notFound('tracking request')
        if (ifCurrent != null)
          requireCurrent(ifCurrent, await readTrackingRequest(db, { accountId: context.account.id, id }))
        const action = { action: 'update_request', refNumbers: normalizeTexts(refNumbers) } as const
        return { trackingRequestId: id, shipmentId: null, action }
      })
    }),
  )
}
