/** `summarize_containers`: how many containers match, by status, terminal, line or port of discharge. */

import { countRowsBy } from '../../modules/search/count-rows-by.ts'
import { nameGroup } from '../../modules/search/name-group.ts'
import { Type } from '../../platform/json-schema.ts'
import { describeFilter, readFilters } from '../lists/list-filters.ts'
import { closed, filters, oneOf } from '../tool/inputs.ts'
import { flag, list, number, object, text, textOrNull } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

const groupNames = ['current_status', 'pod_terminal', 'shipping_line', 'port_of_discharge'] as const
const columns = {
  current_status: 'status',
  pod_terminal: 'terminal',
  shipping_line: 'line',
  port_of_discharge: 'pod',
} as const
const groupsMax = 50

export const summarizeContainers = defineTool({
  name: 'summarize_containers',
  title: 'Count containers',
  about: 'Counts instead of rows; `filters` are those of list_containers. For other groups: list_containers, count_by.',
  effect: 'read',
  input: Type.Object({ group_by: oneOf(groupNames, 'What to count by'), filters }, closed),
  output: object({
    total: number,
    truncated: flag,
    group_by: text,
    groups: list(object({ key: textOrNull, label: textOrNull, count: number })),
    applied_filters: Type.Unsafe({ type: 'object', additionalProperties: { type: 'string' } }),
  }),
  run: async (toolContext, input) => {
    const by = columns[input.group_by]
    const filter = { number: null, ...(await readFilters(toolContext, 'containers', input.filters)) }
    const found = await countRowsBy(toolContext.service, toolContext.context, { of: 'containers', filter, by })
    return makeResult(
      {
        total: found.groups.reduce((sum, { count }) => sum + count, 0),
        truncated: !found.isWhole || found.groups.length > groupsMax,
        group_by: input.group_by,
        groups: found.groups.slice(0, groupsMax).map(({ value, count }) => {
          return { key: value, label: value === null ? null : nameGroup(by, value), count }
        }),
        applied_filters: describeFilter(filter),
      },
      { presentation: 'Largest groups first; a null key is unknown.', tools: ['list_containers'] },
    )
  },
})
