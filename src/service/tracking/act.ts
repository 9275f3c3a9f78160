/** Carries out a user's action: one transaction that writes the ledger entry, folds it and plans what follows. */

import { hasAuditEvent, readEditable } from '../../store/audit.ts'
import { type Db, inTransaction } from '../../store/database.ts'
import { tablesOf } from '../../store/fold-tables.ts'
import { appendEntry } from '../../store/ledger.ts'
import type { UserAction } from '../../store/ledger-payload.ts'
import { lookNoLaterThan, markUnconfirmed, retireIdleSubjects } from '../../store/subjects.ts'
import { lockRequestsOfShipment } from '../../store/tracking-requests.ts'
import { wake } from '../../store/wake.ts'
import { diffOf, recordTrackingChange } from '../audit/record-change.ts'
import { type Context, requireScope } from '../context.ts'
import { notFound } from '../errors.ts'
import { foldBy } from '../ledger/fold.ts'
import { readRules } from '../ledger/rules.ts'
import { journeyNow, realNow, type Service } from '../service.ts'
import { lockForEntry, notBefore } from './lock-for-entry.ts'
import { applyUserAction } from './user-action.ts'

/** Acts on a shipment; refuses when the account has none of that id. */
export async function actOnShipment(
  service: Service,
  context: Context,
  of: {
    readonly shipmentId: string
    /** What follows from how the shipment stands is made once nothing else can change it. */
    readonly action: UserAction | ((db: Db) => Promise<UserAction>)
    /** Throws when the action is not wanted any more; asked once nothing else can change the shipment. */
    readonly check?: (db: Db) => Promise<void>
    /** The id of its line in the record of changes: what has one was done, and is not done again. */
    readonly onceAs?: string | undefined
  },
): Promise<void> {
  requireScope(context, 'write')
  await inTransaction(service.pool, async (db) => {
    const accountId = context.account.id
    const requests = await lockRequestsOfShipment(db, { accountId, shipmentId: of.shipmentId })
    if (requests.length === 0) throw notFound('shipment')
    const shipment = await lockForEntry(db, foldBy(readRules(service.config)), {
      accountId,
      shipmentId: of.shipmentId,
      now: journeyNow(service, context.account.isFiction),
    })
    if (shipment === null) throw notFound('shipment')
    if (of.onceAs !== undefined && (await hasAuditEvent(db, { accountId, id: of.onceAs }))) return
    await of.check?.(db)
    const action = typeof of.action === 'function' ? await of.action(db) : of.action
    await record(db, service, context, {
      trackingRequestId: null,
      shipmentId: of.shipmentId,
      action,
      floor: shipment.updatedAt,
      changeId: of.onceAs,
    })
    const subjectIds = requests.map((request) => request.subjectId)
    if (action.action === 'stop_tracking') await retireIdleSubjects(db, subjectIds)
    if (action.action === 'resume_tracking') {
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
    readonly changeId?: string | undefined
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
  const about = targetOf(of)
  const key = { accountId: context.account.id, type: about.type, id: about.id }
  const before = await readEditable(db, key)
  await applyUserAction(tablesOf(db), foldBy(readRules(service.config)), entry)
  const diff = diffOf(before, await readEditable(db, key), ['refNumbers', 'tags', 'deliveredAt'])
  const done = `${about.type}.${verbs[of.action.action]}`
  await recordTrackingChange(db, service, context, { action: done, target: about, diff, id: of.changeId })
}

/** What the action is about, for whoever asks who did what. */
function targetOf(of: {
  readonly trackingRequestId: string | null
  readonly shipmentId: string | null
  readonly action: UserAction
}): { readonly type: 'shipment' | 'container' | 'tracking_request'; readonly id: string } {
  if (of.action.action === 'update_container') return { type: 'container', id: of.action.containerId }
  if (of.trackingRequestId !== null) return { type: 'tracking_request', id: of.trackingRequestId }
  if (of.shipmentId !== null) return { type: 'shipment', id: of.shipmentId }
  throw new Error(`${of.action.action} is about nothing`)
}

const verbs: Readonly<Record<UserAction['action'], string>> = {
  stop_tracking: 'tracking_stopped',
  resume_tracking: 'tracking_resumed',
  update_shipment: 'updated',
  update_container: 'updated',
  update_request: 'updated',
}
