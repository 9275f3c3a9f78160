// Starts a program on a Node that runs it, passes signals on to it, and ends when it ends. Plain JavaScript that runs on Node 20: the
// scripts of a checkout (`run.mjs`) and the command of the installed package begin here.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'

const majorMin = 24

/**
 * True when this Node.js runs the program. From 22.18 on Node.js takes the types out of TypeScript by itself, and runs all
 * but `landfall import`, whose `await using` needs 24.
 */
export function isNewEnough(version = process.versions.node) {
  return Number.parseInt(version, 10) >= majorMin
}

/** `brought`: the folder of the package in which npm has brought one, or null. Throws an Error with a sentence. */
export function findNode(brought) {
  if (isNewEnough()) return process.execPath
  if (brought !== null) return join(brought, 'bin', 'node')
  throw new Error(
    `Node.js ${majorMin} or newer is needed; this is ${process.versions.node}, and npm has none for` +
      ` ${process.platform}-${process.arch}. Install Node.js ${majorMin} or newer (https://nodejs.org) and start again.`,
  )
}

/** `cache`: where compiled code is kept for the next start, so that a command takes two thirds of the time. */
export function runScript(node, script, args, { cache }) {
  // The child gets its own process group, so Ctrl-C in the terminal comes to this process only. npm sends it a second
  // time, and it is passed on once. When this process is killed, the child's IPC channel closes and the child stops as
  // on SIGTERM.
  const watch = 'process.once("disconnect",()=>process.kill(process.pid,"SIGTERM"));process.channel?.unref()'
  // Without a limit, young objects alone take tens of megabytes of an idle process.
  const child = spawn(node, ['--max-semi-space-size=8', '--import', `data:text/javascript,${watch}`, script, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
    env: { NODE_COMPILE_CACHE: cache, ...process.env },
  })
  const passedOnAt = {}
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (Date.now() - (passedOnAt[signal] ?? 0) > 1_000) child.kill(signal)
      passedOnAt[signal] = Date.now()
    })
  }
  endWithNpm(() => child.kill('SIGTERM'))
  child.on('error', (error) => console.error(`${node} could not be started: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

/**
 * npm passes SIGTERM only to the shell of its script. Long-running scripts use `exec`, so that this process replaces
 * the shell and npm waits for it. When npm is killed, or the shell was not replaced, a changed parent process shows it.
 */
function endWithNpm(end) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    end()
  }, 500)
  watch.unref()
}
