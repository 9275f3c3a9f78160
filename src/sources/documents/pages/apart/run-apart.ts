/**
 * Runs a program on somebody's bytes in a process that can harm nothing: without our environment, with the network and
 * the memory that `isolation.ts` tells, with no right to read a file but those of the program, to write one, or to start
 * anything; killed when it takes too long or answers too much.
 */

import { spawn } from 'node:child_process'
import { shutIn } from './isolation.ts'

export interface Limits {
  /** Writable memory of the process, beside some 600 MB that Node sets aside and does not use. */
  readonly memoryMb: number
  readonly heapMb: number
  /** Of each WebAssembly memory. */
  readonly wasmMb: number
  readonly answerBytesMax: number
  /** From the start to the end, plus `moreMs` for each line of the answer, and never above `endMs`. */
  readonly timeoutMs: number
  readonly moreMs: number
  readonly endMs: number
}

export interface Program {
  /** Path of the file to run. */
  readonly file: string
  readonly parameters: readonly string[]
  /** Files and folders that it may read. */
  readonly mayRead: readonly string[]
  /** A file that each thread loads before everything else. */
  readonly firstLoad: string | null
  /** Some WebAssembly runs in threads. */
  readonly hasThreads: boolean
}

export type Ending =
  | { readonly kind: 'ended' }
  | { readonly kind: 'killed'; readonly why: 'time' | 'answer' }
  /** By itself, by the system, or by Node: mostly for want of memory. `told`: the end of what it wrote about that. */
  | { readonly kind: 'failed'; readonly told: string }

/** What Node sets aside for code and threads: measured with 24.21 on x64, 574 MB. */
const nodeMb = 640

const toldMax = 1_000

/** Rejects only when no process can be started. `onLine` gets each whole line of the answer as it comes. */
export function runApart(
  program: Program,
  input: Uint8Array,
  { limits, onLine }: { readonly limits: Limits; readonly onLine: (line: string) => void },
): Promise<Ending> {
  return new Promise((resolve, reject) => {
    const [command = '', ...rest] = shutIn([process.execPath, ...nodeFlags(program, limits)], {
      memoryMb: nodeMb + limits.memoryMb,
      processorSeconds: Math.ceil(limits.endMs / 1_000) + 5,
    })
    const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'pipe'], env: {}, cwd: '/' })
    const startedAt = performance.now()
    let why: 'time' | 'answer' | null = null
    const kill = (reason: 'time' | 'answer') => {
      why ??= reason
      child.kill('SIGKILL')
    }
    let endsAt = startedAt + Math.min(limits.timeoutMs, limits.endMs)
    let timer = setTimeout(() => kill('time'), endsAt - startedAt)
    const prolong = () => {
      endsAt = Math.min(endsAt + limits.moreMs, startedAt + limits.endMs)
      clearTimeout(timer)
      timer = setTimeout(() => kill('time'), endsAt - performance.now())
    }
    const lines = splitLines((line) => {
      prolong()
      onLine(line)
    })
    let size = 0
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    // The process ended before it had read everything. How it ended says more than this error.
    child.stdin.on('error', () => {})
    child.stdout.on('data', (part: Buffer) => {
      size += part.length
      if (size > limits.answerBytesMax) kill('answer')
      else if (why === null) lines(part)
    })
    let told = ''
    child.stderr.on('data', (part: Buffer) => {
      told = `${told}${part.toString('utf8')}`.slice(-toldMax)
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      if (why !== null) resolve({ kind: 'killed', why })
      else resolve(code === 0 ? { kind: 'ended' } : { kind: 'failed', told })
    })
    child.stdin.end(input)
  })
}

function nodeFlags(program: Program, limits: Limits): readonly string[] {
  const { file, parameters, mayRead, firstLoad, hasThreads } = program
  return [
    `--max-old-space-size=${limits.heapMb}`,
    `--wasm-max-mem-pages=${limits.wasmMb * 16}`,
    '--disallow-code-generation-from-strings',
    '--permission',
    ...[file, ...mayRead].map((path) => `--allow-fs-read=${path}`),
    ...(hasThreads ? ['--allow-worker'] : []),
    ...(firstLoad === null ? [] : [`--import=${firstLoad}`]),
    file,
    ...parameters,
  ]
}

/** A line that is not ended is no answer. */
function splitLines(onLine: (line: string) => void): (part: Buffer) => void {
  let rest: Buffer[] = []
  return (part) => {
    let from = 0
    for (let end = part.indexOf(10); end !== -1; end = part.indexOf(10, from)) {
      onLine(Buffer.concat([...rest, part.subarray(from, end)]).toString('utf8'))
      rest = []
      from = end + 1
    }
    if (from < part.length) rest.push(part.subarray(from))
  }
}
