/** Choices that follow from several settings at once. */

import { existsSync } from 'node:fs'
import type { Fairness } from '../db/lend-fairly.ts'
import type { Config } from '../platform/config.ts'
import type { Installation as Named } from '../platform/operator-issue-kinds.ts'

/** True unless the sandbox is switched off, or real carriers are configured and the setting is not given. */
export function isSandboxOn(config: Config, carriersFile: string): boolean {
  return config.sandbox.isOn ?? !existsSync(carriersFile)
}

/** The port of the setting. Else the second port after the API's, because MCP has the first. */
export function sandboxPort({ sandbox, server }: Config): number {
  return sandbox.port ?? (server.port + 2 <= 65_535 ? server.port + 2 : server.port - 2)
}

const loopbackHosts = ['127.0.0.1', '::1', 'localhost']

/**
 * Addresses that tenants give (webhooks, trials, documents of clients) may be on this machine only while nobody outside
 * can send requests.
 */
export function mayReachLoopback(config: Config, sandboxIsOn: boolean): boolean {
  return sandboxIsOn && findRemoteAccessSetting(config) === null
}

/** For the operator: the setting through which clients on other machines may reach the server; null when none can. */
export function findRemoteAccessSetting({ server, network }: Config): string | null {
  if (!loopbackHosts.includes(server.host)) return 'LANDFALL_HOST'
  // A proxy in front listens on loopback too, and passes on requests that come from far away.
  if (server.publicUrl !== null) return 'LANDFALL_PUBLIC_URL'
  return network.trustedProxies.length > 0 ? 'LANDFALL_TRUSTED_PROXIES' : null
}

/**
 * The addresses of this machine where the sandbox listens. In the name of a simulated carrier no other address of this
 * machine is reached.
 */
export function sandboxAddresses(config: Config): readonly string[] {
  return [sandboxPort(config), config.sandbox.aisPort].map((port) => `127.0.0.1:${port}`)
}

/** How long a request waits for a connection while other requests of its account use all that the account may have. */
const shareWaitMs = 5_000

/** For all values of the settings, one account leaves half of the connections to the others. */
export function getConnectionShares({ data }: Config): Fairness {
  const half = Math.max(1, Math.floor(data.poolMax / 2))
  return {
    connectionsMax: Math.min(data.accountConnectionsMax, half),
    waitMs: shareWaitMs,
    statementMs: data.requestStatementMs,
  }
}

/** The names that an error text uses when it explains what to do. */
export function getInstallationNames({ data }: Config): Named {
  return { database: data.databaseUrl === null ? 'private' : 'server', dataFolder: data.folder }
}

export function sendsMail({ accounts }: Config): boolean {
  return accounts.smtpUrl !== null
}

/**
 * The address of a page of ours. It follows from the settings alone: the host that a request claims must not get into a
 * mail.
 */
export function linkTo({ server }: Config, path: string): string {
  // Nobody can follow a link to the address that means all addresses.
  const host = server.host === '0.0.0.0' || server.host === '::' ? 'localhost' : server.host
  const named = host.includes(':') ? `[${host}]` : host
  return `${server.publicUrl ?? `http://${named}:${server.port}`}${path}`
}
