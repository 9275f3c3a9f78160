/** /v2/tracking_requests/:id/correct: the same with another line, number or kind. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { bodyOf, describeOperation, documentAnswer } from '../../api/openapi/operation.ts'
import { defineQuery } from '../../api/query/query.ts'
import { closed, readOnlyOf } from '../../api/request-body/attributes.ts'
import { readAttributes } from '../../api/request-body/body.ts'
import { sendOne } from '../../api/responses/send.ts'
import { type RequestType, requestTypes } from '../../domain/tracking-requests/tracking-request-state.ts'
import { Type } from '../../platform/json-schema.ts'
import { refusedAt } from '../errors.ts'
import { correctTrackingRequest } from './correct-tracking-request.ts'
import { trackingRequest } from './tracking-request-resource.ts'
import { includeAliases, includedByDefault } from './tracking-requests-routes.ts'

const query = defineQuery({ type: 'tracking_request', includes: includedByDefault, includeAliases })
const right = Type.Partial(
  Type.Object({
    request_number: Type.String({ minLength: 1, maxLength: 40 }),
    request_type: Type.Unsafe<RequestType>({ type: 'string', enum: requestTypes }),
    scac: Type.String({ minLength: 1, maxLength: 40, description: 'SCAC of the shipping line.' }),
  }),
  closed,
)
const expected = { type: 'tracking_request', id: null, attributes: right, readOnly: readOnlyOf(trackingRequest, right) }

export function trackingRequestsIdCorrect(app: FastifyInstance): void {
  app.post(
    '/v2/tracking_requests/:id/correct',
    {
      config: { bucket: 'create' },
      schema: describeOperation({
        id: 'correctTrackingRequest',
        tag: 'Tracking requests',
        summary: 'Request the same with the right line, number or kind',
        description:
          'The answer is the new request. It has the reference numbers and tags of the wrong one. What the wrong one tracks is no longer tracked, and the wrong one no longer needs attention.',
        path: { id: 'Id of the wrong request.' },
        query: query.schema,
        body: bodyOf('tracking_request', right),
        status: 201,
        answer: documentAnswer('tracking_request'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const id = readId(request.params, 'tracking request')
      const { request_number: number, request_type: requestType = null, scac } = readAttributes(request.body, expected)
      const given = { number: number?.trim() || null, requestType, scac: scac?.trim() || null }
      if (Object.values(given).every((value) => value === null))
        throw refusedAt('/data/attributes', 'Send what is right: `request_number`, `request_type` or `scac`.')
      const { made } = await correctTrackingRequest(service, context, { id, ...given })
      return sendOne({ request, reply }, { data: made, view, status: 201 })
    },
  )
}
