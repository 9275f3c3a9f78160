/**
 * Accepts up to a thousand tracking requests at once. As many as the rate limit allows are made now; the others wait in
 * order.
 */

import { testScac } from '../../domain/values/identifiers.ts'
import { addMs, laterOf } from '../../domain/values/time.ts'
import { leaseToken } from '../../pipeline/jobs/holder.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { acquireQuotaSlot, reserveQuotaSlots } from '../usage/acquire-quota-slot.ts'
import { numberKey } from './extract-number.ts'
import { type BatchItemInput, createRequestOfItem } from './make-item.ts'
import {
  type BatchItem,
  completeItem,
  type ItemError,
  insertBatch,
  lastQueuedAt,
  type NewBatchItem,
  postponeItem,
  readBatch,
} from './request-batches-sql.ts'

export const batchItemsMax = 1_000
/** Longer than it takes to make as many requests as one window of the rate limit allows. */
export const itemLeaseMs = 120_000

/** What the API could read of an item, or why it could not. */
export type ItemToTrack =
  | { readonly kind: 'read'; readonly input: BatchItemInput }
  | { readonly kind: 'unreadable'; readonly errors: readonly ItemError[] }

export interface TrackedBatch {
  /** Null when it was only rehearsed. */
  readonly id: string | null
  readonly createdAt: string
  readonly items: readonly (Omit<BatchItem, 'status' | 'trackingRequestId'> & {
    readonly status: BatchItem['status'] | 'valid'
    readonly trackingRequestId: string | null
  })[]
}

/** `id`: when a batch with this id exists, it is shown as it is now, and continues where it was interrupted. */
export async function trackBatch(
  service: Service,
  context: Context,
  input: {
    readonly items: readonly ItemToTrack[]
    readonly isDryRun: boolean
    readonly id?: string | undefined
  },
): Promise<TrackedBatch> {
  requireScope(context, 'write')
  const items = refuseRepeated(input.items)
  if (input.isDryRun) return dryRunItems(service, context, items)
  const accountId = context.account.id
  const id = input.id ?? uuidV7(service.clock.now())
  if (input.id !== undefined && (await readBatch(service.pool, { accountId, id })) !== null)
    return showBatch(service, context, { id })
  const good = items.flatMap((item, place) => (item.kind === 'read' ? [place] : []))
  // New items come after those that wait already, so that none overtakes another.
  const behind = await lastQueuedAt(service.pool, accountId)
  const quotaSlots =
    behind === null
      ? await reserveQuotaSlots(service, context, { bucket: 'create', upTo: good.length })
      : { acquired: 0, laterSeconds: [] }
  const now = realNow(service)
  const dueAt = (nth: number): string => {
    if (nth < quotaSlots.acquired) return now
    const later = addMs(now, (quotaSlots.laterSeconds[nth - quotaSlots.acquired] ?? 1) * 1_000)
    return behind === null ? later : laterOf(behind, later)
  }
  const rows = items.map((item, place): NewBatchItem => {
    const trackingRequestId = uuidV7(service.clock.now())
    if (item.kind === 'unreadable')
      return { input: {}, status: 'refused', trackingRequestId, errors: item.errors, dueAt: null }
    return {
      input: item.input,
      status: 'queued',
      trackingRequestId,
      errors: null,
      dueAt: dueAt(good.indexOf(place)),
    }
  })
  const { actor, scopes, requestId } = context
  const batch = { accountId, id, actor, scopes, requestId, createdAt: now }
  const token = leaseToken(service)
  if (!(await insertBatch(service.pool, batch, rows, { token, until: addMs(now, itemLeaseMs) })))
    return showBatch(service, context, { id })
  const ours = good.slice(0, quotaSlots.acquired).flatMap((place) => {
    const [item, row] = [items[place], rows[place]]
    return item?.kind === 'read' && row !== undefined ? [{ place, input: item.input, id: row.trackingRequestId }] : []
  })
  await makeLeasedItems(service, context, { batchId: id, token }, ours)
  return showBatch(service, context, { id })
}

/** Due items are leased to this process. When it ends early, a worker makes the others, in order. */
async function makeLeasedItems(
  service: Service,
  context: Context,
  held: { readonly batchId: string; readonly token: string },
  ours: readonly { readonly place: number; readonly id: string; readonly input: BatchItemInput }[],
): Promise<void> {
  const { batchId } = held
  const key = { accountId: context.account.id, ...held }
  for (const [index, { place, id, input }] of ours.entries()) {
    try {
      const errors = await createRequestOfItem(service, context, input, { id, listed: { batchId, place } })
      await completeItem(service.pool, { ...key, place, errors, at: realNow(service) })
    } catch (error) {
      service.metrics.jobFailed({ job: 'batch', batch: batchId, place, error })
      const dueAt = realNow(service)
      for (const unmade of ours.slice(index)) await postponeItem(service.pool, { ...key, place: unmade.place, dueAt })
      return
    }
  }
}

/** Returns the batch as it is now. */
export async function getBatch(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<TrackedBatch> {
  requireScope(context, 'read')
  return showBatch(service, context, input)
}

/** Also for the client that made the batch with a key that may only write. */
async function showBatch(service: Service, context: Context, input: { readonly id: string }): Promise<TrackedBatch> {
  const batch = await readBatch(service.pool, { accountId: context.account.id, id: input.id })
  if (batch === null) throw notFound('batch')
  const items = batch.items.map((item) => ({
    ...item,
    trackingRequestId: item.status === 'created' ? item.trackingRequestId : null,
  }))
  return { ...batch, items }
}

const rehearsedAtOnce = 4

/**
 * Checks each item as if it were made, and rolls it back. That is as much work as making it, so each uses a slot of the
 * bucket `rehearse`.
 */
async function dryRunItems(service: Service, context: Context, items: readonly ItemToTrack[]): Promise<TrackedBatch> {
  const count = items.filter(({ kind }) => kind === 'read').length
  if (count > 0) await acquireQuotaSlot(service, context, { bucket: 'rehearse', count })
  const found: (readonly ItemError[] | null)[] = []
  for (let start = 0; start < items.length; start += rehearsedAtOnce) {
    const some = items.slice(start, start + rehearsedAtOnce).map((item) => {
      if (item.kind === 'unreadable') return item.errors
      return createRequestOfItem(service, context, item.input, { id: uuidV7(service.clock.now()), isDryRun: true })
    })
    found.push(...(await Promise.all(some)))
  }
  return {
    id: null,
    createdAt: realNow(service),
    items: found.map((errors, place) => ({
      place,
      status: errors === null ? 'valid' : 'refused',
      trackingRequestId: null,
      errors,
      dueAt: null,
      request: null,
    })),
  }
}

/** The same number of the same line requested twice: the first counts. Test numbers may be repeated. */
function refuseRepeated(items: readonly ItemToTrack[]): readonly ItemToTrack[] {
  const seen = new Map<string, number>()
  return items.map((item, place) => {
    if (item.kind === 'unreadable') return item
    const { requestNumber, requestType, scac } = item.input
    const line = scac?.trim().toUpperCase() ?? null
    if (line === testScac) return item
    const key = JSON.stringify([line, requestType, numberKey(requestNumber)])
    const first = seen.get(key)
    if (first === undefined) {
      seen.set(key, place)
      return item
    }
    const detail = `The item at /data/${first} of this batch has the same number.`
    return {
      kind: 'unreadable',
      errors: [{ code: 'duplicate', detail, pointer: '/data/attributes/request_number' }],
    }
  })
}
