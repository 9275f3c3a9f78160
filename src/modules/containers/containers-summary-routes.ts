/** /v2/containers/summary: counts containers by status, terminal, line or port, with the filters of their list. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation } from '../../api/openapi/operation.ts'
import { choiceFilter, requireFilter } from '../../api/query/filters.ts'
import { defineFilters } from '../../api/query/query.ts'
import { sendPlain } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import { readFieldFilters } from '../custom-fields/read-field-filters.ts'
import { countRowsBy } from '../search/count-rows-by.ts'
import { nameGroup } from '../search/name-group.ts'
import { containerFilters } from './containers-routes.ts'
import type { ContainerGroup } from './list-containers-sql.ts'

const groupsOf = {
  current_status: 'status',
  pod_terminal: 'terminal',
  shipping_line: 'line',
  port_of_discharge: 'pod',
} as const satisfies Readonly<Record<string, ContainerGroup>>
const groupNames = ['current_status', 'pod_terminal', 'shipping_line', 'port_of_discharge'] as const
const groupsMax = 200

const query = defineFilters({
  ...containerFilters,
  groupBy: requireFilter('group_by', choiceFilter('group_by', groupNames)),
})
const count = Type.Integer({ minimum: 0 })
const answer = schema.object({
  data: schema.list(
    schema.object({
      key: schema.textOrNull({ description: 'Status, id of the terminal, SCAC, or UN/LOCODE. Null if not known.' }),
      label: schema.textOrNull({ description: 'The name of the terminal, line or port.' }),
      count,
    }),
  ),
  meta: schema.object({
    total: count,
    group_by: schema.oneOf(groupNames),
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
        summary: 'Count containers by status, terminal, line or port of discharge',
        description: 'The largest groups come first. The filters are those of the list of containers.',
        query: query.schema,
        answer,
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const { customFields, groupBy, ...filters } = query.read(request)
      const fields = await readFieldFilters(service, context, { entityType: 'Container', given: customFields })
      const by = groupsOf[groupBy]
      const { groups, isWhole } = await countRowsBy(service, context, {
        of: 'containers',
        by,
        filter: { ...filters, fields },
      })
      const data = groups.slice(0, groupsMax).map(({ value, count: many }) => ({
        key: value,
        label: value === null ? null : nameGroup(by, value),
        count: many,
      }))
      const total = groups.reduce((sum, each) => sum + each.count, 0)
      const truncated = !isWhole || groups.length > groupsMax
      return sendPlain({ request, reply }, { data, meta: { total, group_by: groupBy, truncated } })
    },
  )
}
