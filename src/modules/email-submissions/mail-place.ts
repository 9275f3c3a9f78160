/** Whether this installation receives e-mail, and at which addresses. All of it follows from the settings. */

import { join } from 'node:path'
import type { Config } from '../../platform/config.ts'
import { isSandboxOn, mayReachLoopback } from '../derived-settings.ts'

export interface MailServerSettings {
  readonly host: string
  readonly port: number
  readonly domain: string
  /** Nobody configured it, so the start continues without it when the port is in use. */
  readonly isOnTrial: boolean
}

/** Reserved for this machine (RFC 6761, 6.3). */
const trialDomain = 'landfall.localhost'

/**
 * Null when no e-mail is received. Without a setting it is received, on trial, where the sandbox is on and only this
 * machine can reach the server.
 */
export function getMailServerSettings(config: Config): MailServerSettings | null {
  const { port } = config.mailIn
  const isTrial = mayReachLoopback(config, isSandboxOn(config, join(config.data.folder, 'carriers.json')))
  const domain = config.mailIn.domain ?? (isTrial ? trialDomain : null)
  if (port === 0 || domain === null) return null
  if (port !== null) return { host: config.mailIn.host ?? config.server.host, port, domain, isOnTrial: false }
  const beside = config.server.port + 3
  return isTrial && beside <= 65_535 ? { host: config.server.host, port: beside, domain, isOnTrial: true } : null
}

/** A sentence for a start that cannot go on; null when the settings fit together. */
export function findMailFault(config: Config): string | null {
  const { port, tlsKeyFile, tlsCertificateFile } = config.mailIn
  if (port !== null && port !== 0 && getMailServerSettings(config) === null)
    return 'LANDFALL_MAIL_IN_PORT is set, so LANDFALL_MAIL_IN_DOMAIN is needed too: the domain of the addresses.'
  if ((tlsKeyFile === null) !== (tlsCertificateFile === null))
    return 'LANDFALL_MAIL_IN_TLS_KEY and LANDFALL_MAIL_IN_TLS_CERT are needed together.'
  return null
}
