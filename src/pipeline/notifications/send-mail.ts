/**
 * Sends one mail to the mail server that the operator has configured. The connection is opened by `platform/egress.ts`
 * like every other. Because no tenant can name this host, it may also be this machine.
 */

import { loopField } from '../../connectors/email/loop-field.ts'
import type { Service } from '../../modules/service.ts'
import type { Config } from '../../platform/config.ts'
import { createEgress, type Egress } from '../../platform/egress.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import type { Mail } from '../jobs/queue-mail.ts'

/**
 * The server did not accept the mail. `reason` contains no personal data: the server's own text may repeat an address.
 */
export class MailFault extends Error {
  readonly reason: string
  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

const answerWithinMs = 30_000
/** For the whole conversation, including the connecting. */
export const sendWithinMs = 60_000
const egressOf = memoizePerOwner(({ config }: Service): Egress => {
  const { allowedNetworks, connectTimeoutMs } = config.network
  return createEgress({ allowedNetworks, connectTimeoutMs, allowLoopback: true })
})

/**
 * Throws a `MailFault` when the server does not accept the mail. `id` becomes the Message-ID: if a mail is sent twice
 * after a crash, mail programs see that it is the same one.
 */
export async function sendMail(service: Service, mail: Mail & { readonly id: string }): Promise<void> {
  const { smtpUrl, mailFrom } = service.config.accounts
  if (smtpUrl === null) throw new MailFault('LANDFALL_SMTP_URL is not set for this process')
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const secure = protocol === 'smtps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const to = { host, port: port === '' ? (secure ? 465 : 587) : Number(port) }
  const opened = await egressOf(service).connect(to)
  if (opened.kind !== 'open') {
    throw new MailFault(`not reached: ${opened.kind === 'refused' ? opened.reason : opened.message}`)
  }
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    ...to,
    secure,
    connection: opened.connection,
    // A password is sent over a network only if nobody can read it.
    requireTLS: username !== '' && !isThisMachine(host),
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    greetingTimeout: answerWithinMs,
    socketTimeout: answerWithinMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const tooLate = setTimeout(() => opened.connection.destroy(), sendWithinMs)
  const { id, ...content } = mail
  try {
    await transport.sendMail({
      from: mailFrom ?? senderOf(service.config),
      messageId: `<${id}@${senderHost(service.config)}>`,
      // No program is to answer it (RFC 3834), and we ingest nothing from it that comes back to a mailbox of ours.
      headers: { 'Auto-Submitted': 'auto-generated', [loopField]: '1' },
      ...content,
    })
  } catch (error) {
    throw new MailFault(reasonOf(error))
  } finally {
    clearTimeout(tooLate)
    transport.close()
    opened.connection.destroy()
  }
}

/**
 * For example `EENVELOPE 550 RCPT TO`: the kind of failure, the server's number for it, and the command that failed.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code, responseCode, command } = error as Error & Readonly<Record<string, unknown>>
  const details = [code ?? error.name, responseCode, command].filter((each) => each !== undefined)
  return details.join(' ')
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

function senderOf(config: Config): string {
  return `Landfall <landfall@${senderHost(config)}>`
}

function senderHost({ server }: Config): string {
  return server.publicUrl === null ? 'localhost' : new URL(server.publicUrl).hostname
}
