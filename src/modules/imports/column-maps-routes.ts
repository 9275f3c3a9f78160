/** /v2/column_maps and /v2/column_maps/:name: how the columns of an account's own tables are read. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { defineResource } from '../../api/define-resource.ts'
import { readPathParameter } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer, nothingBack } from '../../api/openapi/operation.ts'
import { defineQuery } from '../../api/query/query.ts'
import { closed } from '../../api/request-body/attributes.ts'
import { defineCreateBody } from '../../api/request-body/resource-body.ts'
import { sendNothing, sendOne } from '../../api/responses/send.ts'
import { Type } from '../../platform/json-schema.ts'
import { columnMap, mapAttributes, readMap } from './column-map-resource.ts'
import { getColumnMap, getColumnMaps, removeColumnMap, saveColumnMap } from './column-maps.ts'

const query = defineQuery({ type: 'column_map' })
const attributes = Type.Object(Type.Partial(Type.Object(mapAttributes)).properties, closed)
const newMap = defineCreateBody(columnMap, attributes, (given) => given)
const of = {
  type: 'column_map',
  tag: 'Imports',
  path: '/v2/column_maps/:name',
  ids: { name: 'Name of the column map.' },
  keyOf: (params: unknown) => ({ id: readPathParameter(params, 'name') }),
  read: readMap,
} as const

export function columnMaps(app: FastifyInstance): void {
  const routes = defineResource(app, of)
  routes.list({ id: 'listColumnMaps', summary: 'List column maps by name', verb: getColumnMaps })
  routes.get({
    id: 'getColumnMap',
    summary: 'Get a column map',
    verb: (service, context, { id: name }) => getColumnMap(service, context, { name }),
  })

  app.put(
    '/v2/column_maps/:name',
    {
      schema: describeOperation({
        id: 'putColumnMap',
        tag: of.tag,
        summary: 'Create or replace a column map',
        description:
          'An existing map is replaced as a whole. A field that the new map does not name is found by its usual headings.',
        path: of.ids,
        query: query.schema,
        body: newMap.schema,
        answer: documentAnswer('column_map'),
        // No 404: a map that does not exist yet is created.
        never: [404],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const map = newMap.read(request.body, null)
      const { id: name } = of.keyOf(request.params)
      const saved = await saveColumnMap(service, context, { name, map })
      return sendOne({ request, reply }, { data: readMap(saved), view })
    },
  )

  app.delete(
    '/v2/column_maps/:name',
    {
      schema: describeOperation({
        id: 'deleteColumnMap',
        tag: of.tag,
        summary: 'Delete a column map',
        path: of.ids,
        query: query.schema,
        status: 204,
        answer: nothingBack,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      query.read(request)
      await removeColumnMap(service, context, { name: of.keyOf(request.params).id })
      return sendNothing(reply)
    },
  )
}
