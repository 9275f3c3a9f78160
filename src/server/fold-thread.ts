/**
 * Polls and folds in a thread of its own: a bill with hundreds of containers uses the processor for a while, and
 * requests are answered meanwhile. The thread has its own connections. What it logs and counts goes to the thread that
 * started it.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { openPool } from '../db/database.ts'
import { getInstallationNames } from '../modules/derived-settings.ts'
import { openInstallationEncryption } from '../modules/installation/installation-secret.ts'
import { openService } from '../modules/installation/open-service.ts'
import { runWorkerGroups } from '../pipeline/jobs/run-worker-groups.ts'
import { createOperatorIssues } from '../platform/operator-issues.ts'
import { createThreadLog, createThreadMetrics, type ThreadNews } from '../platform/thread-news.ts'
import { openTraces } from '../platform/traces.ts'
import type { FoldThreadOptions } from './fold-threads.ts'
import { createFoldingGroups, createPollingGroup, createRepairGroups } from './worker-groups.ts'

const { config, database, holder, anchor, sandboxIsOn, concurrency, isFirst } = workerData as FoldThreadOptions
const send = (news: ThreadNews): void => parentPort?.postMessage(news)
const log = createThreadLog(send, { debug: config.server.logLevel === 'debug' })
const stopping = new AbortController()
// Any message to this thread means that it must stop.
parentPort?.once('message', () => stopping.abort())

const closeTraces = await openTraces(config, log)
const pool = openPool({ connection: database, connectionsMax: concurrency, name: holder.sessions })
pool.on('error', (error) => stopping.signal.aborted || log.warn('database.unreachable', { error }))
const encryption = await openInstallationEncryption(pool, {
  provided: config.server.secret,
  dataFolder: config.data.folder,
})
const { service, close } = openService(config, {
  pool,
  log,
  metrics: createThreadMetrics(send),
  operatorIssues: createOperatorIssues({ log, installation: getInstallationNames(config) }),
  encryption,
  holder,
  anchor,
  sandboxIsOn,
})
const workerGroups = [
  createPollingGroup(service, concurrency),
  ...createFoldingGroups(service, concurrency),
  ...(isFirst ? createRepairGroups(service) : []),
]
await runWorkerGroups(service, workerGroups, { signal: stopping.signal })
await close()
await pool.end()
await closeTraces()
parentPort?.close()
