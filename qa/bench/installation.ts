/**
 * An installation for measuring: its own private cluster, which forces writes to disk, the service on it, and tracked
 * journeys.
 */

import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { standardProfile } from '../../src/connectors/dcsa/profile.ts'
import { inTransaction, openPool } from '../../src/db/database.ts'
import { distributeTables } from '../../src/db/distributed/distribute-tables.ts'
import { migrate } from '../../src/db/migrate.ts'
import { wakeWorkers } from '../../src/db/wake-workers.ts'
import type { Context } from '../../src/modules/access/context.ts'
import { insertAccount, putCredential } from '../../src/modules/accounts/accounts-sql.ts'
import { getConnectionShares } from '../../src/modules/derived-settings.ts'
import type { Service } from '../../src/modules/service.ts'
import { requestTracking } from '../../src/modules/tracking-requests/request-tracking.ts'
import { enqueueForPollTarget } from '../../src/pipeline/ingestion/ingest-tasks-sql.ts'
import { newHolder } from '../../src/pipeline/jobs/holder.ts'
import { type Fold, foldBy } from '../../src/pipeline/ledger/fold.ts'
import { readRules } from '../../src/pipeline/ledger/rules.ts'
import { workTasks } from '../../src/pipeline/polling/work-tasks.ts'
import { insertSnapshot } from '../../src/pipeline/response-archive/snapshots-sql.ts'
import { realClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config.ts'
import { createEgress } from '../../src/platform/egress.ts'
import { createEncryption } from '../../src/platform/encryption.ts'
import { uuidV7 } from '../../src/platform/ids.ts'
import { createLog } from '../../src/platform/log.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { createOperatorIssues } from '../../src/platform/operator-issues.ts'
import { startCluster } from '../../src/platform/postgres-cluster.ts'
import { openClusterDatabase } from '../../test/support/distributed.ts'
import { withoutLimits } from '../../test/support/without-limits.ts'
import { answerOf, type BenchShipment, journeysStartAt } from './journeys.ts'

export interface Installation {
  readonly service: Service
  readonly fold: Fold
  /** The version of PostgreSQL and the origin of its programs. */
  readonly postgres: string
  readonly databaseUrl: string
  readonly newAccount: () => Promise<Context>
  /** Divides the rows among the nodes of the cluster. Does nothing where there is none, or where they are divided. */
  readonly divide: () => Promise<void>
  readonly close: () => Promise<void>
}

const scac = 'ONEY'

interface Place {
  readonly url: string
  readonly postgres: string
  readonly divide: () => Promise<void>
  readonly close: () => Promise<void>
}

/** A private cluster, or, for the settings of tests on many nodes, a database that is divided among them. */
async function openPlace(isDividedLater: boolean): Promise<Place> {
  const { LANDFALL_TEST_DISTRIBUTED: isOnNodes, LANDFALL_TEST_CITUS_URL: coordinator } = process.env
  if (isOnNodes === '1' && coordinator !== undefined) {
    const database = await openClusterDatabase(coordinator)
    const divide = async (): Promise<void> => void (await distributeTables(database.url, { shards: 8 }))
    if (!isDividedLater) await divide()
    return { ...database, divide, postgres: 'Citus, a coordinator and its workers' }
  }
  const folder = mkdtempSync(join(tmpdir(), 'landfall-bench-'))
  chmodSync(folder, 0o711) // if root starts the cluster, another user owns it and must enter this folder
  const cluster = await startCluster({
    dataDir: folder,
    pgBin: readConfig(process.env).data.pgBin,
    source: readConfig(process.env).data.pgSource,
  })
  await migrate(cluster.url)
  return {
    url: cluster.url,
    postgres: `${cluster.binaries.version} (${cluster.binaries.from})`,
    divide: async () => {},
    close: async () => {
      await cluster.stop()
      for (const each of [folder, cluster.folder]) rmSync(each, { recursive: true, force: true })
    },
  }
}

/**
 * Faults of jobs are thrown here: a benchmark of failures would be fast. `isDividedLater`: on a cluster, rows are written
 * in ways that a divided database refuses; `divide` is called when they are there.
 */
export async function openInstallation({ isDividedLater = false } = {}): Promise<Installation> {
  const place = await openPlace(isDividedLater)
  // When the benchmark is interrupted, the database and its folders are removed.
  const stopEarly = (): void => void place.close().finally(() => process.exit(1))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stopEarly)
  const opened = openBenchService(place.url)
  const { service } = opened
  const { pool } = service
  await putCredential(pool, {
    id: uuidV7(realClock.now()),
    accountId: null,
    scac,
    source: 'dcsa',
    profile: { ...standardProfile, scac, base: 'https://line.invalid' },
    encryptedSecret: null,
    isSandbox: false,
    createdAt: new Date(journeysStartAt).toISOString(),
  })
  return {
    service,
    fold: opened.fold,
    postgres: place.postgres,
    databaseUrl: place.url,
    divide: place.divide,
    newAccount: async () => {
      const account = { id: uuidV7(realClock.now()), companyName: 'Example Imports', isSandbox: false }
      await insertAccount(pool, { ...account, createdAt: new Date(journeysStartAt).toISOString() })
      return { account, actor: { kind: 'system' }, scopes: ['read', 'write'], requestId: 'bench' }
    },
    close: async () => {
      await opened.close()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stopEarly)
      await place.close()
    },
  }
}

