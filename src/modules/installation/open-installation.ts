/**
 * One installation, opened in the same way by the server and by commands: its database, clocks, egress and encryption.
 */

import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { DestinationStream } from 'pino'
import { openPool, type Pool } from '../../db/database.ts'
import { placeNewTables } from '../../db/distributed/distribute-tables.ts'
import { grantServing, readServingRole } from '../../db/grant-serving.ts'
import { migrate } from '../../db/migrate.ts'
import { readSetting } from '../../db/settings.ts'
import { newHolder } from '../../pipeline/jobs/holder.ts'
import { realClock, type SandboxAnchor } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Egress } from '../../platform/egress.ts'
import { createLog, type LogLevel } from '../../platform/log.ts'
import { makeFolder } from '../../platform/make-folder.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { createOperatorIssues, type OperatorIssues } from '../../platform/operator-issues.ts'
import { type Cluster, startCluster } from '../../platform/postgres-cluster.ts'
import { withLock } from '../../platform/process-holds.ts'
import { openTraces } from '../../platform/traces.ts'
import { getConnectionShares, getInstallationNames, isSandboxOn } from '../derived-settings.ts'
import type { Service } from '../service.ts'
import { openInstallationEncryption, refuseMissingDatabase } from './installation-secret.ts'
import { openReplicasOf } from './open-replicas.ts'
import { openService } from './open-service.ts'
import { openSandboxAnchor } from './sandbox-anchor.ts'

export interface Installation {
  readonly service: Service
  /** Where its database is, for more connections to it. */
  readonly database: string
  /** True when no other process uses its database. False for a database server, because it cannot be known there. */
  readonly isAlone: boolean
  /** Spares the shutdown of the private database the time to write. Does nothing for a database server. */
  readonly checkpoint: () => Promise<void>
  readonly sandboxIsOn: boolean
  /** Null when the sandbox is off, and for a command before the first start. */
  readonly anchor: SandboxAnchor | null
  readonly sandboxEgress: Egress
  readonly carriersFile: string
}

export interface OpenInstallationOptions {
  /**
   * A server sets the sandbox's clock to its own speed; a command uses the clock as it is. Neither starts the sandbox.
   */
  readonly as: 'server' | 'command'
  readonly logLevel: LogLevel | 'silent'
  readonly logTo: DestinationStream | null
  /** Sentences for the person at the terminal. */
  readonly print: (sentence: string) => void
  /**
   * Gets each function that must run at the end, as soon as there is something to close; the last one must run first.
   * Given one by one, because opening may fail half-way.
   */
  readonly onClose: (close: () => Promise<unknown>) => void
  /** True while closing: the database then ends connections, and that is no news for the log. */
  readonly isClosing: () => boolean
  /** Called while the private database starts, which takes time but not of this process. */
  readonly launched?: () => void
}

