/**
 * What a process serves with, on its installation: the sandbox, the first account, the API and the workers, as far as
 * its role has them. Whatever its role does not have is not loaded.
 */

import type { Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { registerAllResources } from '../api/json-api/all-resources.ts'
import { openRenderer } from '../api/notifications/notification-document.ts'
import { ensureFirstAccount } from '../modules/accounts/first-account.ts'
import { sandboxPort } from '../modules/derived-settings.ts'
import { getMailServerSettings, type MailServerSettings } from '../modules/email-submissions/mail-place.ts'
import {
  installCarriers,
  installSandboxCarriers,
  installTestCarrier,
} from '../modules/installation/install-carriers.ts'
import type { Installation } from '../modules/installation/open-installation.ts'
import { installSandboxFacilities } from '../modules/installation/sandbox-facilities.ts'
import { installSandboxPartners } from '../modules/installation/sandbox-partners.ts'
import { watchReadiness } from '../modules/installation/watch-readiness.ts'
import { startReferenceRefresher } from '../modules/reference-data/reference-keeper.ts'
import type { Service } from '../modules/service.ts'
import { offerSignInLink } from '../modules/sessions/sign-in-link.ts'
import { watchFeeds } from '../modules/sources/position-feeds.ts'
import { watchSources } from '../modules/sources/watch-sources.ts'
import { encryptStoredHeaders } from '../modules/webhooks/webhook-headers.ts'
import { addUnencryptedGauge } from '../pipeline/ingestion/encrypt-old-messages.ts'
import { keepWorkerRegistered } from '../pipeline/jobs/hold-leases.ts'
import { releaseAllLeases } from '../pipeline/jobs/release-leases.ts'
import { addRepairsGauge } from '../pipeline/ledger/repair-history.ts'
import { feedEnvironmentsOf } from '../pipeline/positions/feed-environments.ts'
import { addUnlabelledGauge } from '../pipeline/projection/label-old.ts'
import { archiveAdvice } from '../platform/backup-settings.ts'
import type { SandboxAnchor } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { isErrorCode } from '../platform/error-code.ts'
import { logFileOf } from '../platform/log-files.ts'
import { programVersion } from '../platform/program-version.ts'
import { startSandboxProcess } from '../platform/sandbox-process.ts'
import { reportReady } from '../platform/siblings.ts'
import { drainConnections } from './drain-connections.ts'
import type { FoldThreadSetup } from './fold-threads.ts'
import { describeOccupiedPort } from './occupied-ports.ts'
import { createOperationsApp } from './open-operations.ts'
import { type Welcome, writeWelcome } from './welcome.ts'
import { startWhenUnpaused } from './work-unpaused.ts'

type ServerParts = Awaited<ReturnType<typeof loadParts>>
type PortPlace = Parameters<typeof describeOccupiedPort>[0]

/** What it gets from the process. */
export interface ServeCallbacks {
  /** Sentences for the person at the terminal. */
  readonly notify: (sentence: string) => void
  /**
   * Gets what has to be closed when the process stops. The last one is closed first; one that is `beside` the one before
   * it, at the same time.
   */
  readonly onClose: (close: () => Promise<unknown>, beside?: 'beside') => void
  readonly isClosing: () => boolean
  /** Ends the process. */
  readonly stop: () => void
}

/** Starts to listen and to work. Resolves when it serves. */
async function runServer(prepared: PreparedServer, parts: ServerParts, by: ServeCallbacks): Promise<void> {
  const { service, folding, welcome, checkpoint, apps } = prepared
  const { onClose } = by
  const { config } = service
  const { role, host, port, mcpPort } = config.server
  const servers: Server[] = []
  const listen = async (server: FastifyInstance, at: PortPlace): Promise<void> => {
    onClose(() => server.close(), 'beside')
    servers.push(server.server)
    await server.listen({ host: at.host, port: at.port }).catch((error: unknown) => {
      throw isErrorCode(error, 'EADDRINUSE') ? new Error(describeOccupiedPort(at)) : error
    })
  }
  const holding = await keepWorkerRegistered(service)
  onClose(() => holding.stop())
  // What uses the database and its leases ends side by side.
  onClose(async () => service.log.info('server.stopping'))
  if (role !== 'api') onClose(checkpoint, 'beside')
  if (apps.api !== null) await listen(apps.api, { host, port, setting: 'LANDFALL_PORT' })
  if (apps.mcp !== null) await listen(apps.mcp, { host, port: mcpPort, setting: 'LANDFALL_MCP_PORT' })
  const mailPlace = await startMailIn(service, parts, onClose)
  const { mode, port: metricsPort } = config.metrics
  if (mode !== 'off' && metricsPort !== 0)
    await listen(createOperationsApp(service), { host, port: metricsPort, setting: 'LANDFALL_METRICS_PORT' })
  if (parts.startWorkers !== null) {
    const { startWorkers } = parts
    const worlds = feedEnvironmentsOf(config, welcome.sandboxUrl)
    const start = () => startWorkers(service, { render: openRenderer(service), environments: worlds, folding })
    const workers = await startWhenUnpaused(service, start)
    onClose(() => workers.stop(), 'beside')
  }
  const readiness = watchReadiness(service)
  addRepairsGauge(service)
  addUnencryptedGauge(service)
  addUnlabelledGauge(service)
  watchSources(service)
  watchFeeds(service)
  onClose(() => readiness.stop(), 'beside')
  const reference = startReferenceRefresher(service)
  onClose(() => reference.stop(), 'beside')
  service.log.info('server.started', { version: programVersion, role, port })
  if (service.config.backup.walArchive !== null)
    service.log.warn('setting.deprecated', { setting: 'LANDFALL_WAL_ARCHIVE', advice: archiveAdvice })
  const firstPerson = await offerSignInLink(service, { isTerminal: process.stderr.isTTY })
  by.notify(await writeWelcome({ ...welcome, mailPlace, firstPerson }))
  reportReady(() => void drainConnections(servers).then(by.stop))
}

/**
 * The parts that the role has; null for those that it has not. They are loaded before other processes watch this one:
 * nothing else runs while it loads, and on a busy machine a process without a heartbeat for so long counts as dead.
 */
export async function loadParts(config: Config) {
  const { role, mcpPort } = config.server
  const hasApi = role !== 'worker'
  return {
    openApi: hasApi ? (await import('./app.ts')).createApiApp : null,
    openMcp: hasApi && mcpPort !== 0 ? (await import('../mcp/transport/open-mcp.ts')).openMcp : null,
    openMailIn:
      hasApi && getMailServerSettings(config) !== null ? (await import('../mail-in/open-mail-in.ts')).openMailIn : null,
    startWorkers: role !== 'api' ? (await import('./workers.ts')).startWorkers : null,
  }
}

/** Null when no e-mail is received, also when the setting is missing and the port is in use. */
async function startMailIn(
  service: Service,
  { openMailIn }: ServerParts,
  onClose: ServeCallbacks['onClose'],
): Promise<MailServerSettings | null> {
  const place = getMailServerSettings(service.config)
  if (place === null || openMailIn === null) return null
  try {
    const mailIn = await openMailIn(service, place)
    onClose(() => mailIn.close(), 'beside')
    return place
  } catch (error) {
    if (!isErrorCode(error, 'EADDRINUSE')) throw error
    if (place.isOnTrial) return null
    throw new Error(describeOccupiedPort({ ...place, setting: 'LANDFALL_MAIL_IN_PORT' }))
  }
}

interface PreparedServer {
  readonly service: Service
  readonly folding: FoldThreadSetup
  readonly welcome: Omit<Welcome, 'firstPerson' | 'mailPlace'>
  readonly checkpoint: Installation['checkpoint']
  readonly apps: Apps
}

/** Opens everything that requests and workers need. Resolves to what makes it serve. */
export async function prepareServer(
  installation: Installation,
  parts: ServerParts,
  by: ServeCallbacks,
): Promise<() => Promise<void>> {
  registerAllResources()
  const { service, sandboxEgress, anchor, database, sandboxIsOn, checkpoint } = installation
  const { config } = service
  if (installation.isAlone) await releaseAllLeases(service)
  await encryptStoredHeaders(service)
  await installTestCarrier(service)
  const carriers = await installCarriers(service, installation.carriersFile)
  // The sandbox starts in a process of its own, while this one builds its routes.
  const sandbox =
    anchor === null ? null : startSandbox(service, { anchor, onAgain: () => notifySandbox(), onClose: by.onClose })
  sandbox?.catch(() => {}) // thrown where it is needed
  const apps = await openApps(service, parts)
  try {
    const sandboxUrl = sandbox === null ? null : await sandbox
    const account = await ensureFirstAccount(service, {
      isSandbox: sandboxIsOn,
      dataFolder: config.data.folder,
    })
    if (sandboxUrl !== null) {
      await installSandboxCarriers(service, sandboxUrl)
      const played = { url: sandboxUrl, accountId: account.accountId }
      await installSandboxFacilities(service, played)
      notifySandbox = await installSandboxPartners(service, played)
    }
    const folding = { database, anchor, sandboxIsOn }
    const logFile = logFileOf(config)
    const welcome = { config, account, sandboxUrl, sandboxEgress, carriers, logFile }
    return () => runServer({ service, folding, welcome, checkpoint, apps }, parts, by)
  } catch (error) {
    await Promise.all([apps.api?.close(), apps.mcp?.close()])
    throw error
  }
}

interface Apps {
  readonly api: FastifyInstance | null
  readonly mcp: FastifyInstance | null
}

async function openApps(service: Service, { openApi, openMcp }: ServerParts): Promise<Apps> {
  const [api, mcp] = [(await openApi?.(service)) ?? null, (await openMcp?.(service)) ?? null]
  await api?.ready()
  await mcp?.ready()
  return { api, mcp }
}

/** Sends the sandbox's partners their keys again after the sandbox was started again, because it remembers nothing. */
let notifySandbox: () => Promise<void> = async () => {}

async function startSandbox(
  service: Service,
  {
    anchor,
    onAgain,
    onClose,
  }: {
    readonly anchor: SandboxAnchor
    readonly onAgain: () => Promise<void>
    readonly onClose: ServeCallbacks['onClose']
  },
): Promise<string> {
  const { seed, aisPort } = service.config.sandbox
  const port = sandboxPort(service.config)
  const sandbox = await startSandboxProcess({ port, seed, anchor, aisPort, log: service.log, onAgain })
  onClose(() => sandbox.stop())
  return sandbox.url
}
