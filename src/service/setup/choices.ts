/** Choices that follow from several settings at once. */

import { existsSync } from 'node:fs'
import type { Config } from '../../platform/config.ts'

/** On unless it is switched off, or real carriers are configured and nothing is said. */
export function isSandboxOn(config: Config, carriersFile: string): boolean {
  return config.sandbox.isOn ?? !existsSync(carriersFile)
}

/** Beside the others: the second port after the API's, where MCP has the first, unless it is set. */
export function sandboxPort({ sandbox, server }: Config): number {
  return sandbox.port ?? (server.port + 2 <= 65_535 ? server.port + 2 : server.port - 2)
}

const loopbackHosts = ['127.0.0.1', '::1', 'localhost']

/** Only this machine can reach the server, as far as the settings say: no network, no proxy, no public name. */
export function isForThisMachineAlone({ server, network }: Config): boolean {
  return (
    loopbackHosts.includes(server.host) && server.publicUrl === null && network.trustedProxies.length === 0
  )
}

/** Webhooks may go to this machine only while it plays and nobody else can reach it. */
export function mayReachLoopback(config: Config, sandboxIsOn: boolean): boolean {
  return sandboxIsOn && loopbackHosts.includes(config.server.host)
}