/** The parts of an installation that folding needs. */
export type Folding = Pick<Installation, 'service' | 'fold' | 'close'>

/** Opens a service on an existing database: this process is then one of several that work on it. */
export function openBenchService(databaseUrl: string): Folding {
  const config = readConfig({ LANDFALL_SANDBOX: 'off', ...withoutLimits })
  const pool = openPool({
    connection: databaseUrl,
    connectionsMax: config.data.poolMax,
    fairness: getConnectionShares(config),
  })
  pool.on('error', () => {}) // errors of idle connections when the cluster stops
  // Writes lines as a running installation does, but discards them.
  const log = createLog({ level: 'info', destination: { write: (line) => failOnFault(line) } })
  const egress = createEgress({ allowedNetworks: [], allowLoopback: true, connectTimeoutMs: 2_000 })
  const startedAt = realClock.now()
  const journeyClock = { now: () => journeysStartAt + realClock.now() - startedAt, pace: () => 1 }
  const service: Service = {
    pool,
    config,
    clock: realClock,
    journeyClock: () => journeyClock,
    egress,
    carrierEgress: () => egress,
    log,
    metrics: createMetrics(log),
    operatorIssues: createOperatorIssues({ log, installation: { database: 'server', dataFolder: '' } }),
    encryption: createEncryption('a secret for benchmarks that is long enough'),
    holder: newHolder(),
  }
  return {
    service,
    fold: foldBy(readRules(config)),
    close: async () => {
      egress.close()
      await pool.end()
    },
  }
}

function failOnFault(line: string): void {
  const { event } = JSON.parse(line) as { readonly event?: string }
  if (event === 'job.failed' || event === 'request.crashed') throw new Error(`a job failed: ${line}`)
}

/** A shipment that an account of the installation tracks. */
export interface Tracked {
  readonly accountId: string
  readonly subjectId: string
  readonly shipment: BenchShipment
}

/** Each shipment is requested by its bill, or by the number of its first box. */
export async function track(
  { service }: Installation,
  context: Context,
  shipments: readonly BenchShipment[],
  by: 'bill_of_lading' | 'container' = 'bill_of_lading',
): Promise<readonly Tracked[]> {
  const numberOf = ({ bill, boxes }: BenchShipment): string => (by === 'container' ? (boxes[0] ?? '') : bill)
  await Promise.all(
    shipments.map((shipment) =>
      requestTracking(service, context, {
        requestType: by,
        requestNumber: numberOf(shipment),
        scac,
        refNumbers: [],
        shipmentTags: [],
      }),
    ),
  )
  const { rows } = await service.pool.query<{ number: string; subject_id: string }>(
    'select number, subject_id from tracking_requests where account_id = $1',
    [context.account.id],
  )
  const subjects = new Map(rows.map((row) => [row.number, row.subject_id]))
  return shipments.map((shipment) => {
    const subjectId = subjects.get(numberOf(shipment))
    if (subjectId === undefined) throw new Error(`${numberOf(shipment)} is tracked nowhere`)
    return { accountId: context.account.id, subjectId, shipment }
  })
}

/** Stores the result of a look at this subject, and the task that follows, as a real look does. Returns its id. */
export async function storeSnapshot({ service }: Installation, tracked: Tracked, version: number): Promise<string> {
  const body = answerOf(tracked.shipment, version)
  return inTransaction(service.pool, async (db) => {
    const id = await insertSnapshot(db, {
      id: uuidV7(realClock.now()),
      subjectId: tracked.subjectId,
      contentHash: createHash('sha256').update('200\n').update(body).digest(),
      status: 200,
      contentType: 'application/json',
      body,
      recordedAt: new Date(service.journeyClock(false).now()).toISOString(),
    })
    const look = { subjectId: tracked.subjectId, snapshotId: id, payload: {}, onlyUnresolved: false }
    if ((await enqueueForPollTarget(db, look)) !== 1) throw new Error(`nobody tracks ${tracked.shipment.bill}`)
    wakeWorkers(db, 'tasks')
    return id
  })
}

/**
 * Works on all tasks, as many at the same time as the running service would. After `untilMs` of the monotonic clock no
 * more tasks are taken.
 */
export async function workOffTasks(
  { service, fold }: Pick<Installation, 'service' | 'fold'>,
  untilMs: number = Number.POSITIVE_INFINITY,
): Promise<void> {
  const hands = service.config.server.workers
  const busy = new Set<Promise<void>>()
  for (;;) {
    const isLate = performance.now() > untilMs
    const taken = isLate ? [] : await workTasks(service, fold, hands - busy.size)
    for (const job of taken) {
      const work = job.finally(() => busy.delete(work))
      busy.add(work)
    }
    if (taken.length === 0 && busy.size === 0) return
    if (taken.length === 0 || busy.size === hands) await Promise.race(busy)
  }
}
