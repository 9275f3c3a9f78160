/**
 * One process that serves: the database, the sandbox, the first account, the API and the workers, as far as its role has
 * them. What its role does not have is not loaded.
 */

import type { Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { SandboxAnchor } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { isErrorCode } from '../platform/error-code.ts'
import { logFileOf, openLogTo } from '../platform/log-files.ts'
import { programVersion } from '../platform/program-version.ts'
import { startSandboxProcess } from '../platform/sandbox-process.ts'
import { hasSiblings, tellUp } from '../platform/siblings.ts'
import { findMailFault, type MailPlace, mailPlaceOf } from '../service/documents/mail-in/mail-place.ts'
import { sandboxPort } from '../service/ground/choices.ts'
import { watchUnsealed } from '../service/hearing/intake/seal-old.ts'
import { worldsOf } from '../service/hearing/positions/worlds.ts'
import { watchSources } from '../service/hearing/sources/watch-sources.ts'
import { keepReference } from '../service/knowing/reference/keep-reference.ts'
import { watchMendings } from '../service/ledger/mend-history.ts'
import { ensureFirstAccount } from '../service/people/access/first-account.ts'
import { offerSignInLink } from '../service/people/users/sign-in-link.ts'
import type { FoldingPlace } from '../service/running/folding/fold-threads.ts'
import { holdLeases } from '../service/running/holding/hold-leases.ts'
import { workUnpaused } from '../service/running/pause/work-unpaused.ts'
import { watchReadiness } from '../service/running/readiness/watch-readiness.ts'
import {
  installCarriers,
  installSandboxCarriers,
  installTestCarrier,
} from '../service/running/setup/credentials.ts'
import {
  type Installation,
  openInstallation,
  startInTurn,
} from '../service/running/setup/open-installation.ts'
import { portTaken, refuseTakenPorts } from '../service/running/setup/ports.ts'
import { releaseLeasesOfTheDead } from '../service/running/setup/release-leases.ts'
import { installSandboxFacilities } from '../service/running/setup/sandbox-facilities.ts'
import { installSandboxPartners } from '../service/running/setup/sandbox-partners.ts'
import type { Service } from '../service/service.ts'
import { sealStoredHeaders } from '../service/telling/webhooks/webhook-headers.ts'
import { watchUnlabelled } from '../service/tracking/label-old.ts'
import { type Welcome, writeWelcome } from './cli/welcome.ts'
import { drainConnections } from './http/drain.ts'
import { openOperations } from './open-operations.ts'
import { openRenderer } from './webhooks/notification-document.ts'

/** What it gets of the process. */
interface Serving {
  /** Sentences for the person at the terminal. */
  readonly say: (sentence: string) => void
  /**
   * Gets what has to be closed when the process stops. The last one is closed first; one that is `beside` the one before
   * it, at the same time.
   */
  readonly onClose: (close: () => Promise<unknown>, beside?: 'beside') => void
  readonly isClosing: () => boolean
  /** Ends the process. */
  readonly stop: () => void
}

type Place = Parameters<typeof portTaken>[0]

/** Resolves when it serves. */
export async function serve(config: Config, by: Serving): Promise<void> {
  const { onClose } = by
  const { service, folding, welcome, checkpoint } = await startInTurn(config, () => prepare(config, by))
  const { role, host, port, mcpPort } = config.server
  const servers: Server[] = []
  const listen = async (server: FastifyInstance, at: Place): Promise<void> => {
    onClose(() => server.close(), 'beside')
    servers.push(server.server)
    await server.listen({ host: at.host, port: at.port }).catch((error: unknown) => {
      throw isErrorCode(error, 'EADDRINUSE') ? new Error(portTaken(at)) : error
    })
  }
  const parts = await loadParts(config)
  const holding = await holdLeases(service)
  onClose(() => holding.stop())
  // What uses the database and its leases ends side by side.
  onClose(async () => service.log.info('server.stopping'))
  if (role !== 'api') onClose(checkpoint, 'beside')
  if (parts.openApi !== null)
    await listen(await parts.openApi(service), { host, port, setting: 'LANDFALL_PORT' })
  if (parts.openMcp !== null)
    await listen(await parts.openMcp(service), { host, port: mcpPort, setting: 'LANDFALL_MCP_PORT' })
  const mailPlace = await takeMailIn(service, parts, onClose)
  const { mode, port: metricsPort } = config.metrics
  if (mode !== 'off' && metricsPort !== 0)
    await listen(openOperations(service), { host, port: metricsPort, setting: 'LANDFALL_METRICS_PORT' })
  if (parts.startWorkers !== null) {
    const { startWorkers } = parts
    const worlds = worldsOf(config, welcome.sandboxUrl)
    const start = () => startWorkers(service, { render: openRenderer(service), worlds, folding })
    const workers = await workUnpaused(service, start)
    onClose(() => workers.stop(), 'beside')
  }
  const readiness = watchReadiness(service)
  watchMendings(service)
  watchUnsealed(service)
  watchUnlabelled(service)
  watchSources(service)
  onClose(() => readiness.stop(), 'beside')
  const reference = keepReference(service)
  onClose(() => reference.stop(), 'beside')
  service.log.info('server.started', { version: programVersion, role, port })
  const firstPerson = await offerSignInLink(service, { isTerminal: process.stderr.isTTY })
  by.say(await writeWelcome({ ...welcome, mailPlace, firstPerson }))
  tellUp(() => void drainConnections(servers).then(by.stop))
}

/**
 * The parts that the role has; null for those that it has not. They are loaded before other processes watch this one:
 * nothing else runs while it loads, and on a busy machine a process that shows no life for so long is taken for dead.
 */
async function loadParts(config: Config) {
  const { role, mcpPort } = config.server
  const hasDoors = role !== 'worker'
  return {
    openApi: hasDoors ? (await import('./app.ts')).openApi : null,
    openMcp: hasDoors && mcpPort !== 0 ? (await import('./mcp/transport/open-mcp.ts')).openMcp : null,
    openMailIn:
      hasDoors && mailPlaceOf(config) !== null ? (await import('./smtp/open-mail-in.ts')).openMailIn : null,
    startWorkers: role !== 'api' ? (await import('../service/running/workers.ts')).startWorkers : null,
  }
}

/** Null when no e-mail is received, also when the setting is missing and the port is in use. */
async function takeMailIn(
  service: Service,
  { openMailIn }: Awaited<ReturnType<typeof loadParts>>,
  onClose: Serving['onClose'],
): Promise<MailPlace | null> {
  const place = mailPlaceOf(service.config)
  if (place === null || openMailIn === null) return null
  try {
    const mailIn = await openMailIn(service, place)
    onClose(() => mailIn.close(), 'beside')
    return place
  } catch (error) {
    if (!isErrorCode(error, 'EADDRINUSE')) throw error
    if (place.isOnTrial) return null
    throw new Error(portTaken({ ...place, setting: 'LANDFALL_MAIL_IN_PORT' }))
  }
}

/** Opens everything that requests and workers need. */
async function prepare(
  config: Config,
  { say, onClose, isClosing }: Serving,
): Promise<{
  readonly service: Service
  readonly folding: FoldingPlace
  readonly welcome: Omit<Welcome, 'firstPerson' | 'mailPlace'>
  readonly checkpoint: Installation['checkpoint']
}> {
  const mailFault = findMailFault(config)
  if (mailFault !== null) throw new Error(mailFault)
  // The parent has asked for the ports of all its processes, and holds them.
  if (!hasSiblings) await refuseTakenPorts(config)
  const logFile = logFileOf(config)
  const installation = await openInstallation(config, {
    as: 'server',
    logLevel: config.server.logLevel,
    logTo: openLogTo(config),
    say,
    onClose,
    isClosing,
  })
  const { service, sandboxEgress, anchor } = installation
  if (installation.isAlone) await releaseLeasesOfTheDead(service)
  await sealStoredHeaders(service)
  await installTestCarrier(service)
  const carriers = await installCarriers(service, installation.carriersFile)
  const sandboxUrl =
    anchor === null ? null : await openSandbox(service, { anchor, onAgain: () => tellSandbox(), onClose })
  const account = await ensureFirstAccount(service, {
    isFiction: installation.sandboxIsOn,
    dataFolder: config.data.folder,
  })
  if (sandboxUrl !== null) {
    const played = { url: sandboxUrl, accountId: account.accountId }
    await installSandboxFacilities(service, played)
    tellSandbox = await installSandboxPartners(service, played)
  }
  const { database, sandboxIsOn, checkpoint } = installation
  const folding = { database, anchor, sandboxIsOn }
  return {
    service,
    folding,
    checkpoint,
    welcome: { config, account, sandboxUrl, sandboxEgress, carriers, logFile },
  }
}

/** Sends the sandbox's partners their keys again after the sandbox was started again, because it remembers nothing. */
let tellSandbox: () => Promise<void> = async () => {}

async function openSandbox(
  service: Service,
  {
    anchor,
    onAgain,
    onClose,
  }: {
    readonly anchor: SandboxAnchor
    readonly onAgain: () => Promise<void>
    readonly onClose: Serving['onClose']
  },
): Promise<string> {
  const { seed, aisPort } = service.config.sandbox
  const port = sandboxPort(service.config)
  const sandbox = await startSandboxProcess({ port, seed, anchor, aisPort, log: service.log, onAgain })
  onClose(() => sandbox.stop())
  await installSandboxCarriers(service, sandbox.url)
  return sandbox.url
}
