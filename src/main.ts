/**
 * Starts Landfall, as one process or as a group of them. Prints where everything is. Stops without losing work.
 */

import { respondToArguments } from './cli/framework/start-help.ts'
import { getInstallationNames } from './modules/derived-settings.ts'
import { type Config, readConfig } from './platform/config.ts'
import { openLogDestination } from './platform/log.ts'
import { openLogTo } from './platform/log-files.ts'
import { describeOperatorIssue, findOperatorIssue } from './platform/operator-issue-kinds.ts'
import type { ProcessGroup } from './platform/process-group.ts'
import { needsGroup, runGroup } from './server/run-group.ts'

type CloseFunction = () => Promise<unknown>
/** What has to be closed when the process stops. The last group is closed first, what is in one at the same time. */
const closing: CloseFunction[][] = []
let isStopping = false
/** Also ends a start that is under way: what it has opened so far is closed, and it opens no more. */
const registerClose = (close: CloseFunction, beside?: 'beside'): void => {
  if (beside === undefined) closing.push([close])
  else closing.at(-1)?.push(close)
  if (isStopping) throw new Error('It received a stop signal while it started.')
}
const print = (sentence: string): void => void process.stderr.write(`${sentence}\n`)

async function start(config: Config): Promise<void> {
  if (needsGroup(config)) return startProcesses(config)
  // Loaded here: whoever only watches over others needs little of the program.
  const { serve } = await import('./server/serve.ts')
  await serve(config, {
    notify: print,
    onClose: registerClose,
    isClosing: () => isStopping,
    stop: () => void stop(0, starting),
  })
}

/** This process only watches over others, which do the work. */
async function startProcesses(config: Config): Promise<void> {
  const logTo = openLogTo(config) ?? openLogDestination(1)
  let group: ProcessGroup | null = null
  // A terminal that is closed sends the same signal.
  process.on('SIGHUP', () => void (process.stderr.isTTY ? stop(0, starting) : group?.replace()))
  group = await runGroup(config, {
    logTo,
    print: (text) => void process.stderr.write(text),
    isStopping: () => isStopping,
  })
  registerClose(() => group.stop())
}

async function stop(code: number, started: Promise<unknown>): Promise<never> {
  if (isStopping) return new Promise(() => {})
  isStopping = true
  // A start that is under way ends first, with the next thing that it opens.
  await started.catch(() => {})
  for (const group of closing.reverse())
    await Promise.all(
      group.map((close) => close().catch((error: unknown) => print(`While stopping: ${String(error)}`))),
    )
  process.exit(code)
}

const cliAnswer = respondToArguments(process.argv.slice(2))
if (cliAnswer !== null) {
  process[cliAnswer.code === 0 ? 'stdout' : 'stderr'].write(`${cliAnswer.text}\n`)
  process.exit(cliAnswer.code)
}
let config: Config | null = null
const starting = (async () => {
  config = readConfig(process.env)
  await start(config)
})()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0, starting))
try {
  await starting
} catch (error) {
  if (isStopping) await stop(0, starting)
  print(`Landfall did not start. ${error instanceof Error ? error.message : String(error)}`)
  const issue = findOperatorIssue(error)
  if (issue !== null && config !== null) {
    const { summary, remedy } = describeOperatorIssue(issue, getInstallationNames(config))
    print(`${summary} ${remedy}`)
  }
  await stop(1, starting)
}
