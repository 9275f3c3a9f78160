/** The output of a start that does not start the server: its help, its version, or that an argument is unknown. */

import { callIt, startIt } from '../../platform/call-it.ts'
import { writeVersion } from './version.ts'

const startHelp = `Usage: ${startIt.replace(/^npm start$/, 'npm start --')} [--help | --version]

Starts Landfall: the API, its documentation, the portal, MCP and the workers. Without DATABASE_URL it runs a private
PostgreSQL in its data folder; without carriers.json all carriers are simulated (the sandbox). It runs until SIGINT or
SIGTERM, and then ends without losing work.

Settings are environment variables. Most people set these first:
  LANDFALL_DATA        Folder for all data (./.landfall)
  LANDFALL_HOST        Address that the servers listen on (127.0.0.1)
  LANDFALL_PORT        Port of the API, the documentation and the portal (3000)
  LANDFALL_MCP_PORT    Separate port of MCP (3001); 0: no separate port
  DATABASE_URL         Your own PostgreSQL server, 15 or newer
  LANDFALL_PUBLIC_URL  Address at which clients reach it: https://track.example.com
  LANDFALL_ROLE        all, api or worker
All of them: docs/configuration.md. Commands on an installation: ${callIt} --help

Exit codes: 0 stopped by a signal, 1 did not start, 2 wrong arguments.`

/**
 * Null when there are no arguments: then it starts. An unknown argument starts nothing, because the caller wanted
 * something with it.
 */
export function respondToArguments(args: readonly string[]): { readonly text: string; readonly code: 0 | 2 } | null {
  if (args.length === 0) return null
  if (args.some((arg) => arg === '--help' || arg === '-h')) return { text: startHelp, code: 0 }
  const unknown = args.find((arg) => arg !== '--version')
  if (unknown === undefined) return { text: writeVersion(), code: 0 }
  return {
    text: `The start command has no argument ${unknown}: settings are environment variables. ${startIt.replace(/^npm start$/, 'npm start --')} --help names them.`,
    code: 2,
  }
}
