/** Every command of the command line, in the order of the help. */

import { accessCommands } from './access/commands.ts'
import { askingCommands } from './asking/commands.ts'
import { channelCommands } from './channels/commands.ts'
import { documentCommands } from './documents/commands.ts'
import { type ListedCommand, wholeOf } from './frame/command.ts'
import { inferenceCommands } from './inference/commands.ts'
import { movingCommands } from './moving/commands.ts'
import { refdataCommands } from './refdata/commands.ts'
import { sourceCommands } from './sources/commands.ts'
import { upkeepCommands } from './upkeep/commands.ts'

export const commands: readonly ListedCommand[] = [
  ...askingCommands,
  {
    name: 'explain',
    summary: 'Say why a container or shipment is shown as it is',
    load: async () => (await import('./explain.ts')).explain,
  },
  {
    name: 'import',
    summary:
      'Track the numbers of a CSV or XLSX table, or send its statements about containers, over the API',
    load: async () => (await import('./import.ts')).importTable,
  },
  ...movingCommands,
  ...refdataCommands,
  ...sourceCommands,
  ...channelCommands,
  ...documentCommands,
  ...inferenceCommands,
  ...accessCommands,
  ...upkeepCommands,
  {
    name: 'evidence check',
    summary: 'Check a pack of evidence; no installation and no server is needed',
    load: async () => (await import('./evidence/evidence-check.ts')).evidenceCheck,
  },
  {
    name: 'mcp',
    summary:
      'Run an MCP server on standard input and output that passes requests on to Landfall with an API key',
    load: async () => (await import('./mcp.ts')).mcp,
  },
  {
    name: 'completion',
    summary: 'Print what a shell needs to complete commands and options',
    load: async () =>
      (await import('./frame/completion.ts')).completionOf(() => Promise.all(commands.map(wholeOf))),
  },
]
