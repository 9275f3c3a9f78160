// Starts a program on Node 24, passes signals on to it, and ends when it ends. Plain JavaScript that runs on Node 20: the
// scripts of a checkout (`run.mjs`) and the command of the installed package begin here.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'

/** `modules`: the folder in which npm may have put a Node 24. Throws an Error with a sentence when there is none. */
export function findNode(modules) {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  const platform = `${process.platform}-${process.arch}`
  const brought = join(modules, `node-${platform}`, 'bin', 'node')
  if (existsSync(brought)) return brought
  throw new Error(
    `Node.js 24 is needed; this is ${process.versions.node}, and npm brought none for ${platform}.` +
      ' Install Node.js 24 or newer (https://nodejs.org) and start again.',
  )
}

/** `cache`: where compiled code is kept for the next start, so that a command takes two thirds of the time. */
export function runScript(node, script, args, { cache }) {
  // The child gets its own process group, so Ctrl-C in the terminal comes to this process only. npm sends it a second
  // time, and it is passed on once. When this process is killed, the child's IPC channel closes and the child stops as
  // on SIGTERM.
  const watch = 'process.once("disconnect",()=>process.kill(process.pid,"SIGTERM"));process.channel?.unref()'
  const child = spawn(node, ['--import', `data:text/javascript,${watch}`, script, ...args], {
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
