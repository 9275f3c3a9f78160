/** What people and agents call by name: the commands of the command line, and the tools of the MCP server. */

import { commands } from '../../src/cli/commands.ts'
import { loadCommand, type Operand, type Options } from '../../src/cli/framework/command.ts'
import { filterNames } from '../../src/mcp/lists/list-filters.ts'
import type { McpCaller } from '../../src/mcp/server/mcp-caller.ts'
import { registerPrompts } from '../../src/mcp/server/prompts.ts'
import { registerResources } from '../../src/mcp/server/resources.ts'
import { otherNames, tools } from '../../src/mcp/tools.ts'
import { readConfig } from '../../src/platform/config.ts'
import { structureHash } from './api.ts'
import type { Group } from './dump-text.ts'

export async function commandGroups(): Promise<readonly Group[]> {
  const whole = await Promise.all(commands.map(loadCommand))
  return [
    {
      title: 'commands',
      lines: whole.map(({ name, operands, options }) =>
        [name, ...operands.map(operandText), ...optionTexts(options)].join(' '),
      ),
    },
    { title: 'MCP tools', lines: [...tools.map(toolLine), ...earlier()] },
    {
      title: 'MCP filters',
      lines: Object.entries(filterNames).map(([list, names]) => `${list}: ${names.join(' ')}`),
    },
    { title: 'MCP prompts and resources', lines: registered() },
  ]
}

function operandText({ name, oneOf, isRepeated }: Operand): string {
  const repeated = isRepeated === true ? '…' : ''
  return `<${name}${oneOf === undefined ? '' : `: ${oneOf.join('|')}`}>${repeated}`
}

function optionTexts(options: Options): readonly string[] {
  return Object.entries(options)
    .map(([name, { type, isRequired }]) => `--${name}${type === 'string' ? '=' : ''}${isRequired === true ? '!' : ''}`)
    .toSorted()
}

function toolLine({ name, input, output, effect, isDestructive }: (typeof tools)[number]): string {
  const required: readonly string[] = input.required ?? []
  const names = Object.keys(input.properties).map((each) => (required.includes(each) ? `${each}!` : each))
  const hashes = `${structureHash(input)} → ${structureHash(output)}`
  return `${name}(${names.toSorted().join(', ')}) ${effect}${isDestructive ? ', destructive' : ''} ${hashes}`
}

function earlier(): readonly string[] {
  return [...otherNames].map(([before, now]) => `${before} = ${now}`)
}

/** By a server that only writes down what is registered. */
function registered(): readonly string[] {
  const lines: string[] = []
  const server = {
    registerPrompt: (name: string, { argsSchema }: { readonly argsSchema: { readonly shape: object } }) =>
      lines.push(`prompt ${name}(${Object.keys(argsSchema.shape).join(', ')})`),
    registerResource: (name: string, at: string | { readonly uriTemplate: unknown }) =>
      lines.push(`resource ${name} ${typeof at === 'string' ? at : String(at.uriTemplate)}`),
  }
  // safe: registering calls nothing else, and reads nothing but the settings and the part
  const caller = { service: { config: readConfig({}) }, part: { kind: 'all', limit: null } } as unknown as McpCaller
  registerPrompts(server as never, caller)
  registerResources(server as never, caller)
  return lines
}
