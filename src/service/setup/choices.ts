/** Choices that follow from several settings at once. */

import { existsSync } from 'node:fs'
import type { Config } from '../../platform/config.ts'

/** On unless it is switched off, or real carriers are configured and nothing is said. */
export function isSandboxOn(config: Config, carriersFile: string): boolean {
  return config.sandbox.isOn ?? !existsSync(carriersFile)
}

const loopbackHosts = ['127.0.0.1', '::1', 'localhost']

/** Webhooks may go to this machine only while it plays and nobody else can reach it. */
export function mayReachLoopback(config: Config, sandboxIsOn: boolean): boolean {
  return sandboxIsOn && loopbackHosts.includes(config.server.host)
}
