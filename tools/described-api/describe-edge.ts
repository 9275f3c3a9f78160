/** Adds to the description of every operation what all have in common: conditional reads and repeatable POSTs. */

import type { FastifyInstance } from 'fastify'
import { Type } from '../../src/platform/json-schema.ts'

type Described = {
  readonly headers?: { readonly properties?: Readonly<Record<string, unknown>> }
  readonly response?: Readonly<Record<string, unknown>>
}

const ifNoneMatch = {
  'if-none-match': Type.String({
    description: 'The `ETag` of an earlier answer. If nothing has changed, the answer is 304.',
  }),
}
const idempotencyKey = {
  'idempotency-key': Type.String({
    description:
      'Up to 255 printable ASCII characters. For 24 hours, the same request with the same key gets the first answer and is not done again. A different request with the same key is refused.',
  }),
}
const ifMatch = {
  'if-match': Type.String({
    description: 'The `ETag` of the resource that you read. If it has changed since then, the answer is 412.',
  }),
}
const notModified = { 304: { type: 'null', description: 'Nothing has changed.' } }
const refusal = (description: string) => Type.Unsafe({ $ref: 'errors#', description })

/** Call this before the routes are added and the description is generated. */
export function describeEdge(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { isOpen, isOff, hasPrecondition, isNeverStored: isKeptByNobody } = route.config ?? {}
    if (isOpen === true || isOff === true || route.schema === undefined) return
    const methods = [route.method].flat()
    if (methods.includes('GET') && isKeptByNobody !== true) extend(route, ifNoneMatch, notModified)
    // The body of a DELETE has no effect, but it is read first, so it can be refused.
    if (methods.includes('DELETE'))
      extend(route, {}, { 413: refusal('Content Too Large'), 415: refusal('Unsupported Media Type') })
    if (methods.includes('POST'))
      extend(route, idempotencyKey, { 409: refusal('Conflict'), 422: refusal('Unprocessable Entity') })
    if (hasPrecondition === true) extend(route, ifMatch, { 412: refusal('Precondition Failed') })
  })
}

function extend(
  route: { schema?: object },
  headers: Readonly<Record<string, unknown>>,
  responses: Readonly<Record<number, unknown>>,
): void {
  const schema: Described = route.schema ?? {}
  const known = schema.headers?.properties ?? {}
  route.schema = {
    ...schema,
    headers: { type: 'object', properties: { ...known, ...headers } },
    response: { ...responses, ...schema.response },
  }
}
