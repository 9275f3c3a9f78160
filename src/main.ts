/**
 * Starts Landfall: the database, the sandbox, the first account, the API and the workers. Prints where everything is.
 * Stops without losing work.
 */

import type { Server } from 'node:http'
import { join } from 'node:path'
import type { DestinationStream } from 'pino'
import { openApi } from './doors/app.ts'
import { answerToWords } from './doors/cli/frame/start-help.ts'
import { type Welcome, writeWelcome } from './doors/cli/welcome.ts'
import { drainConnections } from './doors/http/drain.ts'
import { openMcp } from './doors/mcp/transport/open-mcp.ts'
import { openOperations } from './doors/open-operations.ts'
import { openMailIn } from './doors/smtp/open-mail-in.ts'
import { openRenderer } from './doors/webhooks/notification-document.ts'
import { describeCause, findCause } from './platform/causes.ts'
import type { SandboxAnchor } from './platform/clock.ts'
import { type Config, readConfig } from './platform/config.ts'
import { isErrorCode } from './platform/error-code.ts'
import { openLogDestination } from './platform/log.ts'
import { openLogFiles } from './platform/log-files.ts'
import type { ProcessGroup } from './platform/process-group.ts'
import { programVersion } from './platform/program-version.ts'
import { startSandboxProcess } from './platform/sandbox-process.ts'
import { hasSiblings, tellUp } from './platform/siblings.ts'
import { findMailFault, type MailPlace, mailPlaceOf } from './service/documents/mail-in/mail-place.ts'
import { nameOf, sandboxPort } from './service/ground/choices.ts'
import { watchUnsealed } from './service/hearing/intake/seal-old.ts'
import { worldsOf } from './service/hearing/positions/worlds.ts'
import { watchSources } from './service/hearing/sources/watch-sources.ts'
import { keepReference } from './service/knowing/reference/keep-reference.ts'
import { watchMendings } from './service/ledger/mend-history.ts'
import { ensureFirstAccount } from './service/people/access/first-account.ts'
import { offerSignInLink } from './service/people/users/sign-in-link.ts'
import type { FoldingPlace } from './service/running/folding/fold-threads.ts'
import { needsGroup, runGroup } from './service/running/group/run-group.ts'
import { holdLeases } from './service/running/holding/hold-leases.ts'
import { workUnpaused } from './service/running/pause/work-unpaused.ts'
import { watchReadiness } from './service/running/readiness/watch-readiness.ts'
import {
  installCarriers,
  installSandboxCarriers,
  installTestCarrier,
} from './service/running/setup/credentials.ts'
import { openInstallation, startInTurn } from './service/running/setup/open-installation.ts'
import { portTaken, refuseTakenPorts } from './service/running/setup/ports.ts'
import { releaseLeasesOfTheDead } from './service/running/setup/release-leases.ts'
import { installSandboxFacilities } from './service/running/setup/sandbox-facilities.ts'
import { installSandboxPartners } from './service/running/setup/sandbox-partners.ts'
import { startWorkers } from './service/running/workers.ts'
import type { Service } from './service/service.ts'
import { sealStoredHeaders } from './service/telling/webhooks/webhook-headers.ts'
import { watchUnlabelled } from './service/tracking/label-old.ts'

