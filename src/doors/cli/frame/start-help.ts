/** What `npm start -- --help` says. */

import { callIt, startIt } from '../../../platform/call-it.ts'

export const startHelp = `Usage: ${startIt.replace(/^npm start$/, 'npm start --')} [--help]

Starts Landfall: the API, its documentation, the portal, MCP and the workers. Without DATABASE_URL it runs a private
PostgreSQL in its data folder; without carriers.json all carriers are simulated (the sandbox). It runs until SIGINT or
SIGTERM, and then ends without losing work.

Settings are variables of the environment. Those that people set first:
  LANDFALL_DATA        Folder of what is kept (./.landfall)
  LANDFALL_HOST        Address to listen at (127.0.0.1)
  LANDFALL_PORT        Port of the API, the documentation and the portal (3000)
  LANDFALL_MCP_PORT    Port of MCP at an origin of its own (3001), 0 for none
  DATABASE_URL         A PostgreSQL of your own, 15 or newer
  LANDFALL_PUBLIC_URL  Where others reach it: https://track.example.com
  LANDFALL_ROLE        all, api or worker
All of them: docs/configuration.md. Commands on an installation: ${callIt} --help

Exit codes: 0 stopped when told to, 1 did not start.`
