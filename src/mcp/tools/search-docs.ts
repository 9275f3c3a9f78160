/** `search_docs`: sections of the guide of this version by their words. */

import { Type } from '../../platform/json-schema.ts'
import { readGuide } from '../../portal-server/guide/guide-pages.ts'
import { searchGuide } from '../../portal-server/guide/guide-search.ts'
import { closed } from '../tool/inputs.ts'
import { list, number, object, text } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

export const searchDocs = defineTool({
  name: 'search_docs',
  title: 'Search the guide',
  about: 'Sections of the guide of this Landfall that have all the words. `url` is a path of the server.',
  effect: 'read',
  input: Type.Object(
    {
      query: Type.String({ minLength: 1, maxLength: 256, description: 'A few words' }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: 'Sections: 5 by default' })),
    },
    closed,
  ),
  output: object({
    query: text,
    total_results: number,
    results: list(object({ title: text, url: text, page: text, content: text })),
  }),
  run: async (_, { query, limit = 5 }) => {
    const found = searchGuide(readGuide(), query)
    return makeResult(
      {
        query,
        total_results: found.length,
        results: found.slice(0, limit).map(({ page, heading, anchor, excerpt }) => ({
          title: heading === '' ? page.title : `${page.title}: ${heading}`,
          url: `/docs/guide/${page.name}${anchor === '' ? '' : `#${anchor}`}`,
          page: page.name,
          content: excerpt,
        })),
      },
      { presentation: 'Answer from the sections, and name the page.' },
    )
  },
})
