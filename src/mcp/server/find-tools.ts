/** `find_tools`, where fewer tools are listed: the definitions of others, by words. They are called by their names. */

import { Type } from '../../platform/json-schema.ts'
import { fitRows } from '../lists/fit-rows.ts'
import { closed } from '../tool/inputs.ts'
import { flag, list, number, object, text, toListedInput } from '../tool/schema.ts'
import { defineTool, makeResult, type Tool } from '../tool/tool.ts'
import { tools } from '../tools.ts'
import { currentCaller } from './mcp-caller.ts'
import { whyNotOffered } from './offers.ts'

export const findTools = defineTool({
  name: 'find_tools',
  title: 'Find tools',
  about: 'More tools than are listed here, by words such as `webhook`, with their definitions. Call them by name.',
  effect: 'read',
  input: Type.Object(
    {
      query: Type.String({ minLength: 1, maxLength: 200, description: 'What to do, in a few words' }),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 50, description: 'Tools; by default those that fit into 4 KB' }),
      ),
    },
    closed,
  ),
  output: object({
    total_results: number,
    names: list(text),
    tools: list(
      object({ name: text, description: text, reads_only: flag, inputSchema: Type.Unsafe({ type: 'object' }) }),
    ),
  }),
  run: async (_, { query, limit }) => {
    const caller = currentCaller()
    const words = query.toLowerCase().match(/[a-z0-9]{2,}/g) ?? []
    const found = tools
      .filter((tool) => whyNotOffered(caller, tool) === null)
      .map((tool) => ({ tool, score: scoreOf(tool, words) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .map(({ tool }) => tool)
    const definitions = found.map(({ name, about, effect, input }) => ({
      name,
      description: about,
      reads_only: effect === 'read',
      inputSchema: toListedInput(input),
    }))
    return makeResult(
      {
        total_results: found.length,
        names: found.map(({ name }) => name),
        tools: limit === undefined ? fitRows(definitions, 700) : definitions.slice(0, limit),
      },
      { presentation: 'Call the tool that fits by its name, also where it is not listed.' },
    )
  },
})

/** A word in the name counts more than one in the description or among the arguments. */
function scoreOf({ name, title, about, input }: Tool, words: readonly string[]): number {
  const [first, second] = [name, `${title} ${about} ${Object.keys(input.properties).join(' ')}`.toLowerCase()]
  const stem = (word: string): string => word.replace(/(ies|es|s)$/, '')
  return words.reduce((sum, word) => sum + (first.includes(stem(word)) ? 3 : second.includes(stem(word)) ? 1 : 0), 0)
}
