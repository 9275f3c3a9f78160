// The sandbox as a process of its own: started beside the service, ended with it, started again should it end by itself.
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { SandboxAnchor } from './clock.ts'
import type { Log } from './log.ts'

export type SandboxProcess = { readonly url: string; readonly stop: () => Promise<void> }

const program = fileURLToPath(new URL('../../sandbox/main.ts', import.meta.url))
const restartAfterMs = 1_000
const listenWithinMs = 20_000

/** Resolves when the simulated carriers listen; rejects with a sentence for the operator when they do not. */
export async function startSandboxProcess(options: {
  readonly port: number
  readonly seed: string
  readonly anchor: SandboxAnchor
  readonly log: Log
}): Promise<SandboxProcess> {
  let isStopping = false
  let child = launch(options)
  await listening(child, options.port)
  const watch = (running: ChildProcess): void => {
    running.once('exit', (code) => {
      if (isStopping) return
      options.log.warn('sandbox.ended', { code })
      setTimeout(() => {
        if (isStopping) return
        child = launch(options)
        watch(child)
      }, restartAfterMs)
    })
  }
  watch(child)
  return {
    url: `http://127.0.0.1:${options.port}`,
    stop: async () => {
      isStopping = true
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      child.kill('SIGTERM')
      await ended
    },
  }
}

function launch(options: {
  readonly port: number
  readonly seed: string
  readonly anchor: SandboxAnchor
}): ChildProcess {
  const { anchor } = options
  const time = (ms: number): string => new Date(ms).toISOString()
  const words = [
    ['--port', String(options.port)],
    ['--seed', String(seedNumber(options.seed))],
    ['--anchor-real', time(anchor.realMs)],
    ['--anchor-sim', time(anchor.simulatedMs)],
    ['--epoch', time(anchor.epochMs)],
    ['--speed', String(anchor.speed)],
  ].flat()
  return spawn(process.execPath, [program, ...words], { stdio: ['pipe', 'pipe', 'inherit'] })
}

/** Seeds are words for people and numbers for the world (FNV-1a, so that the same word always gives the same one). */
function seedNumber(seed: string): number {
  let hash = 0x811c9dc5
  for (const character of seed) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

function listening(child: ChildProcess, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      child.kill('SIGTERM')
      reject(new Error(`The sandbox did not start on port ${port}: ${why} LANDFALL_SANDBOX_PORT moves it.`))
    }
    const timer = setTimeout(() => fail('it said nothing in time.'), listenWithinMs)
    child.once('exit', () => {
      clearTimeout(timer)
      fail('the port may be taken.')
    })
    child.stdout?.once('data', () => {
      clearTimeout(timer)
      child.removeAllListeners('exit')
      resolve()
    })
  })
}
