/** What a count by groups is at the API. */

import * as schema from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import type { Summary } from './summarize-rows.ts'

export const groupsMax = 200
const count = Type.Integer({ minimum: 0 })

export const answerOfSummary = (groups: readonly string[]) =>
  schema.object({
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
      group_by: schema.oneOf(groups),
      truncated: Type.Boolean({
        description: `True: there are more than ${groupsMax} groups, or more rows than are counted. Then the counts do not add up to all rows.`,
      }),
    }),
  })

export function writeSummary(groupBy: string, { groups, total, truncated }: Summary) {
  return { data: groups, meta: { total, group_by: groupBy, truncated } }
}
