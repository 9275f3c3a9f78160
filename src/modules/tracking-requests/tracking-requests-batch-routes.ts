/**
 * /v2/tracking_requests/batch: creates up to a thousand requests, as fast as the rate limit allows; and shows their
 * results.
 */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer } from '../../api/openapi/operation.ts'
import { defineQuery } from '../../api/query/query.ts'
import { originOfRequest, sendJsonApi, sendOne } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { batchBody, errorsOf, readBatchBody } from './batch-input.ts'
import { batchItemsMax, getBatch, type ItemToTrack, type TrackedBatch, trackBatch } from './track-batch.ts'
import { batchItem, type TrackingRequestBatchReading, writeItem } from './tracking-request-batch-resource.ts'
import { readNewRequest, trackingRequestItem } from './tracking-request-input.ts'

const query = defineQuery({ type: 'tracking_request_batch' })
const tag = 'Tracking requests'

const dryRunSchema = schema.object(
  {
    meta: schema.object({
      dry_run: { type: 'boolean' },
      valid: { type: 'integer' },
      refused: { type: 'integer' },
      items: schema.list(batchItem),
    }),
  },
  { description: 'Result of a dry run: nothing was stored.' },
)

export function trackingRequestsBatch(app: FastifyInstance): void {
  const create = describeOperation({
    id: 'createTrackingRequestBatch',
    tag,
    summary: 'Track many numbers at once',
    description:
      'Each item is a tracking request like a single one, and counts as one in the rate limit for creating. Items above the limit wait in order, and each says when its turn comes. If one item is refused, the others are still created.',
    query: query.schema,
    body: batchBody(trackingRequestItem, batchItemsMax, true),
    status: 201,
    answer: documentAnswer('tracking_request_batch'),
  })
  app.post(
    '/v2/tracking_requests/batch',
    {
      config: { isInSteps: true },
      schema: { ...create, response: { ...(create.response as object), 200: dryRunSchema } },
    },
    async (request, reply) => {
      const { service, context, run } = callerOf(request)
      const view = query.read(request)
      const { items, isDryRun } = readBatchBody(request.body, batchItemsMax)
      const batch = await trackBatch(service, context, {
        items: items.map(readItem),
        isDryRun: isDryRun,
        id: run?.id,
      })
      if (batch.id === null) return sendJsonApi(reply, writeDryRun(batch))
      reply.header('location', `${originOfRequest(request)}/v2/tracking_requests/batch/${batch.id}`)
      return sendOne({ request, reply }, { data: readingOf(batch, batch.id), view, status: 201 })
    },
  )

  app.get(
    '/v2/tracking_requests/batch/:id',
    {
      schema: describeOperation({
        id: 'getTrackingRequestBatch',
        tag,
        summary: 'Get a batch and the results of its items',
        path: { id: 'Id of the batch.' },
        query: query.schema,
        answer: documentAnswer('tracking_request_batch'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const id = readId(request.params, 'batch')
      const batch = await getBatch(service, context, { id })
      return sendOne({ request, reply }, { data: readingOf(batch, id), view })
    },
  )
}

function readItem(item: unknown): ItemToTrack {
  try {
    return { kind: 'read', input: readNewRequest({ data: item }) }
  } catch (error) {
    return { kind: 'unreadable', errors: errorsOf(error) }
  }
}

function readingOf(batch: TrackedBatch, id: string): TrackingRequestBatchReading {
  return { ...batch, type: 'tracking_request_batch', id }
}

function writeDryRun({ items }: TrackedBatch): object {
  const refused = items.filter(({ status }) => status === 'refused').length
  return {
    meta: { dry_run: true, valid: items.length - refused, refused, items: items.map(writeItem) },
  }
}
