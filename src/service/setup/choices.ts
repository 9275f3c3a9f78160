/** Choices that follow from several settings at once. */

import { existsSync } from 'node:fs'
import type { Config } from '../../platform/config.ts'
import type { Fairness } from '../../store/lend-fairly.ts'

/** On unless it is switched off, or real carriers are configured and nothing is said. */
export function isSandboxOn(config: Config, carriersFile: string): boolean {
  return config.sandbox.isOn ?? !existsSync(carriersFile)
}

const loopbackHosts = ['127.0.0.1', '::1', 'localhost']

/** Webhooks may go to this machine only while it plays and nobody else can reach it. */
export function mayReachLoopback(config: Config, sandboxIsOn: boolean): boolean {
  return sandboxIsOn && loopbackHosts.includes(config.server.host)
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
