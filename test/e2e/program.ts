/** The real program as a child process: started with its own data folder and ports, and observed by its output. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stopAbandonedCluster } from '../../src/platform/postgres-cluster.ts'
import { withoutLimits } from '../support/without-limits.ts'

export interface Ports {
  readonly api: number
  /** Null: beside the port of the API, which is the default. */
  readonly sandbox: number | null
}

export interface Program {
  readonly pid: number
  readonly apiUrl: string
  readonly sandboxUrl: string
  readonly stdout: () => string
  readonly stderr: () => string
  /**
   * Resolves with the first key when the program has printed that it runs. If it ends before, rejects with its output.
   */
  readonly up: Promise<string>
  readonly exited: Promise<number | null>
  readonly kill: (signal: 'SIGTERM' | 'SIGKILL') => Promise<number | null>
}

/** For tests of other things: a fold thread loads the program a second time. */
export const withoutThreads = { LANDFALL_FOLD_THREADS: '0' } as const

/** And without simulated carriers: `TEST` numbers need none. */
export const withoutSandbox = { ...withoutThreads, LANDFALL_SANDBOX: 'off' } as const

/** What runs, and on which folder. */
const children = new Map<ChildProcess, string>()

export const root = fileURLToPath(new URL('../..', import.meta.url))

export function startProgram(options: {
  readonly dataFolder: string
  readonly ports: Ports
  readonly env?: Readonly<Record<string, string>>
  /** Started by npm as a new user does, else by Node: then `pid` and `kill` are npm's, which ends with all processes. */
  readonly isByNpm?: boolean
  /** Another command to start the program than from the checkout. */
  readonly command?: readonly string[]
  /** The folder of another checkout, of older code perhaps: it gets only settings that it knows. */
  readonly tree?: string
  /** A command that runs the program as its last step, in an environment that it prepares. */
  readonly within?: readonly string[]
}): Program {
  const { ports } = options
  const program = options.isByNpm
    ? ['npm', 'start']
    : (options.command ?? [process.execPath, join(options.tree ?? root, 'src/main.ts')])
  const given = {
    LANDFALL_DATA: options.dataFolder,
    LANDFALL_PORT: String(ports.api),
    ...(ports.sandbox === null ? {} : { LANDFALL_SANDBOX_PORT: String(ports.sandbox) }),
    LANDFALL_MCP_PORT: '0',
    ...withoutLimits,
    ...options.env,
  }
  const [command = '', ...args] = [...(options.within ?? []), ...program]
  const child: ChildProcess = spawn(command, args, {
    cwd: root,
    env: {
      ...withoutSettings(process.env),
      ...(options.tree === undefined ? given : settingsKnownIn(options.tree, given)),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: options.isByNpm === true, // a group of its own, to be ended whole
  })
  let stdout = ''
  let stderr = ''
  const up = Promise.withResolvers<string>()
  up.promise.catch(() => {})
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    // The welcome is written at once and ends with an empty line.
    if (/^Landfall is up\.$/m.test(stderr) && stderr.endsWith('\n\n')) up.resolve(firstKeyIn(options.dataFolder))
  })
  const exited = once(child, 'close').then(([code]) => code as number | null)
  children.set(child, options.dataFolder)
  void exited.then(() => children.delete(child))
  void exited.then((code) => up.reject(new Error(`it ended with ${String(code)}:\n${stderr}`)))
  return {
    pid: child.pid ?? 0,
    apiUrl: `http://127.0.0.1:${ports.api}`,
    sandboxUrl: `http://127.0.0.1:${ports.sandbox ?? ports.api + 2}`,
    stdout: () => stdout,
    stderr: () => stderr,
    up: up.promise,
    exited,
    kill: (signal) => {
      child.kill(signal)
      return exited
    },
  }
}

/** Empty if the output is not collected. */
function firstKeyIn(dataFolder: string): string {
  const file = join(dataFolder, 'first-api-key')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
}

/** Settings and database of the person who runs the tests are not the program's. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('LANDFALL_') && name !== 'DATABASE_URL'),
  )
}

/** A start refuses unknown settings, and older code knows fewer. */
export function settingsKnownIn(tree: string, env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const folder = join(tree, 'src/platform')
  const code = readdirSync(folder)
    .filter((name) => /settings?\.ts$|^config\.ts$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  return Object.fromEntries(Object.entries(env).filter(([name]) => code.includes(`'${name}'`)))
}

/** A folder that the user of a cluster started by root may enter. `remove` first ends whatever still runs on it. */
export function makeDataFolder(): { readonly path: string; readonly remove: () => Promise<void> } {
  const path = mkdtempSync(join(tmpdir(), 'landfall-e2e-'))
  chmodSync(path, 0o711)
  return {
    path,
    remove: async () => {
      for (const [child, dataFolder] of children) {
        if (dataFolder !== path) continue
        child.kill('SIGKILL')
        await once(child, 'close')
      }
      await stopAbandonedCluster(path)
      rmSync(path, { recursive: true, force: true })
    },
  }
}

export async function freePorts(): Promise<{ readonly api: number; readonly sandbox: number }> {
  const servers = [createServer(), createServer()]
  const numbers: number[] = []
  for (const server of servers) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    numbers.push(typeof address === 'object' && address !== null ? address.port : 0)
  }
  for (const server of servers) {
    server.close()
    await once(server, 'close')
  }
  return { api: numbers[0] ?? 0, sandbox: numbers[1] ?? 0 }
}
