/** `list_parties`: the companies for which the account tracks, by a part of their name. */

import { listParties as listPage } from '../../modules/parties/get-party.ts'
import { Type } from '../../platform/json-schema.ts'
import { closed } from '../tool/inputs.ts'
import { flag, list, number, object, text } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

const limitUsual = 25

export const listParties = defineTool({
  name: 'list_parties',
  title: 'List parties',
  about: 'Companies for which the account tracks. Their ids are for the filter `customer`.',
  effect: 'read',
  input: Type.Object(
    {
      search: Type.Optional(Type.String({ maxLength: 100, description: 'Part of the name' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Rows: 25 by default' })),
    },
    closed,
  ),
  output: object({
    total_matched: number,
    parties: list(object({ id: text, name: text })),
    truncated: flag,
    usage: text,
  }),
  run: async ({ service, context }, input) => {
    const { rows, total } = await listPage(service, context, {
      filter: { companyName: null, namePart: input.search?.trim() || null },
      order: '-created_at',
      page: { number: 1, size: input.limit ?? limitUsual },
    })
    const matched = Math.max(total ?? 0, rows.length)
    const usage = 'list_shipments with filters {"customer": id} lists the shipments of one.'
    return makeResult(
      {
        total_matched: matched,
        parties: rows.map(({ id, companyName }) => ({ id, name: companyName })),
        truncated: matched > rows.length,
        usage,
      },
      { presentation: 'Give names.', tools: ['list_shipments'] },
    )
  },
})
