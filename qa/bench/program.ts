/**
 * Runs a part of a benchmark that needs its own process: the order is written to it as JSON, and it prints its answer
 * as JSON.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export function startProgram(program: URL): ChildProcess {
  return spawn(process.execPath, [fileURLToPath(program)], { stdio: ['pipe', 'pipe', 'inherit'] })
}

/** Resolves when the program has ended. Throws when it failed. */
export async function runProgram<Answer>(program: URL, order: unknown): Promise<Answer> {
  const child = startProgram(program)
  const exited = once(child, 'exit')
  child.stdin?.end(JSON.stringify(order))
  const [line] = (await once(lines(child), 'line')) as [string]
  const [code] = (await exited) as [number | null]
  if (code !== 0) throw new Error(`${program.pathname} ended with ${code}`)
  return JSON.parse(line) as Answer
}

/** The output of the program, line by line. */
export function lines(child: ChildProcess): ReturnType<typeof createInterface> {
  if (child.stdout === null) throw new Error('the program has no output')
  return createInterface({ input: child.stdout })
}

/** Called inside the program: reads its order. */
export async function readOrder<Order>(): Promise<Order> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString()) as Order
}
