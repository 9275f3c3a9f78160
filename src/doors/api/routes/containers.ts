/** /v2/containers */

import type { FastifyInstance } from 'fastify'
import { containerStatuses } from '../../../core/projection.ts'
import { listContainers } from '../../../service/containers/list-containers.ts'
import { sendPage } from '../answer.ts'
import { callerOf } from '../caller.ts'
import { choiceFilter, numberFilter, scacFilter, timeFilter } from '../filters.ts'
import { containerChangesBody, readContainerId } from '../inputs/container.ts'
import { documentOf, operation, pageOf } from '../operation.ts'
import { defineQuery } from '../query.ts'
import { changeContainer, containerQuery } from './containers-id.ts'

const query = defineQuery({
  type: 'container',
  filters: {
    number: numberFilter('filter[number]', 'The container number.'),
    status: choiceFilter('filter[status]', containerStatuses),
    scac: scacFilter('filter[scac]'),
    updatedAt: timeFilter('filter[updated_at]'),
  },
  orders: ['-updated_at', 'updated_at', '-created_at', 'created_at'],
  isPaged: true,
})

export function containers(app: FastifyInstance): void {
  app.get(
    '/v2/containers',
    {
      schema: operation({
        id: 'listContainers',
        tag: 'Containers',
        summary: 'List containers, most recently refreshed first',
        query: query.schema,
        answer: pageOf('container'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = query.read(request)
      const page = await listContainers(service, context, asked)
      return sendPage({ request, reply }, { page, asked: asked.page, view: asked })
    },
  )

  app.patch(
    '/v2/containers',
    {
      config: { hasPrecondition: true },
      schema: operation({
        id: 'updateContainerInBody',
        tag: 'Containers',
        summary: 'Change the container that the body names',
        description: 'The same as PATCH /v2/containers/{id}, with the id in `data.id`.',
        query: containerQuery.schema,
        body: containerChangesBody,
        answer: documentOf('container'),
        refusals: [404],
      }),
    },
    async (request, reply) => {
      const view = containerQuery.read(request)
      return changeContainer({ request, reply }, { params: { id: readContainerId(request.body) }, view })
    },
  )
}
