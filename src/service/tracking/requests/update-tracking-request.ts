/** Changes the customer's reference numbers of a request. */

import { inTransaction } from '../../../store/database.ts'
import { readTrackingRequest, type TrackingRequestReading } from '../../../store/read/tracking-requests.ts'
import { type Context, requireScope } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { type IfCurrent, requireCurrent } from '../../ground/if-current.ts'
import { takeAgain } from '../../ledger/take-again.ts'
import { tidyTexts } from '../../ledger/tidy-texts.ts'
import type { Service } from '../../service.ts'
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
  const { id, refNumbers, ifCurrent } = input
  const held = { shipmentIds: [], locksAsking: false, isProjected: false }
  await takeAgain((alsoHeld) =>
    inTransaction(service.pool, async (db) => {
      await record(db, service, context, { ...held, requestIds: [id, ...alsoHeld] }, async (state) => {
        if (!state.requests.has(id)) throw notFound('tracking request')
        if (ifCurrent != null)
          requireCurrent(ifCurrent, await readTrackingRequest(db, { accountId: context.account.id, id }))
        const action = { action: 'update_request', refNumbers: tidyTexts(refNumbers) } as const
        return { trackingRequestId: id, shipmentId: null, action }
      })
    }),
  )
}
