/**
 * Mail to people, through the mail server that the operator has named. The connection is opened by `platform/egress.ts`
 * like every other; because no tenant can name this host, it may also be this very machine.
 */

import { createTransport } from 'nodemailer'
import type { Config } from '../../platform/config.ts'
import { createEgress, type Egress } from '../../platform/egress.ts'
import type { Service } from '../service.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

const answerWithinMs = 20_000
const egresses = new WeakMap<Service, Egress>()

export function sendsMail({ accounts }: Config): boolean {
  return accounts.smtpUrl !== null
}

/** The address of a page of ours, by the settings alone: what a request claims as its host must not end in a mail. */
export function linkTo({ server }: Config, path: string): string {
  // Nobody can follow a link to all addresses at once.
  const host = server.host === '0.0.0.0' || server.host === '::' ? 'localhost' : server.host
  return `${server.publicUrl ?? `http://${host}:${server.port}`}${path}`
}

/** Throws when the server does not take it. Without a mail server there is a line in the log, and nothing else. */
export async function sendMail(service: Service, mail: Mail): Promise<void> {
  const { smtpUrl, mailFrom } = service.config.accounts
  if (smtpUrl === null) {
    service.log.warn('mail.not_sent', { about: mail.subject, because: 'LANDFALL_SMTP_URL is not set' })
    return
  }
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const secure = protocol === 'smtps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const to = { host, port: port === '' ? (secure ? 465 : 587) : Number(port) }
  const opened = await egressOf(service).connect(to)
  if (opened.kind !== 'open') {
    throw new Error(
      `The mail server cannot be reached: ${opened.kind === 'refused' ? opened.reason : opened.message}`,
    )
  }
  const transport = createTransport({
    ...to,
    secure,
    connection: opened.connection,
    // A password goes over a network only where nobody can read it.
    requireTLS: username !== '' && !isThisMachine(host),
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    greetingTimeout: answerWithinMs,
    socketTimeout: answerWithinMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({ from: mailFrom ?? senderOf(service.config), ...mail })
    service.log.info('mail.sent', { about: mail.subject })
  } finally {
    transport.close()
    opened.connection.destroy()
  }
}

function egressOf(service: Service): Egress {
  const known = egresses.get(service)
  if (known !== undefined) return known
  const { allowedNetworks, connectTimeoutMs } = service.config.network
  const egress = createEgress({ allowedNetworks, connectTimeoutMs, allowLoopback: true })
  egresses.set(service, egress)
  return egress
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

function senderOf({ server }: Config): string {
  return `Landfall <landfall@${server.publicUrl === null ? 'localhost' : new URL(server.publicUrl).hostname}>`
}
