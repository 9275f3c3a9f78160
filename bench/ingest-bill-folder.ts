/**
 * The folding part of the benchmark of a large bill, in its own process: its time, memory and stalls. As in a running
 * service one thread folds, while the main thread would answer requests.
 */

import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import type { ThreadFolded } from './ingest-bill-thread.ts'

/** An order, one per line of input. The first line of input is the address of the database instead. */
export interface FoldOrder {
  /** After this time no more tasks are taken. */
  readonly msMax: number
}

export interface Folded {
  readonly ms: number
  /** In the main thread, which would answer requests. */
  readonly longestStallMs: number
  /** In the thread that folds. */
  readonly longestFoldMs: number
  /** The peak since the process began. */
  readonly peakMb: number
}

const orders = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const next = async (): Promise<string | null> => {
  const { value, done } = await orders.next()
  return done === true ? null : (value as string)
}

const databaseUrl = (await next()) ?? ''
const thread = new Worker(new URL('./ingest-bill-thread.ts', import.meta.url), {
  workerData: { databaseUrl },
})
for (let line = await next(); line !== null; line = await next()) {
  const { msMax } = JSON.parse(line) as FoldOrder
  process.stdout.write(`${JSON.stringify(await work(msMax))}\n`)
}
thread.postMessage(null)
await once(thread, 'exit')

async function work(msMax: number): Promise<Folded> {
  const stalls = monitorEventLoopDelay({ resolution: 1 })
  stalls.enable()
  thread.postMessage(msMax)
  const [folded] = (await once(thread, 'message')) as [ThreadFolded]
  stalls.disable()
  return {
    ms: folded.ms,
    longestStallMs: stalls.max / 1e6,
    longestFoldMs: folded.longestStallMs,
    peakMb: process.resourceUsage().maxRSS / 1_024,
  }
}
