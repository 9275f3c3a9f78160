/** The trade data tools of the v2 API's MCP server, which Landfall does not have. They are not listed. */

import { Type } from '../../platform/json-schema.ts'
import { object, text } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

export const tradeToolNames: readonly string[] = [
  'search_importers',
  'get_importer_profile',
  'search_commodities',
  'rank_importers',
  'get_trade_trends',
  'get_trade_breakdown',
  'get_trade_data_coverage',
]

export const tradeIntel = defineTool({
  name: 'trade_intel',
  title: 'Trade data',
  about: 'Not available.',
  effect: 'read',
  input: Type.Object({}),
  output: object({ error: text, message: text, alternative: text }),
  run: async () =>
    makeResult(
      {
        error: 'FeatureNotEnabled',
        message: 'Trade data is not enabled for this account.',
        alternative: 'list_containers and list_shipments show what the account itself tracks.',
      },
      null,
    ),
})
