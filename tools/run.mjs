// How every npm script starts: installs missing packages, then runs a TypeScript file on the Node 24 that npm installs.
// Plain JavaScript without imports from npm: it must run on Node 20, before anything is installed.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { buildPortalIfStale } from './build-portal.mjs'
import { installWhatIsMissing, modules, root } from './install.mjs'

const [script = '', ...args] = process.argv.slice(2)

/** The scripts that start a server, or test one. */
const servesPortal = ['src/main.ts', 'tools/test.ts', 'tools/pictures.ts', 'bench/main.ts']

try {
  if (!script.endsWith('.ts')) throw new Error('Usage: node tools/run.mjs <script.ts> [arguments]')
  await installWhatIsMissing()
  const node = findNode()
  if (servesPortal.includes(script)) buildPortalIfStale(node)
  runScript(node)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  const platform = `${process.platform}-${process.arch}`
  const brought = join(modules, `node-${platform}`, 'bin', 'node')
  if (existsSync(brought)) return brought
  throw new Error(
    `Node.js 24 is needed; this is ${process.versions.node}, and npm brought none for ${platform}.` +
      ' Install Node.js 24 or newer (https://nodejs.org) and start again.',
  )
}

function runScript(node) {
  // The child gets its own process group, so Ctrl-C in the terminal comes to this process only. npm sends it a second
  // time, and it is passed on once. When this process is killed, the child's IPC channel closes and the child stops as
  // on SIGTERM.
  const watch = 'process.once("disconnect",()=>process.kill(process.pid,"SIGTERM"));process.channel?.unref()'
  const child = spawn(node, ['--import', `data:text/javascript,${watch}`, resolve(root, script), ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
    // What is compiled once is read from there from then on: a command takes two thirds of the time.
    env: { NODE_COMPILE_CACHE: join(modules, '.cache/landfall'), ...process.env },
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
