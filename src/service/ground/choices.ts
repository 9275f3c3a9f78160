/** Choices that follow from several settings at once. */

import { existsSync } from 'node:fs'
import type { Installation as Named } from '../../platform/causes.ts'
import type { Config } from '../../platform/config.ts'
import type { Fairness } from '../../store/lend-fairly.ts'

/** On unless it is switched off, or real carriers are configured and nothing is said. */
export function isSandboxOn(config: Config, carriersFile: string): boolean {
  return config.sandbox.isOn ?? !existsSync(carriersFile)
}

/** Beside the others: the second port after the API's, where MCP has the first, unless it is set. */
export function sandboxPort({ sandbox, server }: Config): number {
  return sandbox.port ?? (server.port + 2 <= 65_535 ? server.port + 2 : server.port - 2)
}

const loopbackHosts = ['127.0.0.1', '::1', 'localhost']

/** What tenants ask for (webhooks, trials, documents of clients) may go to this machine only while nobody else can ask. */
export function mayReachLoopback(config: Config, sandboxIsOn: boolean): boolean {
  return sandboxIsOn && findOpening(config) === null
}

/** The setting by which others than this machine may reach the server, for the operator; null when none can. */
export function findOpening({ server, network }: Config): string | null {
  if (!loopbackHosts.includes(server.host)) return 'LANDFALL_HOST'
  // A proxy in front listens on loopback like anybody, and hands on what comes from far away.
  if (server.publicUrl !== null) return 'LANDFALL_PUBLIC_URL'
  return network.trustedProxies.length > 0 ? 'LANDFALL_TRUSTED_PROXIES' : null
}

/** Where the sandbox listens: nothing else of this machine is reached in the name of a simulated carrier. */
export function sandboxPlaces(config: Config): readonly string[] {
  return [sandboxPort(config), config.sandbox.aisPort].map((port) => `127.0.0.1:${port}`)
}

/** How long a request of an account waits for a connection while its others hold all that the account may have. */
const shareWaitMs = 5_000

/** However it is set, one account leaves half of the connections to the others. */
export function fairnessOf({ data }: Config): Fairness {
  const half = Math.max(1, Math.floor(data.poolMax / 2))
  return {
    connectionsMax: Math.min(data.accountConnectionsMax, half),
    waitMs: shareWaitMs,
    statementMs: data.requestStatementMs,
  }
}

/** For the words of a remedy. */
export function nameOf({ data }: Config): Named {
  return { database: data.databaseUrl === null ? 'private' : 'server', dataFolder: data.folder }
}

export function sendsMail({ accounts }: Config): boolean {
  return accounts.smtpUrl !== null
}

/** The address of a page of ours, by the settings alone: what a request claims as its host must not end in a mail. */
export function linkTo({ server }: Config, path: string): string {
  // Nobody can follow a link to all addresses at once.
  const host = server.host === '0.0.0.0' || server.host === '::' ? 'localhost' : server.host
  const named = host.includes(':') ? `[${host}]` : host
  return `${server.publicUrl ?? `http://${named}:${server.port}`}${path}`
}
