#!/usr/bin/env node
// The command `landfall` of the installed package: `landfall start` runs the service, everything else is a command on an
// installation. Plain JavaScript that runs on Node 20, and brings a newer one where the machine's does not run the program.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bring } from '../distribution/bring.mjs'
import { findNode, isNewEnough, runScript } from './run-node.mjs'

const [command, ...args] = process.argv.slice(2)
const isStart = command === 'start'
const program = isStart ? '../src/main.js' : '../src/cli/landfall.js'
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'landfall')

try {
  const script = fileURLToPath(new URL(program, import.meta.url))
  const node = findNode(isNewEnough() ? null : await bring('node'))
  runScript(node, script, isStart ? args : process.argv.slice(2), { cache })
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