/** Throws an error with a sentence for the operator when it cannot be made. */
export function makeDataFolder({ data: { folder } }: Config): void {
  try {
    // When root starts it, the private database runs as another user, who must be able to enter the folder. The modes
    // of the files inside decide who may read them.
    makeFolder(folder, process.getuid?.() === 0 ? 0o711 : 0o700)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The data folder ${folder} (LANDFALL_DATA) cannot be made: ${why}.`)
  }
}

/**
 * Makes the data folder. Processes that start on the same folder at the same moment create its content one after the
 * other.
 */
export async function startSerially<T>(config: Config, work: () => Promise<T>): Promise<T> {
  makeDataFolder(config)
  return withLock(join(config.data.folder, 'starting'), work)
}

/** Joins the private cluster when it runs already, else starts it. Brings the schema up to date. */
export async function openInstallation(config: Config, by: OpenInstallationOptions): Promise<Installation> {
  const plainLog = createLog({
    level: by.logLevel,
    process: config.server.processName,
    ...(by.logTo !== null && { destination: by.logTo }),
  })
  const operatorIssues = createOperatorIssues({
    log: plainLog,
    installation: getInstallationNames(config),
    ...(by.as === 'server' && by.logTo !== null && { print: by.print }),
  })
  const { log } = operatorIssues
  if (by.as === 'server') {
    by.onClose(async () => log.info('server.stopped'))
    by.onClose(await openTraces(config, log))
  }
  const carriersFile = join(config.data.folder, 'carriers.json')
  const sandboxIsOn = isSandboxOn(config, carriersFile)

  const { url: database, isAlone, checkpoint } = await openDatabase(config, by, operatorIssues)
  const holder = newHolder(by.as === 'server' ? sessionsName() : '')
  const pool = openPool({
    connection: database,
    name: holder.sessions,
    connectionsMax: config.data.poolMax,
    fairness: getConnectionShares(config),
  })
  by.onClose(() => pool.end())
  pool.on('error', (error) => by.isClosing() || log.warn('database.unreachable', { error }))
  const migrated = await prepareSchema(config, { database, pool })
  if (migrated.applied > 0) log.info('migration.applied', { ...migrated })

  const encryption = await openInstallationEncryption(pool, {
    provided: config.server.secret,
    dataFolder: config.data.folder,
  })

  const anchor = sandboxIsOn ? await findAnchor(pool, config, by) : null
  const { service, sandboxEgress, close } = openService(config, {
    pool,
    log,
    metrics: createMetrics(log, config.server.processName),
    operatorIssues,
    encryption,
    holder,
    anchor,
    sandboxIsOn,
  })
  by.onClose(close)
  if (by.as === 'server' && config.server.role !== 'worker') {
    const replicas = await openReplicasOf(service)
    if (replicas !== null) by.onClose(() => replicas.close())
  }
  return { service, database, isAlone, checkpoint, sandboxIsOn, anchor, sandboxEgress, carriersFile }
}

/**
 * A name that no other process has: when this process is dead, its sessions are ended by this name. Postgres stores 63
 * characters.
 */
function sessionsName(): string {
  return `landfall ${randomBytes(6).toString('hex')} ${process.pid} ${hostname()}`.slice(0, 63)
}

/** Uses the role that owns the tables, where that is not the role that serves. */
async function prepareSchema(
  config: Config,
  serving: { readonly database: string; readonly pool: Pool },
): ReturnType<typeof migrate> {
  const owner = config.data.migrationDatabaseUrl
  const migrated = await migrate(owner ?? serving.database)
  if (migrated.applied > 0) await placeNewTables(owner ?? serving.database)
  if (owner !== null) await grantServing(owner, (await readServingRole(serving.pool)).name)
  return migrated
}

async function openDatabase(
  config: Config,
  by: OpenInstallationOptions,
  operatorIssues: OperatorIssues,
): Promise<Pick<Cluster, 'url' | 'isAlone' | 'checkpoint'>> {
  if (config.data.databaseUrl !== null)
    return { url: config.data.databaseUrl, isAlone: false, checkpoint: async () => {} }
  if (config.data.migrationDatabaseUrl !== null)
    throw new Error(
      'LANDFALL_MIGRATION_DATABASE_URL needs a database in DATABASE_URL; the private database has only one role.',
    )
  refuseMissingDatabase(config.data.folder)
  by.print('Starting the private database …')
  const cluster = await startCluster({
    dataDir: config.data.folder,
    port: config.data.pgPort,
    pgBin: config.data.pgBin,
    source: config.data.pgSource,
    walArchive: config.backup.walArchive,
    log: by.print,
    ...(by.as === 'server' && { watch: operatorIssues }),
    ...(by.launched !== undefined && { launched: by.launched }),
  })
  by.onClose(() => cluster.stop())
  return cluster
}

function findAnchor(pool: Pool, config: Config, by: OpenInstallationOptions): Promise<SandboxAnchor | null> {
  return by.as === 'server'
    ? openSandboxAnchor(pool, { realNowMs: realClock.now(), speed: config.sandbox.speed })
    : readSetting<SandboxAnchor>(pool, 'sandbox_anchor')
}
