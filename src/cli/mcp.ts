/** `landfall mcp`: the MCP server over standard input and output, for clients that start a program instead of calling a URL. */

import { pipeStdio } from '../mcp/transport/stdio-pipe.ts'
import { defineCommand, UsageError } from './framework/command.ts'

const urlDefault = 'http://127.0.0.1:3001'

export const mcp = defineCommand({
  about: `Reads LANDFALL_API_KEY, and LANDFALL_URL for the address of the MCP server (${urlDefault} when it is not set).`,
  options: { url: { type: 'string', value: '<url>', about: 'address of the MCP server' } },
  examples: ['mcp', 'mcp --url https://mcp.example.com'],
  run: async ({ options, shell }) => {
    const apiKey = shell.env['LANDFALL_API_KEY']?.trim() ?? ''
    if (apiKey === '') throw new UsageError('LANDFALL_API_KEY is not set. Set it to an API key of the server.')
    const address = options.url ?? shell.env['LANDFALL_URL'] ?? urlDefault
    if (!/^https?:\/\//.test(address) || !URL.canParse(address))
      throw new UsageError(`${address} is not a URL with http or https.`)
    await pipeStdio({ url: new URL(address), apiKey }, shell.log)
    return 0
  },
})
