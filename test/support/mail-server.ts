/** A mail server on loopback that can be away, refuse mail, or take mail and remember it. */

import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly to: string
  readonly messageId: string
  /** Headers and text, with soft line ends and escapes decoded. */
  readonly text: string
}

export interface MailServer {
  readonly url: string
  readonly mails: ReceivedMail[]
  /** The answer to `RCPT TO` from now on; null to take everything. */
  refuse: { readonly code: number; readonly words: string } | null
  /** Called when a recipient is named, before the mail itself comes. */
  heard: () => void
  readonly goAway: () => Promise<void>
  /** Listens on the same port again. */
  readonly comeBack: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function openMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  let running: SMTPServer | null = null
  let port = 0
  const listen = async (): Promise<void> => {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      onRcptTo: (_address, _session, done) => {
        const { refuse } = mailServer
        mailServer.heard()
        if (refuse === null) return done()
        done(Object.assign(new Error(refuse.words), { responseCode: refuse.code }))
      },
      onData: (stream, session, done) => {
        const parts: Buffer[] = []
        stream.on('data', (part: Buffer) => parts.push(part))
        stream.on('end', () => {
          const text = Buffer.concat(parts)
            .toString()
            .replace(/=\r?\n/g, '')
            .replaceAll('=3D', '=')
          const [to] = session.envelope.rcptTo
          mails.push({
            to: to?.address ?? '',
            messageId: /^Message-ID: (\S+)/im.exec(text)?.[1] ?? '',
            text,
          })
          done()
        })
      },
    })
    server.on('error', () => {})
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
    port = (server.server.address() as { readonly port: number }).port
    running = server
  }
  const goAway = async (): Promise<void> => {
    const server = running
    running = null
    if (server !== null) await new Promise<void>((done) => server.close(done))
  }
  await listen()
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse: null,
    heard: () => {},
    goAway,
    comeBack: listen,
    close: goAway,
  }
  return mailServer
}
