/**
 * Runs a program of ours on the bytes of a file that somebody sent, in a process that can do nothing else: no
 * environment, no files except those of the program and its packages, no right to write or to start anything, no
 * network where the machine lets a process be cut off from it, and an end when it takes too much time or memory.
 */

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { programFolder, readRights } from '../../../platform/program-folders.ts'

/** The heap of JavaScript alone. WebAssembly and pictures lie beside it, and are counted in `residentMb`. */
const heapMb = 512
const watchMs = 100

export interface JailBounds {
  readonly timeoutMs: number
  readonly residentMb: number
  readonly answerBytes: number
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
  const node = [
    process.execPath,
    `--max-old-space-size=${heapMb}`,
    '--permission',
    ...readRights(),
    '--allow-addons', // sharp decodes pictures with a library of the machine's own code
  ]
  const [command = '', ...rest] = [...apart, ...node, program, ...args]
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'ignore'], env: {}, cwd: programFolder })
    const parts: Buffer[] = []
    let size = 0
    let exhausted: 'time' | 'memory' | 'answer' | null = null
    const end = (of: 'time' | 'memory' | 'answer'): void => {
      exhausted ??= of
      child.kill('SIGKILL')
    }
    const timer = setTimeout(() => end('time'), bounds.timeoutMs)
    const watch = setInterval(() => {
      if (residentMb(child.pid) > bounds.residentMb) end('memory')
    }, watchMs)
    child.on('error', reject)
    // The process ended before it had read everything. Its end says more than this error.
    child.stdin.on('error', () => {})
    child.stdout.on('data', (part: Buffer) => {
      size += part.length
      if (size > bounds.answerBytes) end('answer')
      else parts.push(part)
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      clearInterval(watch)
      if (exhausted !== null) resolve({ kind: 'exhausted', of: exhausted })
      else if (code === 0) resolve({ kind: 'answered', answer: Buffer.concat(parts) })
      else resolve({ kind: 'broken' })
    })
    child.stdin.end(bytes)
  })
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
  /** What stands before the command of a program that is to have no network. Empty where that is impossible. */
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
