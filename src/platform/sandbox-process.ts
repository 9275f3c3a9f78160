// The sandbox as its own process. It is started and ended with the service, and started again if it ends by itself. The
// processes of one installation share one sandbox: a process that finds it running joins it, and starts a new one when
// it has ended.
import { type ChildProcess, spawn } from 'node:child_process'
import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { realClock, type SandboxAnchor, sandboxNow } from './clock.ts'
import type { Log } from './log.ts'

export type SandboxProcess = { readonly url: string; readonly stop: () => Promise<void> }

type SandboxOptions = {
  readonly port: number
  readonly seed: string
  readonly anchor: SandboxAnchor
  /** TCP port for the NMEA messages of the ships; 0 for none. */
  readonly aisPort: number
  readonly log: Log
  /**
   * Called after the sandbox was started again: the new one does not have the data that was sent to the old one. Never
   * rejects.
   */
  readonly onAgain: () => Promise<void>
}

const program = fileURLToPath(new URL('../../sandbox/main.ts', import.meta.url))
const watchEveryMs = 1_000
const listenWithinMs = 20_000
/** When its parent was killed, an old sandbox ends by itself within moments. So long is its port waited for. */
const portFreeWithinMs = 5_000
const clockTimeoutMs = 2_000

/** Resolves when the simulated carriers listen; rejects with a sentence for the operator when they do not. */
export async function startSandboxProcess(options: SandboxOptions): Promise<SandboxProcess> {
  const stopping = new AbortController()
  const { signal } = stopping
  const first = await launchOrJoin(options)
  const watching = keepRunning(options, first, signal)
  return {
    url: urlOf(options.port),
    stop: async () => {
      stopping.abort()
      await watching
    },
  }
}

/** Null when another process of this installation already runs the sandbox. */
async function launchOrJoin(options: SandboxOptions): Promise<ChildProcess | null> {
  for (const until = Date.now() + portFreeWithinMs; ; await pause(100)) {
    const child = launchSandbox(options)
    const fault = await faultOf(child)
    if (fault === null) return child
    if (await isOurs(options)) return null
    if (Date.now() > until) {
      throw new Error(
        `The sandbox did not start on port ${options.port}: ${fault} Use LANDFALL_SANDBOX_PORT to set another port.`,
      )
    }
  }
}

/** Keeps a sandbox running until the signal aborts, whether this process or another one started it. */
async function keepRunning(options: SandboxOptions, first: ChildProcess | null, signal: AbortSignal): Promise<void> {
  for (let child = first; ; ) {
    await (child === null ? waitForOtherSandbox(options, signal) : waitForExit(child, signal))
    if (signal.aborted) return child === null ? undefined : endProcess(child)
    if (child !== null) options.log.warn('sandbox.ended', { code: child.exitCode })
    await pause(child === null ? 0 : watchEveryMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    child = await launchOrJoin(options).catch(() => null)
    await options.onAgain()
  }
}

async function waitForOtherSandbox(options: SandboxOptions, signal: AbortSignal): Promise<void> {
  do await pause(watchEveryMs, undefined, { signal }).catch(() => {})
  while (!signal.aborted && (await isOurs(options)))
}

function waitForExit(child: ChildProcess, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted || child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** It stores nothing, so there is nothing to wait for. */
async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGKILL')
  await exited
}

function launchSandbox({ port, seed, anchor, aisPort }: SandboxOptions): ChildProcess {
  const time = (ms: number): string => new Date(ms).toISOString()
  const args = [
    ['--port', String(port)],
    ['--seed', String(seedNumber(seed))],
    ['--anchor-real', time(anchor.realMs)],
    ['--anchor-sim', time(anchor.simulatedMs)],
    ['--epoch', time(anchor.epochMs)],
    ['--speed', String(anchor.speed)],
    ...(aisPort === 0 ? [] : [['--ais-port', String(aisPort)]]),
  ].flat()
  // A small young generation halves the memory of the sandbox and does not slow its answers noticeably.
  return spawn(process.execPath, ['--max-semi-space-size=2', program, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

/** People choose a word as seed, the sandbox needs a number. FNV-1a: the same word always gives the same number. */
function seedNumber(seed: string): number {
  let hash = 0x811c9dc5
  for (const character of seed) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

/** Null as soon as the program listens. Otherwise a sentence with the reason why it does not listen. */
function faultOf(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve) => {
    let output = ''
    child.stderr?.on('data', (data: Buffer) => {
      output = (output + data.toString()).slice(-2_000)
    })
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      resolve('it printed nothing in time.')
    }, listenWithinMs)
    const finish = (fault: string | null): void => {
      clearTimeout(timer)
      resolve(fault)
    }
    child.once('error', (error) => finish(error.message))
    child.once('close', () =>
      finish(/EADDRINUSE/.test(output) ? 'the port is taken.' : output.trim() || 'it ended at once.'),
    )
    child.stdout?.once('data', () => finish(null))
  })
}

/** Whether the port answers with the same sandbox at the same time. */
async function isOurs({ port, seed, anchor }: SandboxOptions): Promise<boolean> {
  const clock = await requestClock(port)
  if (clock === null) return false
  const toleranceMs = Math.max(60_000, anchor.speed * clockTimeoutMs)
  return (
    clock.seed === seedNumber(seed) &&
    Date.parse(clock.epoch) === anchor.epochMs &&
    Math.abs(Date.parse(clock.now) - sandboxNow(anchor, realClock.now())) < toleranceMs
  )
}

/** Whether any sandbox answers, of this installation or another. */
export async function answersAsSandbox(port: number): Promise<boolean> {
  return (await requestClock(port)) !== null
}

type SandboxClock = { readonly now: string; readonly epoch: string; readonly seed: number }

function requestClock(port: number): Promise<SandboxClock | null> {
  return new Promise((resolve) => {
    const request = get(`${urlOf(port)}/sandbox/clock`, { agent: false, timeout: clockTimeoutMs }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > 10_000) response.destroy()
      })
      response.once('error', () => resolve(null))
      response.once('close', () => resolve(readClock(text)))
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(null))
  })
}

function readClock(text: string): SandboxClock | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'now' in value && 'epoch' in value && 'seed' in value
      ? (value as SandboxClock)
      : null
  } catch {
    return null
  }
}

function urlOf(port: number): string {
  return `http://127.0.0.1:${port}`
}
