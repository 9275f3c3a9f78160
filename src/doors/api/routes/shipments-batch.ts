/** /v2/shipments/batch/stop_tracking and /resume_tracking: up to a thousand shipments at once, each by itself. */

import type { FastifyInstance } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { type Acted, actOnShipments } from '../../../service/batches/act-on-shipments.ts'
import { notFound } from '../../../service/errors.ts'
import { send } from '../answer.ts'
import { callerOf } from '../caller.ts'
import { batchBody, readBatchBody } from '../inputs/batch.ts'
import { operation } from '../operation.ts'
import { isUuid } from '../path-id.ts'
import { pointerFault } from '../problem.ts'
import { refuseParameters } from '../query.ts'
import { itemErrors, writeError } from '../resources/tracking-request-batch.ts'
import * as schema from '../schema.ts'

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
          pointer: schema.text({ description: 'Into the body that was sent: `/data/3`.' }),
          id: schema.text(),
          status: schema.oneOf(['done', 'refused']),
          errors: itemErrors,
        }),
      ),
    }),
  },
  { description: 'What became of each.' },
)

export function shipmentsBatch(app: FastifyInstance): void {
  for (const [verb, id, summary] of [
    ['stop_tracking', 'stopTrackingBatch', 'Stop tracking many shipments'],
    ['resume_tracking', 'resumeTrackingBatch', 'Go on tracking many shipments'],
  ] as const) {
    app.post(
      `/v2/shipments/batch/${verb}`,
      {
        schema: operation({
          id,
          tag: 'Shipments',
          summary,
          description: 'Idempotent. One that is refused stops no other.',
          body: batchBody(identifier, shipmentsMax, false),
          answer,
        }),
      },
      async (request, reply) => {
        const { service, context } = callerOf(request)
        refuseParameters(request)
        const ids = readIds(request.body)
        const known = ids.filter(isUuid)
        const acted = await actOnShipments(service, context, { ids: [...new Set(known)], verb })
        const byId = new Map(acted.map((each) => [each.id, each]))
        const items = ids.map((each, place) =>
          writeActed(byId.get(each) ?? { id: each, refusal: notFound('shipment') }, place),
        )
        const done = items.filter(({ status }) => status === 'done').length
        return send(reply, { meta: { total: items.length, done, refused: items.length - done, items } })
      },
    )
  }
}

function readIds(body: unknown): readonly string[] {
  const { items, isDryRun } = readBatchBody(body, shipmentsMax)
  if (isDryRun) throw pointerFault('invalid', '/meta/dry_run', 'There is no dry run of this.')
  return items.map((item, place) => {
    const { id, type } = (typeof item === 'object' && item !== null ? item : {}) as Readonly<
      Record<string, unknown>
    >
    if (type !== 'shipment') throw pointerFault('conflict', `/data/${place}/type`, 'The type is `shipment`.')
    if (typeof id !== 'string')
      throw pointerFault('invalid', `/data/${place}/id`, 'The id of a shipment is needed.')
    return id.toLowerCase().slice(0, 80)
  })
}

function writeActed({ id, refusal }: Acted, place: number) {
  const error = refusal === null ? null : { code: refusal.code, detail: refusal.detail, pointer: '/data/id' }
  return {
    pointer: `/data/${place}`,
    id,
    status: refusal === null ? 'done' : 'refused',
    errors: error === null ? [] : [writeError(error, place)],
  }
}
