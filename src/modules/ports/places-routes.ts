/** /v2/ports and /v2/metro_areas, by id or UN/LOCODE, and by search for a name. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readPathParameter } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer, pageOf } from '../../api/openapi/operation.ts'
import { countryFilter, textFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { sendOne, sendPage } from '../../api/responses/send.ts'
import type { Place } from '../../reference/places.ts'
import { getPlace } from './get-place.ts'
import { listPlaces } from './list-places.ts'
import { readingOfPlace } from './place-resource.ts'

interface PlaceKindRoutes {
  readonly type: Place['kind']
  readonly path: string
  readonly tag: string
  readonly one: string
  readonly many: string
  /** Describes the content of the list where it does not contain all of them. */
  readonly listed: string
  readonly ids: readonly [list: string, get: string]
}

const kinds: readonly PlaceKindRoutes[] = [
  {
    type: 'port',
    path: '/v2/ports',
    tag: 'Ports',
    one: 'a port',
    many: 'ports',
    listed: '',
    ids: ['listPorts', 'getPort'],
  },
  {
    type: 'metro_area',
    path: '/v2/metro_areas',
    tag: 'Metro areas',
    one: 'a metropolitan area',
    many: 'metropolitan areas',
    listed:
      ' Lists the usual inland cities of container transport. Other inland places can be read by their id, which a shipment gives.',
    ids: ['listMetroAreas', 'getMetroArea'],
  },
]

export function places(app: FastifyInstance): void {
  for (const kind of kinds) addPlaceRoutes(app, kind)
}

function addPlaceRoutes(app: FastifyInstance, { type, path, tag, one, many, listed, ids }: PlaceKindRoutes): void {
  const query = defineQuery({ type })
  const listQuery = defineQuery({
    type,
    filters: {
      q: textFilter('q', 'A UN/LOCODE, or words of a name (the beginning of each word is enough).'),
      country: countryFilter('filter[country]'),
    },
    isPaged: true,
  })
  app.get(
    path,
    {
      schema: describeOperation({
        id: ids[0],
        tag,
        summary: `Find ${many}`,
        description: `Beyond the contract. With \`q\`, a place with that code comes first, then the others by similarity of the name. Without \`q\`, places are sorted by name.${listed}`,
        query: listQuery.schema,
        answer: pageOf(type),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const { filter, page: pageRequest, ...view } = listQuery.read(request)
      const page = await listPlaces(service, context, { kind: type, filter, page: pageRequest })
      return sendPage({ request, reply }, { page: { ...page, rows: page.rows.map(readingOfPlace) }, pageRequest, view })
    },
  )

  app.get(
    `${path}/:id`,
    {
      schema: describeOperation({
        id: ids[1],
        tag,
        summary: `Get ${one}`,
        path: { id: 'Its id, its UN/LOCODE, or another code for it (CNSHA for Shanghai, CNSHG).' },
        query: query.schema,
        answer: documentAnswer(type),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const id = readPathParameter(request.params, 'id')
      const place = await getPlace(service, context, { kind: type, idOrUnlocode: id })
      return sendOne({ request, reply }, { data: readingOfPlace(place), view })
    },
  )
}
