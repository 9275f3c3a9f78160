/** /v2/column_maps and /v2/column_maps/:name: how the columns of an account's own tables are read. */

import type { FastifyInstance } from 'fastify'
import { Type } from '../../../../platform/json-schema.ts'
import {
  getColumnMap,
  getColumnMaps,
  removeColumnMap,
  saveColumnMap,
} from '../../../../service/hearing/imports/column-maps.ts'
import { mapAttributes, readMap } from '../../../documents/resources/taking-in/column-map.ts'
import { readPart } from '../../../http/path-id.ts'
import { sendList, sendNothing, sendOne } from '../../answering/answer.ts'
import { defineQuery } from '../../asking/query.ts'
import { readAttributes } from '../../bodies/body.ts'
import { callerOf } from '../../caller/caller.ts'
import { bodyOf, documentOf, listOf, nothingBack, operation } from '../../description/operation.ts'
import { closed, readOnlyOf } from '../../inputs/attributes.ts'

const query = defineQuery({ type: 'column_map' })
const newMap = Type.Object(Type.Partial(Type.Object(mapAttributes)).properties, closed)
const readOnly = readOnlyOf('column_map', newMap)
const common = { tag: 'Imports', path: { name: 'Name of the column map.' } }
const describedMap = { ...common, query: query.schema, answer: documentOf('column_map') }

export function columnMaps(app: FastifyInstance): void {
  app.get(
    '/v2/column_maps',
    {
      schema: operation({
        id: 'listColumnMaps',
        tag: 'Imports',
        summary: 'List column maps by name',
        query: query.schema,
        answer: listOf('column_map'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const saved = await getColumnMaps(service, context)
      return sendList({ request, reply }, { data: saved.map(readMap), view })
    },
  )

  app.get(
    '/v2/column_maps/:name',
    { schema: operation({ ...describedMap, id: 'getColumnMap', summary: 'Get a column map' }) },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const saved = await getColumnMap(service, context, { name: readPart(request.params, 'name') })
      return sendOne({ request, reply }, { data: readMap(saved), view })
    },
  )

  app.put(
    '/v2/column_maps/:name',
    {
      schema: operation({
        ...describedMap,
        id: 'putColumnMap',
        summary: 'Create or replace a column map',
        description:
          'An existing map is replaced as a whole. A field that the new map does not name is found by its usual headings.',
        body: bodyOf('column_map', newMap),
        // No 404: a map that does not exist yet is created.
        never: [404],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const map = readAttributes(request.body, {
        type: 'column_map',
        id: null,
        attributes: newMap,
        readOnly,
      })
      const saved = await saveColumnMap(service, context, { name: readPart(request.params, 'name'), map })
      return sendOne({ request, reply }, { data: readMap(saved), view })
    },
  )

  app.delete(
    '/v2/column_maps/:name',
    {
      schema: operation({
        ...common,
        id: 'deleteColumnMap',
        summary: 'Delete a column map',
        query: query.schema,
        status: 204,
        answer: nothingBack,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      query.read(request)
      await removeColumnMap(service, context, { name: readPart(request.params, 'name') })
      return sendNothing(reply)
    },
  )
}
