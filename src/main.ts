/** Starts Landfall: database, sandbox, first account, API, workers; says where everything is; stops without losing work. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { openApi } from './doors/api/app.ts'
import { writeWelcome } from './doors/cli/welcome.ts'
import { openRenderer } from './doors/webhooks/notification-document.ts'
import { realClock, type SandboxAnchor, sandboxClock, sandboxNow } from './platform/clock.ts'
import { type Config, readConfig } from './platform/config.ts'
import { createEgress } from './platform/egress.ts'
import { createLog } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { startCluster } from './platform/postgres-cluster.ts'
import { withLock } from './platform/process-holds.ts'
import { startSandboxProcess } from './platform/sandbox-process.ts'
import type { JourneyClock, Service } from './service/service.ts'
import { isSandboxOn, mayReachLoopback } from './service/setup/choices.ts'
import { installCarriers, installSandboxCarriers, installTestCarrier } from './service/setup/credentials.ts'
import { ensureFirstAccount } from './service/setup/first-account.ts'
import { openInstallationSecret } from './service/setup/installation-secret.ts'
import { releaseLeasesOfTheDead } from './service/setup/release-leases.ts'
import { openSandboxAnchor } from './service/setup/sandbox-anchor.ts'
import { openVault } from './service/vault.ts'
import { startWorkers } from './service/workers.ts'
import { openPool } from './store/database.ts'
import { migrate } from './store/migrate.ts'

/** What to undo at the end, the last first. */
const closing: (() => Promise<unknown>)[] = []
let isStopping = false
const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`)

async function start(config: Config): Promise<void> {
  // Root's private database runs as another user, who must be able to walk in; the files inside say who may read them.
  mkdirSync(config.data.folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  // Processes that start on one data folder at the same moment make its database, account and key one after the other.
  const { service, welcome } = await withLock(join(config.data.folder, 'starting'), () => prepare(config))
  if (config.server.role !== 'worker') {
    const api = await openApi(service)
    closing.push(() => api.close())
    await api.listen({ host: config.server.host, port: config.server.port }).catch((error: unknown) => {
      throw isErrorCode(error, 'EADDRINUSE')
        ? new Error(
            `Port ${config.server.port} of ${config.server.host} is taken. LANDFALL_PORT moves the API.`,
          )
        : error
    })
  }
  if (config.server.role !== 'api') {
    const workers = startWorkers(service, { render: openRenderer(service) })
    closing.push(() => workers.stop())
  }
  service.log.info('server.started', { role: config.server.role, port: config.server.port })
  closing.push(async () => service.log.info('server.stopping'))
  await writeWelcome(welcome)
}

/** Everything that requests and workers stand on. */
async function prepare(
  config: Config,
): Promise<{ readonly service: Service; readonly welcome: Parameters<typeof writeWelcome>[0] }> {
  const logFile = process.stdout.isTTY ? join(config.data.folder, 'landfall.log') : null
  const log = createLog({
    level: config.server.logLevel,
    ...(logFile !== null && { destination: pino.destination({ dest: logFile, sync: false, mode: 0o600 }) }),
  })
  closing.push(async () => log.info('server.stopped'))
  const carriersFile = join(config.data.folder, 'carriers.json')
  const sandboxIsOn = isSandboxOn(config, carriersFile)

  const { url: database, isAlone } = await openDatabase(config)
  const pool = openPool({ connection: database, connectionsMax: config.data.poolMax })
  closing.push(() => pool.end())
  // The database ends the connections that are still closing when it stops: no news then.
  pool.on('error', (error) => isStopping || log.warn('database.unreachable', { error }))
  const { applied } = await migrate(database)
  if (applied > 0) log.info('migration.applied', { applied })

  const anchor = sandboxIsOn
    ? await openSandboxAnchor(pool, { realNowMs: realClock.now(), speed: config.sandbox.speed })
    : null
  const { allowedNetworks, connectTimeoutMs } = config.network
  const egress = createEgress({
    allowedNetworks,
    connectTimeoutMs,
    allowLoopback: mayReachLoopback(config, sandboxIsOn),
  })
  const sandboxEgress = createEgress({ allowedNetworks, connectTimeoutMs, allowLoopback: true })
  closing.push(async () => {
    egress.close()
    sandboxEgress.close()
  })
  const service: Service = {
    pool,
    config,
    clock: realClock,
    journeyClock: journeyClocks(anchor),
    egress,
    carrierEgress: (isFiction) => (isFiction ? sandboxEgress : egress),
    log,
    metrics: createMetrics(log),
    vault: openVault(openInstallationSecret({ given: config.server.secret, dataFolder: config.data.folder })),
  }

  if (isAlone) await releaseLeasesOfTheDead(service)
  await installTestCarrier(service)
  const carriers = await installCarriers(service, carriersFile)
  const sandboxUrl = anchor === null ? null : await openSandbox(service, anchor)
  const account = await ensureFirstAccount(service, {
    isFiction: sandboxIsOn,
    dataFolder: config.data.folder,
  })
  return { service, welcome: { config, account, sandboxUrl, sandboxEgress, carriers, logFile, say } }
}

/** `isAlone`: no other process uses it; of a database server that cannot be known. */
async function openDatabase(config: Config): Promise<{ readonly url: string; readonly isAlone: boolean }> {
  if (config.data.databaseUrl !== null) return { url: config.data.databaseUrl, isAlone: false }
  say('Starting the private database …')
  const cluster = await startCluster({
    dataDir: config.data.folder,
    port: config.data.pgPort,
    pgBin: config.data.pgBin,
    source: config.data.pgSource,
    log: say,
  })
  closing.push(() => cluster.stop())
  return cluster
}

async function openSandbox(service: Service, anchor: SandboxAnchor): Promise<string> {
  const { port, seed } = service.config.sandbox
  const sandbox = await startSandboxProcess({ port, seed, anchor, log: service.log })
  closing.push(() => sandbox.stop())
  await installSandboxCarriers(service, sandbox.url)
  return sandbox.url
}

function journeyClocks(anchor: SandboxAnchor | null): (isFiction: boolean) => JourneyClock {
  const real: JourneyClock = { ...realClock, pace: () => 1 }
  if (anchor === null) return () => real
  const sandbox: JourneyClock = {
    ...sandboxClock(anchor, realClock),
    pace: () => (sandboxNow(anchor, realClock.now()) < realClock.now() ? anchor.speed : 1),
  }
  return (isFiction) => (isFiction ? sandbox : real)
}

function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

async function stop(code: number, started: Promise<unknown>): Promise<never> {
  if (isStopping) return new Promise(() => {})
  isStopping = true
  // A start that is under way goes on to its end: half of it could not be undone.
  await started.catch(() => {})
  for (const close of closing.reverse())
    await close().catch((error: unknown) => say(`While stopping: ${String(error)}`))
  process.exit(code)
}

const starting = (async () => start(readConfig(process.env)))()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0, starting))
try {
  await starting
} catch (error) {
  say(`Landfall did not start. ${error instanceof Error ? error.message : String(error)}`)
  await stop(1, starting)
}
