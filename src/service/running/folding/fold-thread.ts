/**
 * Folds in a thread of its own: a bill with hundreds of boxes uses the processor for a while, and requests are answered
 * meanwhile. The thread has its own connections. What it logs and counts goes to the thread that started it.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { countAcross, logAcross, type ThreadNews } from '../../../platform/thread-news.ts'
import { openTraces } from '../../../platform/traces.ts'
import { createTroubles } from '../../../platform/troubles.ts'
import { openPool } from '../../../store/database.ts'
import { countChangesOf } from '../../../store/ground/read-apart.ts'
import { nameOf } from '../../ground/choices.ts'
import { runCrews } from '../run-crews.ts'
import { openInstallationVault } from '../setup/installation-secret.ts'
import { openService } from '../setup/open-service.ts'
import { foldingCrews, mendingCrews } from './crews.ts'
import type { FoldPlace } from './fold-threads.ts'

const { config, database, countsChanges, anchor, sandboxIsOn, hands, isFirst } = workerData as FoldPlace
const send = (news: ThreadNews): void => parentPort?.postMessage(news)
const log = logAcross(send, { debug: config.server.logLevel === 'debug' })
const stopping = new AbortController()
// Any message to this thread means that it must stop.
parentPort?.once('message', () => stopping.abort())

const closeTraces = await openTraces(config, log)
const pool = openPool({ connection: database, connectionsMax: hands })
if (countsChanges) countChangesOf(pool)
pool.on('error', (error) => stopping.signal.aborted || log.warn('database.unreachable', { error }))
const vault = await openInstallationVault(pool, {
  given: config.server.secret,
  dataFolder: config.data.folder,
})
const { service, close } = openService(config, {
  pool,
  log,
  metrics: countAcross(send),
  troubles: createTroubles({ log, installation: nameOf(config) }),
  vault,
  anchor,
  sandboxIsOn,
})
const crews = [...foldingCrews(service, hands), ...(isFirst ? mendingCrews(service) : [])]
await runCrews(service, crews, { signal: stopping.signal })
await close()
await pool.end()
await closeTraces()
parentPort?.close()
