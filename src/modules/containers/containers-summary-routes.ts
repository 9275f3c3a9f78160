/** /v2/containers/summary: counts containers by status, terminal, line, port or ship, with the filters of their list. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation } from '../../api/openapi/operation.ts'
import { choiceFilter, requireFilter } from '../../api/query/filters.ts'
import { defineFilters } from '../../api/query/query.ts'
import { sendPlain } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import { readContainerFieldFilters } from '../custom-fields/read-field-filters.ts'
import { summarizeContainers, summaryGroups } from '../search/summarize-containers.ts'
import { containerFilters } from './containers-routes.ts'

const groupsMax = 200

const query = defineFilters({
  ...containerFilters,
  groupBy: requireFilter('group_by', choiceFilter('group_by', summaryGroups)),
})
const count = Type.Integer({ minimum: 0 })
const answer = schema.object({
  data: schema.list(
    schema.object({
      key: schema.textOrNull({
        description: 'Status, id of the terminal, SCAC, UN/LOCODE, or IMO number. Null if not known.',
      }),
      label: schema.textOrNull({ description: 'The name of the terminal, line, port or ship.' }),
      count,
    }),
  ),
  meta: schema.object({
    total: count,
    group_by: schema.oneOf(summaryGroups),
    truncated: Type.Boolean({
      description: `True: there are more than ${groupsMax} groups, or more containers than are counted. Then the counts do not add up to all containers.`,
    }),
  }),
})

export function containersSummary(app: FastifyInstance): void {
  app.get(
    '/v2/containers/summary',
    {
      schema: describeOperation({
        id: 'summarizeContainers',
        tag: 'Containers',
        summary: 'Count containers by status, terminal, line, port or ship',
        description: 'The largest groups come first. The filters are those of the list of containers.',
        query: query.schema,
        answer,
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const { customFields, groupBy, ...filters } = query.read(request)
      const filter = { ...filters, ...(await readContainerFieldFilters(service, context, customFields)) }
      const { groups, total, truncated } = await summarizeContainers(service, context, { filter, groupBy, groupsMax })
      return sendPlain({ request, reply }, { data: groups, meta: { total, group_by: groupBy, truncated } })
    },
  )
}
