/**
 * The SMTP server that receives e-mail. It accepts mail for mailboxes of this installation and for nobody else, and it
 * never sends anything: neither a copy, nor a bounce, nor an answer.
 */

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { countHops, readRawMail } from '../connectors/email/raw-mail.ts'
import { networkOf } from '../modules/api-keys/failed-keys.ts'
import { admitSender } from '../modules/email-submissions/admit-sender.ts'
import { exceedsHourlyLimit, findMailbox, storeMail } from '../modules/email-submissions/receive-mail.ts'
import type { Service } from '../modules/service.ts'
import { networkList } from '../platform/addresses.ts'
import { type MailClients, openClients } from './clients.ts'
import { type MailCapacity, receiveData } from './receive-data.ts'
import { createRefusal, type RefusalReason } from './refusals.ts'
import { fingerprintFiles, readKeyPair, tlsFilesOf } from './tls.ts'

export interface MailIn {
  readonly port: number
  readonly close: () => Promise<void>
}

/** Idle time, and time of a complete connection: a client that sends a byte now and then holds none for longer. */
interface ConnectionTimeouts {
  readonly idleMs: number
  readonly connectionMs: number
}

const usual: ConnectionTimeouts = { idleMs: 60_000, connectionMs: 600_000 }
const connectionsOfNetworkMax = 10
const unknownRecipientsMax = 10
const messagesMax = 100
/** Mail servers write one `Received` each; the usual bound of them is between 25 and 100. */
const hopsMax = 50
/** Largest messages that may be in memory at a time. */
const largestAtOnce = 8
const megabyte = 1_048_576
const certificateCheckedMs = 3_600_000