/** What has to be closed when the process stops. The last one is closed first. */
const closing: (() => Promise<unknown>)[] = []
let isStopping = false
const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`)

async function start(config: Config): Promise<void> {
  if (needsGroup(config)) return startProcesses(config)
  const { service, folding, welcome } = await startInTurn(config, () => prepare(config))
  const servers: Server[] = []
  const holding = await holdLeases(service)
  closing.push(() => holding.stop())
  if (config.server.role !== 'worker') {
    const api = await openApi(service)
    closing.push(() => api.close())
    servers.push(api.server)
    await listenOn(api, { host: config.server.host, port: config.server.port, setting: 'LANDFALL_PORT' })
    if (config.server.mcpPort !== 0) {
      const mcp = await openMcp(service)
      closing.push(() => mcp.close())
      servers.push(mcp.server)
      await listenOn(mcp, {
        host: config.server.host,
        port: config.server.mcpPort,
        setting: 'LANDFALL_MCP_PORT',
      })
    }
  }
  const mailPlace = config.server.role === 'worker' ? null : await takeMailIn(service)
  if (config.metrics.mode !== 'off' && config.metrics.port !== 0) {
    const operations = openOperations(service)
    closing.push(() => operations.close())
    servers.push(operations.server)
    await listenOn(operations, {
      host: config.server.host,
      port: config.metrics.port,
      setting: 'LANDFALL_METRICS_PORT',
    })
  }
  if (config.server.role !== 'api') {
    const worlds = worldsOf(config, welcome.sandboxUrl)
    const start = () => startWorkers(service, { render: openRenderer(service), worlds, folding })
    const workers = await workUnpaused(service, start)
    closing.push(() => workers.stop())
  }
  const readiness = watchReadiness(service)
  watchMendings(service)
  watchUnsealed(service)
  watchUnlabelled(service)
  watchSources(service)
  closing.push(() => readiness.stop())
  const reference = keepReference(service)
  closing.push(() => reference.stop())
  const { role, port } = config.server
  service.log.info('server.started', { version: programVersion, role, port })
  closing.push(async () => service.log.info('server.stopping'))
  const firstPerson = await offerSignInLink(service, { isTerminal: process.stderr.isTTY })
  say(await writeWelcome({ ...welcome, mailPlace, firstPerson }))
  tellUp(() => void drainConnections(servers).then(() => stop(0, starting)))
}

/** This process only watches over others, which do the work. */
async function startProcesses(config: Config): Promise<void> {
  const logTo = openLogTo(config) ?? openLogDestination(1)
  let group: ProcessGroup | null = null
  // A terminal that is closed sends the same signal.
  process.on('SIGHUP', () => void (process.stderr.isTTY ? stop(0, starting) : group?.replace()))
  group = await runGroup(config, { logTo, say: (text) => void process.stderr.write(text) })
  closing.push(() => group.stop())
}

/** Null for standard output. */
function openLogTo(config: Config): DestinationStream | null {
  const { fileMb, filesKept } = config.log
  const path = logFileOf(config)
  return path === null ? null : openLogFiles({ path, bytesMax: fileMb * 1_000_000, kept: filesKept })
}

function logFileOf({ log, data }: Config): string | null {
  return log.file ?? (process.stdout.isTTY ? join(data.folder, 'landfall.log') : null)
}

async function listenOn(
  server: Awaited<ReturnType<typeof openMcp>>,
  { host, port, setting }: { readonly host: string; readonly port: number; readonly setting: string },
): Promise<void> {
  await server.listen({ host, port }).catch((error: unknown) => {
    throw isErrorCode(error, 'EADDRINUSE') ? new Error(portTaken({ host, port, setting })) : error
  })
}

/** Null when no e-mail is received, also when the setting is missing and the port is in use. */
async function takeMailIn(service: Service): Promise<MailPlace | null> {
  const place = mailPlaceOf(service.config)
  if (place === null) return null
  try {
    const mailIn = await openMailIn(service, place)
    closing.push(() => mailIn.close())
    return place
  } catch (error) {
    if (!isErrorCode(error, 'EADDRINUSE')) throw error
    if (place.isOnTrial) return null
    throw new Error(portTaken({ ...place, setting: 'LANDFALL_MAIL_IN_PORT' }))
  }
}

/** Opens everything that requests and workers need. */
async function prepare(config: Config): Promise<{
  readonly service: Service
  readonly folding: FoldingPlace
  readonly welcome: Omit<Welcome, 'firstPerson' | 'mailPlace'>
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
    onClose: (close) => closing.push(close),
    isClosing: () => isStopping,
  })
  const { service, sandboxEgress, anchor } = installation
  if (installation.isAlone) await releaseLeasesOfTheDead(service)
  await sealStoredHeaders(service)
  await installTestCarrier(service)
  const carriers = await installCarriers(service, installation.carriersFile)
  const sandboxUrl = anchor === null ? null : await openSandbox(service, anchor, () => tellSandbox())
  const account = await ensureFirstAccount(service, {
    isFiction: installation.sandboxIsOn,
    dataFolder: config.data.folder,
  })
  if (sandboxUrl !== null) {
    const played = { url: sandboxUrl, accountId: account.accountId }
    await installSandboxFacilities(service, played)
    tellSandbox = await installSandboxPartners(service, played)
  }
  const { database, sandboxIsOn } = installation
  const folding = { database, anchor, sandboxIsOn }
  return { service, folding, welcome: { config, account, sandboxUrl, sandboxEgress, carriers, logFile } }
}

/** Sends the sandbox's partners their keys again after the sandbox was started again, because it remembers nothing. */
let tellSandbox: () => Promise<void> = async () => {}

async function openSandbox(
  service: Service,
  anchor: SandboxAnchor,
  onAgain: () => Promise<void>,
): Promise<string> {
  const { seed, aisPort } = service.config.sandbox
  const port = sandboxPort(service.config)
  const sandbox = await startSandboxProcess({ port, seed, anchor, aisPort, log: service.log, onAgain })
  closing.push(() => sandbox.stop())
  await installSandboxCarriers(service, sandbox.url)
  return sandbox.url
}

async function stop(code: number, started: Promise<unknown>): Promise<never> {
  if (isStopping) return new Promise(() => {})
  isStopping = true
  // A start that is under way is completed first: a half-done start could not be undone.
  await started.catch(() => {})
  for (const close of closing.reverse())
    await close().catch((error: unknown) => say(`While stopping: ${String(error)}`))
  process.exit(code)
}

const told = answerToWords(process.argv.slice(2))
if (told !== null) {
  process[told.code === 0 ? 'stdout' : 'stderr'].write(`${told.text}\n`)
  process.exit(told.code)
}
let config: Config | null = null
const starting = (async () => {
  config = readConfig(process.env)
  await start(config)
})()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0, starting))
try {
  await starting
} catch (error) {
  say(`Landfall did not start. ${error instanceof Error ? error.message : String(error)}`)
  const cause = findCause(error)
  if (cause !== null && config !== null) {
    const { says, remedy } = describeCause(cause, nameOf(config))
    say(`${says} ${remedy}`)
  }
  await stop(1, starting)
}
