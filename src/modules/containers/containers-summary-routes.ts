/** /v2/containers/summary: counts containers by status, terminal, line, port or ship, with the filters of their list. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation } from '../../api/openapi/operation.ts'
import { choiceFilter, requireFilter } from '../../api/query/filters.ts'
import { defineFilters } from '../../api/query/query.ts'
import { sendPlain } from '../../api/responses/send.ts'
import { readContainerFieldFilters } from '../custom-fields/read-field-filters.ts'
import { summarizeContainers, summaryGroups } from '../search/summarize-rows.ts'
import { answerOfSummary, groupsMax, writeSummary } from '../search/summary-resource.ts'
import { containerFilters } from './containers-routes.ts'

const query = defineFilters({
  ...containerFilters,
  groupBy: requireFilter('group_by', choiceFilter('group_by', summaryGroups)),
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
        answer: answerOfSummary(summaryGroups),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const { customFields, groupBy, ...filters } = query.read(request)
      const filter = { ...filters, ...(await readContainerFieldFilters(service, context, customFields)) }
      const summary = await summarizeContainers(service, context, { filter, groupBy, groupsMax })
      return sendPlain({ request, reply }, writeSummary(groupBy, summary))
    },
  )
}