/** Rejects when the port is in use, or the certificate cannot be used. Port 0: any that is free. */
export async function openMailIn(
  service: Service,
  place: { readonly host: string; readonly port: number; readonly domain: string },
  patience: ConnectionTimeouts = usual,
): Promise<MailIn> {
  const { mailIn } = service.config
  const files = tlsFilesOf(service.config)
  const pair = files === null ? null : await readKeyPair(files)
  const clients = openClients(connectionsOfNetworkMax)
  const capacity: MailCapacity = { bytesMax: largestAtOnce * mailIn.messageMb * megabyte, used: 0 }
  const relays = networkList(mailIn.relays)
  const hasRelays = mailIn.relays.length > 0
  const deadlines = new Map<string, NodeJS.Timeout>()
  const server = new SMTPServer({
    name: place.domain,
    banner: 'Landfall',
    logger: false,
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: true,
    disabledCommands: commandsToDisable(pair !== null),
    ...pair,
    size: mailIn.messageMb * megabyte,
    rejectOversized: false,
    maxClients: mailIn.connectionsMax,
    maxRecipients: mailIn.recipientsMax,
    socketTimeout: patience.idleMs,
    closeTimeout: 5_000,
    useXClient: hasRelays,
    useXForward: hasRelays,
    onConnect: (session, done) => {
      const isRelay = hasRelays && relays.has(session.remoteAddress)
      if (!isRelay) session.disabledCommands = [...commandsToDisable(pair !== null), 'XCLIENT', 'XFORWARD']
      const network = networkOf(session.remoteAddress)
      if (clients.open(session, { network, isRelay }) === null)
        return done(createRefusal(service, 'too_many_connections'))
      deadlines.set(session.id, closeConnectionAfter(server, session.id, patience.connectionMs))
      done()
    },
    onClose: (session) => {
      clients.close(session)
      clearTimeout(deadlines.get(session.id))
      deadlines.delete(session.id)
    },
    onMailFrom: (_address, session, done) => {
      const client = clients.of(session)
      client.mailboxes.clear()
      client.messages += 1
      if (client.messages > messagesMax) return done(createRefusal(service, 'too_many_messages'))
      if (!client.isRelay && !admitSender(service, client.network))
        return done(createRefusal(service, 'too_many_of_address'))
      done()
    },
    onRcptTo: ({ address }, session, done) => {
      admitRecipient(service, clients, { address, domain: place.domain, session }).then(
        (reason) => done(reason === null ? null : createRefusal(service, reason)),
        (error: unknown) => done(createRefusal(service, 'not_now', error)),
      )
    },
    onData: (stream, session, done) => {
      receiveMessage(service, clients, { stream, session, capacity }).then(
        (reason) => (reason === null ? done(null, '2.0.0 Kept.') : done(createRefusal(service, reason))),
        (error: unknown) => done(createRefusal(service, 'not_now', error)),
      )
    },
  })
  // Faults of single connections: resets, broken TLS. They end by themselves.
  server.on('error', (error: unknown) => service.log.debug('email.connection_failed', { error }))
  server.listen(place.port, place.host)
  await Promise.race([
    once(server.server, 'listening'),
    once(server.server, 'error').then(([error]) => Promise.reject(error as Error)),
  ])
  const watching = files === null ? null : watchCertificate(service, server, files)
  return {
    port: (server.server.address() as AddressInfo).port,
    close: async () => {
      clearInterval(watching ?? undefined)
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}

function commandsToDisable(hasTls: boolean): string[] {
  return hasTls ? ['AUTH'] : ['AUTH', 'STARTTLS']
}

function closeConnectionAfter(server: SMTPServer, id: string, ms: number): NodeJS.Timeout {
  const end = (): void => {
    for (const connection of server.connections) {
      if (connection.id !== id) continue
      connection.send(421, '4.4.2 This connection lasts too long. Goodbye.')
      connection.close()
    }
  }
  return setTimeout(end, ms).unref()
}

/** Null when the recipient is accepted. */
async function admitRecipient(
  service: Service,
  clients: MailClients,
  of: { readonly address: string; readonly domain: string; readonly session: SMTPServerSession },
): Promise<RefusalReason | null> {
  const { address, domain, session } = of
  const client = clients.of(session)
  const mailbox = await findMailbox(service, { address, domain })
  if (mailbox === null) {
    client.unknownRecipients += 1
    return client.unknownRecipients > unknownRecipientsMax ? 'too_many_unknown' : 'unknown_recipient'
  }
  if (await exceedsHourlyLimit(service, mailbox)) return 'too_many_for_mailbox'
  client.mailboxes.set(address.toLowerCase(), mailbox)
  return null
}

/** Null when the message is stored for every recipient. */
async function receiveMessage(
  service: Service,
  clients: MailClients,
  of: {
    readonly stream: SMTPServerDataStream
    readonly session: SMTPServerSession
    readonly capacity: MailCapacity
  },
): Promise<RefusalReason | null> {
  const { stream, session, capacity } = of
  const client = clients.of(session)
  const mailboxes = [...client.mailboxes.values()]
  const { received, release } = await receiveData(stream, capacity)
  try {
    if (received.kind !== 'received') return received.kind
    const { bytes } = received
    const raw = readRawMail(bytes)
    if (raw === null) return 'header_too_large'
    if (countHops(raw) > hopsMax) return 'loop'
    await storeMail(service, { bytes, raw, mailboxes, sending: readSendingServer(session, client.isRelay) })
    return null
  } finally {
    release()
  }
}

/** What a server in front has not stated is unknown: its own address shows nothing about the sender. */
function readSendingServer(session: SMTPServerSession, isRelay: boolean) {
  const { mailFrom } = session.envelope
  const isStated = !isRelay || session.xForward.has('ADDR') || session.xClient.has('ADDR')
  return {
    clientIp: isStated ? session.remoteAddress : null,
    helo: isStated ? session.hostNameAppearsAs.slice(0, 255) : null,
    mailFrom: (mailFrom === false ? '' : mailFrom.address).slice(0, 320),
  }
}

function watchCertificate(
  service: Service,
  server: SMTPServer,
  files: NonNullable<ReturnType<typeof tlsFilesOf>>,
): NodeJS.Timeout {
  let last: string | null = null
  const check = async (): Promise<void> => {
    try {
      const mark = await fingerprintFiles(files)
      if (last !== null && mark !== last) server.updateSecureContext(await readKeyPair(files))
      last = mark
    } catch (error) {
      // The one before stays in use.
      service.log.error('email.certificate_unusable', { error })
    }
  }
  void check()
  return setInterval(() => void check(), certificateCheckedMs).unref()
}
