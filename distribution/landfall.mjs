#!/usr/bin/env node
// The command `landfall` of the installed package: `landfall start` runs the service, everything else is a command on an
// installation. Plain JavaScript that runs on Node 20.
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findNode, runScript } from './run-node.mjs'

const [command, ...args] = process.argv.slice(2)
const isStart = command === 'start'
const program = isStart ? '../src/main.js' : '../src/doors/cli/landfall.js'
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'landfall')

try {
  const script = fileURLToPath(new URL(program, import.meta.url))
  runScript(findNode(modules()), script, isStart ? args : process.argv.slice(2), { cache })
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

/** The folder with our packages: inside this one, or the one that this one lies in. */
function modules() {
  const pg = dirname(createRequire(import.meta.url).resolve('pg/package.json'))
  return dirname(pg)
}
