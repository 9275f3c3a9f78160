/**
 * The API with the description of its routes, from which `npm run openapi` writes docs/openapi.json. A server answers
 * with that file and describes nothing.
 */

import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { listKinds } from '../src/api/json-api/find-kind.ts'
import { problemCodes } from '../src/api/shape/error-table.ts'
import { resourceSchema } from '../src/api/shape/resource-kind.ts'
import * as schema from '../src/api/shape/schema.ts'
import { Type } from '../src/platform/json-schema.ts'
import { createApiApp } from '../src/server/app.ts'
import { describeEdge } from './described-api/describe-edge.ts'
import { openApiInfo } from './described-api/open-api-info.ts'

/** Its `swagger()` gives the document when the app is ready. */
export function openDescribedApi(
  service: Parameters<typeof createApiApp>[0],
  options: Parameters<typeof createApiApp>[1] = {},
): Promise<FastifyInstance> {
  return createApiApp(service, { ...options, describe })
}

async function describe(app: FastifyInstance): Promise<void> {
  describeEdge(app)
  for (const each of componentSchemas()) app.addSchema(each)
  await app.register(swagger, {
    openapi: openApiInfo,
    convertConstToEnum: false,
    refResolver: { buildLocalReference },
  })
}

/** Shared parts of the OpenAPI document, by `$id`. */
function componentSchemas(): readonly TSchema[] {
  return [...listKinds().map(resourceSchema), errorsSchema]
}

const errorsSchema = schema.object(
  {
    errors: schema.list(
      schema.object({
        status: schema.text({ description: 'HTTP status.' }),
        code: schema.oneOf(problemCodes),
        title: schema.text(),
        detail: schema.text(),
        source: schema.optional(
          schema.object({
            pointer: schema.optional(schema.text()),
            parameter: schema.optional(schema.text()),
            header: schema.optional(schema.text()),
          }),
        ),
        meta: schema.optional(Type.Unsafe({ type: 'object' })),
      }),
      { minItems: 1 },
    ),
  },
  { $id: 'errors' },
)

function buildLocalReference(
  schema: { readonly $id?: unknown },
  _base: unknown,
  _fragment: unknown,
  index: number,
): string {
  return typeof schema.$id === 'string' ? schema.$id : `def-${index}`
}
