/**
 * Makes queued requests in order, as the rate limit allows. Any process may lease them, and continues what another one
 * left unfinished.
 */

import { inTransaction } from '../../db/database.ts'
import { addMs } from '../../domain/values/time.ts'
import { leaseToken } from '../../pipeline/jobs/holder.ts'
import type { Actor, Context, Scope } from '../access/context.ts'
import { realNow, type Service } from '../service.ts'
import { reserveQuotaSlots } from '../usage/acquire-quota-slot.ts'
import { type BatchItemInput, createRequestOfItem } from './make-item.ts'
import { completeItem, leaseItems, postponeItem, type QueuedItem } from './request-batches-sql.ts'
import { itemLeaseMs } from './track-batch.ts'

const itemsAtOnce = 20
const retryMs = 5_000

/** Handles the next few items of one account; returns how many were made or refused. */
export async function workBatchQueue(service: Service): Promise<number> {
  const now = realNow(service)
  const items = await inTransaction(service.pool, (db) =>
    leaseItems(db, { token: leaseToken(service), now, until: addMs(now, itemLeaseMs), limit: itemsAtOnce }),
  )
  const [first] = items
  if (first === undefined) return 0
  const quotaSlots = await reserveQuotaSlots(service, contextOf(first), {
    bucket: 'create',
    upTo: items.length,
  })
  let completed = 0
  for (const [index, item] of items.entries()) {
    if (index >= quotaSlots.acquired) {
      const waitMs = (quotaSlots.laterSeconds[index - quotaSlots.acquired] ?? 1) * 1_000
      await postponeItem(service.pool, { ...item, dueAt: addMs(realNow(service), waitMs) })
      continue
    }
    try {
      const errors = await createRequestOfItem(service, contextOf(item), item.input as BatchItemInput, {
        id: item.trackingRequestId,
        listed: item,
      })
      await completeItem(service.pool, { ...item, errors, at: realNow(service) })
      completed += 1
    } catch (error) {
      // This is a fault of ours and no refusal: this item and those behind it keep their places.
      service.metrics.jobFailed({ job: 'batch', batch: item.batchId, place: item.place, error })
      const dueAt = addMs(realNow(service), retryMs)
      for (const each of items.slice(index)) await postponeItem(service.pool, { ...each, dueAt })
      return completed
    }
  }
  return completed
}

/** The account and actor that requested the item, with the scopes of that time. */
function contextOf(item: QueuedItem): Context {
  return {
    account: { id: item.accountId, companyName: item.companyName, isSandbox: item.isSandbox },
    actor: item.actor as Actor,
    scopes: item.scopes as readonly Scope[],
    requestId: item.requestId,
  }
}
