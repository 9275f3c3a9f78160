/** Carries out a user's action: one transaction that writes the ledger entry, folds it and plans what follows. */

import { type Db, inTransaction } from '../../store/database.ts'
import { appendEntry } from '../../store/ledger.ts'
import { lockShipmentFloor } from '../../store/shipments.ts'
import { lookNoLaterThan, markUnconfirmed, retireIdleSubjects } from '../../store/subjects.ts'
import { lockRequestsOfShipment } from '../../store/tracking-requests.ts'
import { wake } from '../../store/wake.ts'
import { type Context, requireScope } from '../context.ts'
import { notFound } from '../errors.ts'
import { journeyNow, realNow, type Service } from '../service.ts'
import { foldBy } from './fold.ts'
import { readRules } from './rules.ts'
import { applyUserAction, type UserAction } from './user-action.ts'
import { notBefore } from './work-tasks.ts'

/** Acts on a shipment; refuses when the account has none of that id. */
export async function actOnShipment(
  service: Service,
  context: Context,
  of: { readonly shipmentId: string; readonly action: UserAction },
): Promise<void> {
  requireScope(context, 'write')
  await inTransaction(service.pool, async (db) => {
    const accountId = context.account.id
    const requests = await lockRequestsOfShipment(db, { accountId, shipmentId: of.shipmentId })
    if (requests.length === 0) throw notFound('shipment')
    const shipment = await lockShipmentFloor(db, { accountId, id: of.shipmentId })
    if (shipment === null) throw notFound('shipment')
    await record(db, service, context, {
      trackingRequestId: null,
      shipmentId: of.shipmentId,
      action: of.action,
      floor: shipment.updatedAt,
    })
    const subjectIds = requests.map((request) => request.subjectId)
    if (of.action.action === 'stop_tracking') await retireIdleSubjects(db, subjectIds)
    if (of.action.action === 'resume_tracking') {
      for (const subjectId of subjectIds.toSorted()) {
        await lookNoLaterThan(db, subjectId, realNow(service))
        // What was said meanwhile was not taken in: the next answer is, even if it is the same bytes as the last.
        await markUnconfirmed(db, subjectId, true)
      }
      await wake(db, 'looks')
    }
    await wake(db, 'events')
  })
}

export async function record(
  db: Db,
  service: Service,
  context: Context,
  of: {
    readonly trackingRequestId: string | null
    readonly shipmentId: string | null
    readonly action: UserAction
    readonly floor: string
  },
): Promise<void> {
  const entry = await appendEntry(db, {
    accountId: context.account.id,
    kind: 'user_action',
    trackingRequestId: of.trackingRequestId,
    shipmentId: of.shipmentId,
    subjectId: null,
    snapshotId: null,
    reader: null,
    recordedAt: notBefore(journeyNow(service, context.account.isFiction), of.floor),
    payload: { ...of.action, actor: context.actor },
  })
  await applyUserAction(db, foldBy(readRules(service.config)), entry)
}
