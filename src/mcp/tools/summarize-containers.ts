/** `summarize_containers`: how many containers match, by status, terminal, line, port of discharge or last free day. */

import { allSummaryGroups, summarizeContainers as summarize } from '../../modules/search/summarize-rows.ts'
import { Type } from '../../platform/json-schema.ts'
import { containerArguments, readListFilter } from '../lists/api-filters.ts'
import { describeFilter } from '../lists/list-filters.ts'
import { closed, oneOf } from '../tool/inputs.ts'
import { flag, list, number, object, text, textOrNull } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

const groupsMax = 50

export const summarizeContainers = defineTool({
  name: 'summarize_containers',
  title: 'Count containers',
  about:
    'Counts instead of rows; the filters are those of list_containers. For other groups: list_containers, count_by.',
  effect: 'read',
  input: Type.Object({ group_by: oneOf(allSummaryGroups, 'What to count by'), ...containerArguments }, closed),
  output: object({
    total: number,
    truncated: flag,
    group_by: text,
    groups: list(object({ key: textOrNull, label: textOrNull, count: number })),
    applied_filters: Type.Unsafe({ type: 'object' }),
  }),
  run: async (toolContext, input) => {
    const { service, context } = toolContext
    const { filter, applied } = await readListFilter(toolContext, 'containers', input)
    const summary = await summarize(service, context, { filter, groupBy: input.group_by, groupsMax })
    return makeResult(
      { ...summary, group_by: input.group_by, applied_filters: { ...applied, ...describeFilter(filter) } },
      { presentation: 'Largest groups first; a null key is unknown.', tools: ['list_containers'] },
    )
  },
})
