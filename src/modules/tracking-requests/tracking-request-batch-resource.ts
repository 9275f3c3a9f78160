/** `tracking_request_batch`: many tracking requests that were sent at once, and the result of each. */

import { errorTable, type ProblemCode, problemCodes } from '../../api/shape/error-table.ts'
import type { ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { failedReasons, requestStatuses } from '../../domain/tracking-requests/tracking-request-state.ts'
import { Type } from '../../platform/json-schema.ts'
import type { ItemError, RequestOutcome } from './request-batches-sql.ts'
import type { TrackedBatch } from './track-batch.ts'

export interface TrackingRequestBatchReading extends TrackedBatch {
  readonly type: 'tracking_request_batch'
  readonly id: string
}

export const itemErrors = schema.list(
  schema.object({
    status: schema.text({ description: 'HTTP status that a single request would have got.' }),
    code: schema.oneOf(problemCodes),
    title: schema.text(),
    detail: schema.text(),
    source: schema.optional(schema.object({ pointer: schema.text() })),
    meta: schema.optional(Type.Unsafe({ type: 'object' })),
  }),
)

const itemStatuses = ['created', 'queued', 'refused', 'valid'] as const

export const batchItem = schema.object({
  pointer: schema.text({ description: 'JSON pointer into the body that was sent: `/data/3`.' }),
  status: schema.oneOf(itemStatuses, {
    description: '`valid` (only in a dry run): it would have been created.',
  }),
  tracking_request_id: schema.textOrNull({ format: 'uuid' }),
  due_at: schema.instantOrNull({
    description: 'While it is queued: the earliest time at which its turn comes.',
  }),
  errors: itemErrors,
  request: Type.Unsafe({
    anyOf: [
      schema.object({
        status: schema.oneOf(requestStatuses),
        failed_reason: schema.oneOfOrNull(failedReasons),
        scac: schema.textOrNull({ description: 'Null while the carrier is not known.' }),
        shipment_id: schema.textOrNull({ format: 'uuid' }),
      }),
      { type: 'null' },
    ],
    description: 'What became of the tracking request; null before it is created.',
  }),
})

const count = Type.Integer({ minimum: 0 })

export const trackingRequestBatch: ResourceKind<TrackingRequestBatchReading> = {
  type: 'tracking_request_batch',
  attributes: {
    created_at: schema.instant(),
    total: count,
    created: count,
    queued: count,
    refused: count,
    done_at_earliest: schema.instantOrNull({
      description: 'The earliest time at which the last queued row can be processed.',
    }),
    items: schema.list(batchItem),
  },
  relations: {},
  write: ({ createdAt, items }) => ({
    created_at: createdAt,
    total: items.length,
    created: items.filter(({ status }) => status === 'created').length,
    queued: items.filter(({ status }) => status === 'queued').length,
    refused: items.filter(({ status }) => status === 'refused').length,
    done_at_earliest:
      items
        .flatMap(({ dueAt }) => dueAt ?? [])
        .toSorted()
        .at(-1) ?? null,
    items: items.map(writeItem),
  }),
  link: () => ({}),
}

export function writeItem(item: TrackedBatch['items'][number]): Readonly<Record<string, unknown>> {
  return {
    pointer: `/data/${item.place}`,
    status: item.status,
    tracking_request_id: item.trackingRequestId,
    due_at: item.status === 'queued' ? item.dueAt : null,
    errors: (item.errors ?? []).map((error) => writeError(error, item.place)),
    request: item.request === null ? null : writeOutcome(item.request),
  }
}

function writeOutcome({ status, failedReason, scac, shipmentId }: RequestOutcome): Readonly<Record<string, unknown>> {
  return { status, failed_reason: failedReason, scac, shipment_id: shipmentId }
}

/** Its pointer is changed from one into the item to one into the whole body. */
export function writeError(error: ItemError, place: number): Readonly<Record<string, unknown>> {
  // The cast is safe: only codes of this table are stored.
  const { status, title } = errorTable[error.code as ProblemCode]
  const pointer = error.pointer?.replace(/^\/data(?=\/|$)/, `/data/${place}`) ?? null
  return {
    status: String(status),
    code: error.code,
    title,
    detail: error.detail,
    ...(pointer === null ? {} : { source: { pointer } }),
    ...(error.meta === undefined ? {} : { meta: error.meta }),
  }
}
