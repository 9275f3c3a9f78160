/**
 * Runs a program of ours on the bytes of a file from outside, in a process that can do nothing else: no environment, no
 * files except those of the program and its packages, no right to write or to start anything, no network where the
 * machine allows this isolation, and an end when it uses too much time or memory.
 */

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { listFileReadOptions, programFolder } from './program-folders.ts'

const watchMs = 50
/** What Node reserves and never uses, besides what is resident: some 530 MB, and more with more threads. */
const reservedMb = 700
/** Where the system counts the time of the processor, a busy machine has this many times as long. */
const patience = 3

export interface JailBounds {
  /** Of the processor. */
  readonly timeoutMs: number
  /** The heap of JavaScript alone. WebAssembly and pictures lie beside it, and are counted in `residentMb`. */
  readonly heapMb: number
  readonly residentMb: number
  readonly answerBytes: number
  /** Further options of Node. */
  readonly nodeOptions?: readonly string[]
}

export type JailEnd =
  | { readonly kind: 'answered'; readonly answer: Buffer }
  | { readonly kind: 'exhausted'; readonly of: 'time' | 'memory' | 'answer' }
  /** The program ended by itself without an answer. */
  | { readonly kind: 'broken' }

/** Rejects only when no process can be started. `program`: a file of ours; it gets `args`, and `bytes` as its input. */
export async function runJailed(
  program: string,
  args: readonly string[],
  bytes: Buffer,
  bounds: JailBounds,
): Promise<JailEnd> {
  const apart = (await networkIsolation()).command
  const system = (await hasSystemLimits()) ? systemLimits(bounds) : []
  const node = [
    process.execPath,
    `--max-old-space-size=${bounds.heapMb}`,
    '--permission',
    ...listFileReadOptions(),
    ...(bounds.nodeOptions ?? []),
  ]
  const [command = '', ...rest] = [...apart, ...system, ...node, program, ...args]
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'ignore'], env: {}, cwd: programFolder })
    const chunks: Buffer[] = []
    let size = 0
    let exhausted: 'time' | 'memory' | 'answer' | null = null
    const end = (of: 'time' | 'memory' | 'answer'): void => {
      exhausted ??= of
      child.kill('SIGKILL')
    }
    const wallMs = bounds.timeoutMs * (system.length > 0 ? patience : 1)
    const timer = setTimeout(() => end('time'), wallMs)
    const watch = setInterval(() => {
      if (residentMb(child.pid) > bounds.residentMb) end('memory')
    }, watchMs)
    child.on('error', reject)
    // The process ended before it had read everything. Its exit is more informative than this error.
    child.stdin.on('error', () => {})
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > bounds.answerBytes) end('answer')
      else chunks.push(chunk)
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      clearInterval(watch)
      // The system has ended it: for its time, or for its memory.
      if (signal === 'SIGXCPU') exhausted ??= 'time'
      else if (signal !== null) exhausted ??= 'memory'
      if (exhausted !== null) resolve({ kind: 'exhausted', of: exhausted })
      else if (code === 0) resolve({ kind: 'answered', answer: Buffer.concat(chunks) })
      else resolve({ kind: 'broken' })
    })
    child.stdin.end(bytes)
  })
}

/** Limits that the system itself enforces, by `prlimit` of util-linux, which runs the command that follows. */
function systemLimits({ timeoutMs, residentMb: mb }: Pick<JailBounds, 'timeoutMs' | 'residentMb'>) {
  const seconds = Math.ceil(timeoutMs / 1_000)
  return ['prlimit', `--cpu=${seconds}:${seconds + 1}`, `--data=${(mb + reservedMb) * 1_048_576}`, '--core=0']
}

let limits: Promise<boolean> | null = null

/** Whether a process can be limited by this system, and can still use what it may. Tried once. */
function hasSystemLimits(): Promise<boolean> {
  limits ??= canRun([
    ...systemLimits({ timeoutMs: 10_000, residentMb: 300 }),
    process.execPath,
    '-e',
    'Buffer.alloc(200_000_000, 1)',
  ])
  return limits
}

/** Memory of the process that is in use, in megabytes; 0 if the machine does not report it. */
function residentMb(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid ?? 0}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}

export interface NetworkIsolation {
  /** The prefix of the command of a program that must have no network. Empty where that is impossible. */
  readonly command: readonly string[]
  readonly isCut: boolean
}

let isolation: Promise<NetworkIsolation> | null = null

/**
 * How a process is cut off from the network on this machine: by `unshare` of util-linux, with a user namespace where
 * the program does not run as root. Many containers and some distributions forbid it. Tried once.
 */
export function networkIsolation(): Promise<NetworkIsolation> {
  isolation ??= findIsolation()
  return isolation
}

async function findIsolation(): Promise<NetworkIsolation> {
  for (const command of [
    ['unshare', '--net', '--'],
    ['unshare', '--map-root-user', '--net', '--'],
  ])
    if (await canRun([...command, 'true'])) return { command, isCut: true }
  return { command: [], isCut: false }
}

function canRun([command = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore' })
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
  })
}
