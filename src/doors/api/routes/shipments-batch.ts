/** /v2/shipments/batch/stop_tracking and /resume_tracking: up to a thousand shipments at once, each by itself. */

import type { FastifyInstance } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { membersOf } from '../../../core/json-value.ts'
import { notFound } from '../../../service/errors.ts'
import { type Acted, actOnShipments } from '../../../service/tracking/batches/act-on-shipments.ts'
import type { ItemError } from '../../../store/request-batches.ts'
import { send } from '../answer.ts'
import { checkVerbBody } from '../body.ts'
import { callerOf } from '../caller.ts'
import { batchBody, errorsOf, readBatchBody } from '../inputs/batch.ts'
import { operation } from '../operation.ts'
import { isUuid } from '../path-id.ts'
import { pointerFault } from '../problem.ts'
import { refuseParameters } from '../query.ts'
import { idUnderKey } from '../repeats.ts'
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
          id: schema.textOrNull({ description: 'As it was sent; null where none was.' }),
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
        config: { isInSteps: true },
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
        const given = readItems(request.body)
        const known = given.flatMap(({ id, errors }) => (errors === null && isUuid(id) ? [id] : []))
        const acted = await actOnShipments(service, context, {
          ids: [...new Set(known)],
          verb,
          onceUnder: idUnderKey(request),
        })
        const byId = new Map(acted.map((each) => [each.id, each]))
        const items = given.map(({ id, errors }, place) =>
          writeItem({ id, place, errors: errors ?? errorsOfActed(byId.get(id)) }),
        )
        const done = items.filter(({ status }) => status === 'done').length
        return send(reply, { meta: { total: items.length, done, refused: items.length - done, items } })
      },
    )
  }
}

interface ReadItem {
  /** Empty where none was sent. */
  readonly id: string
  /** Null when it names a shipment; whether it is there is for others to say. */
  readonly errors: readonly ItemError[] | null
}

function readItems(body: unknown): readonly ReadItem[] {
  const { items, isDryRun } = readBatchBody(body, shipmentsMax)
  if (isDryRun) throw pointerFault('invalid', '/meta/dry_run', 'There is no dry run of this.')
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

/** Whoever was not acted on is not there. */
function errorsOfActed(acted: Acted | undefined): readonly ItemError[] {
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
