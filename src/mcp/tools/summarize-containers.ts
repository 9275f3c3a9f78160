/** `summarize_containers`: how many containers match, by status, terminal, line or port of discharge. */

import { summarizeContainers as summarize, summaryGroups } from '../../modules/search/summarize-containers.ts'
import { Type } from '../../platform/json-schema.ts'
import { describeFilter, readFilters } from '../lists/list-filters.ts'
import { closed, filters, oneOf } from '../tool/inputs.ts'
import { flag, list, number, object, text, textOrNull } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

const groupsMax = 50

export const summarizeContainers = defineTool({
  name: 'summarize_containers',
  title: 'Count containers',
  about: 'Counts instead of rows; `filters` are those of list_containers. For other groups: list_containers, count_by.',
  effect: 'read',
  input: Type.Object({ group_by: oneOf(summaryGroups, 'What to count by'), filters }, closed),
  output: object({
    total: number,
    truncated: flag,
    group_by: text,
    groups: list(object({ key: textOrNull, label: textOrNull, count: number })),
    applied_filters: Type.Unsafe({ type: 'object', additionalProperties: { type: 'string' } }),
  }),
  run: async (toolContext, input) => {
    const { service, context } = toolContext
    const filter = { number: null, ...(await readFilters(toolContext, 'containers', input.filters)) }
    const summary = await summarize(service, context, { filter, groupBy: input.group_by, groupsMax })
    return makeResult(
      { ...summary, group_by: input.group_by, applied_filters: describeFilter(filter) },
      { presentation: 'Largest groups first; a null key is unknown.', tools: ['list_containers'] },
    )
  },
})
