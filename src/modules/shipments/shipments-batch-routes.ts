/**
 * /v2/shipments/batch/stop_tracking and /resume_tracking: up to a thousand shipments at once, each handled separately.
 */

import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { callerOf } from '../../api/callers/request-caller.ts'
import { pointerFault } from '../../api/errors/problem.ts'
import { isUuid } from '../../api/http/path-parameters.ts'
import { describeOperation } from '../../api/openapi/operation.ts'
import { refuseParameters } from '../../api/query/query.ts'
import { checkVerbBody } from '../../api/request-body/body.ts'
import { sendJsonApi } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { membersOf } from '../../domain/values/json-value.ts'
import { Type } from '../../platform/json-schema.ts'
import { notFound } from '../errors.ts'
import { batchBody, errorsOf, readBatchBody } from '../tracking-requests/batch-input.ts'
import type { ItemError } from '../tracking-requests/request-batches-sql.ts'
import { itemErrors, writeError } from '../tracking-requests/tracking-request-batch-resource.ts'
import { actOnShipments, type ShipmentActionResult } from './act-on-shipments.ts'

const shipmentsMax = 1_000
const identifier = schema.object({ type: schema.constant('shipment'), id: schema.text() })
const count: TSchema = Type.Integer({ minimum: 0 })
const answer = schema.object(
  {
    meta: schema.object({
      total: count,
      done: count,
      refused: count,
      items: schema.list(
        schema.object({
          pointer: schema.text({ description: 'JSON pointer into the body that was sent: `/data/3`.' }),
          id: schema.textOrNull({ description: 'The id that was sent; null if none was sent.' }),
          status: schema.oneOf(['done', 'refused']),
          errors: itemErrors,
        }),
      ),
    }),
  },
  { description: 'The result for each shipment.' },
)

export function shipmentsBatch(app: FastifyInstance): void {
  for (const [verb, id, summary] of [
    ['stop_tracking', 'stopTrackingBatch', 'Stop tracking many shipments'],
    ['resume_tracking', 'resumeTrackingBatch', 'Resume tracking many shipments'],
  ] as const) {
    app.post(
      `/v2/shipments/batch/${verb}`,
      {
        config: { isInSteps: true },
        schema: describeOperation({
          id,
          tag: 'Shipments',
          summary,
          description: 'Idempotent. If one shipment is refused, the others are still changed.',
          body: batchBody(identifier, shipmentsMax, false),
          answer,
        }),
      },
      async (request, reply) => {
        const { service, context, run } = callerOf(request)
        refuseParameters(request)
        const given = readItems(request.body)
        const known = given.flatMap(({ id, errors }) => (errors === null && isUuid(id) ? [id] : []))
        const acted = await actOnShipments(service, context, {
          ids: [...new Set(known)],
          verb,
          onceUnder: run?.id,
        })
        const byId = new Map(acted.map((each) => [each.id, each]))
        const items = given.map(({ id, errors }, place) =>
          writeItem({ id, place, errors: errors ?? toItemErrors(byId.get(id)) }),
        )
        const done = items.filter(({ status }) => status === 'done').length
        return sendJsonApi(reply, { meta: { total: items.length, done, refused: items.length - done, items } })
      },
    )
  }
}

interface ReadItem {
  /** Empty when none was sent. */
  readonly id: string
  /** Null when the item names no shipment at all. Whether a named shipment exists is checked later. */
  readonly errors: readonly ItemError[] | null
}

function readItems(body: unknown): readonly ReadItem[] {
  const { items, isDryRun } = readBatchBody(body, shipmentsMax)
  if (isDryRun) throw pointerFault('invalid', '/meta/dry_run', 'This request has no dry run.')
  return items.map((item) => {
    const given = membersOf(item)['id']
    const id = typeof given === 'string' ? given.toLowerCase().slice(0, 80) : ''
    try {
      checkItem(item)
      return { id, errors: null }
    } catch (error) {
      return { id, errors: errorsOf(error) }
    }
  })
}

function checkItem(item: unknown): void {
  const { id, type } = membersOf(item)
  if (type !== 'shipment') throw pointerFault('conflict', '/data/type', 'The type is `shipment`.')
  if (typeof id !== 'string') throw pointerFault('invalid', '/data/id', 'The id of a shipment is needed.')
  checkVerbBody({ data: item }, { type: 'shipment', id })
}

/** A shipment that has no result does not exist. */
function toItemErrors(acted: ShipmentActionResult | undefined): readonly ItemError[] {
  const refusal = acted === undefined ? notFound('shipment') : acted.refusal
  return refusal === null ? [] : [{ code: refusal.code, detail: refusal.detail, pointer: '/data/id' }]
}

function writeItem({ id, errors, place }: ReadItem & { readonly place: number }) {
  return {
    pointer: `/data/${place}`,
    id: id === '' ? null : id,
    status: errors?.length === 0 ? 'done' : 'refused',
    errors: (errors ?? []).map((error) => writeError(error, place)),
  }
}
