/** The folding part of the benchmark of a large bill, in a process of its own: what it takes in time, memory and stalls. */

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { openBenchService, tellCounts, workOffTasks } from './installation.ts'

/** One to a line; the first is the address of the database. */
export interface FoldOrder {
  /** No more tasks are taken after that. */
  readonly msMax: number
}

export interface Folded {
  readonly ms: number
  readonly longestStallMs: number
  /** Since the process began. */
  readonly peakMb: number
}

const orders = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const next = async (): Promise<string | null> => {
  const { value, done } = await orders.next()
  return done === true ? null : (value as string)
}

const folding = openBenchService((await next()) ?? '')
for (let line = await next(); line !== null; line = await next()) {
  const { msMax } = JSON.parse(line) as FoldOrder
  process.stdout.write(`${JSON.stringify(await work(msMax))}\n`)
}
await folding.close()

async function work(msMax: number): Promise<Folded> {
  const stalls = monitorEventLoopDelay({ resolution: 1 })
  stalls.enable()
  const startedAt = performance.now()
  await workOffTasks(folding, startedAt + msMax)
  const ms = performance.now() - startedAt
  stalls.disable()
  await tellCounts(folding.service)
  return { ms, longestStallMs: stalls.max / 1e6, peakMb: process.resourceUsage().maxRSS / 1_024 }
}
