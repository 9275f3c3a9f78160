/** Runs the part of a benchmark that needs a process of its own: an order goes in as JSON, an answer comes out as one. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export function startProgram(program: URL): ChildProcess {
  return spawn(process.execPath, [fileURLToPath(program)], { stdio: ['pipe', 'pipe', 'inherit'] })
}

/** Ends with the program; throws when it failed. */
export async function runProgram<Answer>(program: URL, order: unknown): Promise<Answer> {
  const child = startProgram(program)
  const exited = once(child, 'exit')
  child.stdin?.end(JSON.stringify(order))
  const [line] = (await once(lines(child), 'line')) as [string]
  const [code] = (await exited) as [number | null]
  if (code !== 0) throw new Error(`${program.pathname} ended with ${code}`)
  return JSON.parse(line) as Answer
}

/** What the program prints, line by line. */
export function lines(child: ChildProcess): ReturnType<typeof createInterface> {
  if (child.stdout === null) throw new Error('the program has no output')
  return createInterface({ input: child.stdout })
}

/** Within a program: the order it was given. */
export async function readOrder<Order>(): Promise<Order> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString()) as Order
}
