/** The thread of `ingest-bill-folder.ts`, which folds. */

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parentPort, workerData } from 'node:worker_threads'
import { openBenchService, tellCounts, workOffTasks } from './installation.ts'

export interface ThreadFolded {
  readonly ms: number
  readonly longestStallMs: number
}

const folding = openBenchService((workerData as { readonly databaseUrl: string }).databaseUrl)

/** After this many milliseconds no more tasks are taken. A null message ends the thread. */
async function work(msMax: number): Promise<ThreadFolded> {
  const stalls = monitorEventLoopDelay({ resolution: 1 })
  stalls.enable()
  const startedAt = performance.now()
  await workOffTasks(folding, startedAt + msMax)
  const ms = performance.now() - startedAt
  stalls.disable()
  await tellCounts(folding.service)
  return { ms, longestStallMs: stalls.max / 1e6 }
}

parentPort?.on('message', async (msMax: number | null) => {
  if (msMax !== null) return parentPort?.postMessage(await work(msMax))
  await folding.close()
  parentPort?.close()
})
