/** E-mail that is sent over real SMTP on loopback, to a server and workers that receive and process it. */

import { connect } from 'node:net'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { type MailIn, openMailIn } from '../../src/mail-in/open-mail-in.ts'
import type { Context } from '../../src/modules/access/context.ts'
import { listSubmissions, type Submission } from '../../src/modules/email-submissions/list-submissions.ts'
import { createMailbox } from '../../src/modules/email-submissions/mailboxes.ts'
import { testReaders } from '../support/document-readers.ts'
import { type NameServer, openNameServer } from '../support/name-server.ts'
import { openTestService, type TestService } from '../support/service.ts'

export const domain = 'in.example.com'

export interface TestMail {
  readonly test: TestService
  readonly mailIn: MailIn
  readonly names: NameServer
  /** An account with an address of its own. */
  readonly newReader: () => Promise<{ readonly context: Context; readonly address: string }>
  /** Sends over SMTP and returns the answer of the server. Rejects with its refusal. */
  readonly send: (mail: SendMailOptions) => Promise<string>
  /** Sends these bytes with this envelope. */
  readonly sendRaw: (bytes: Buffer | string, of: { readonly from?: string; readonly to: string }) => Promise<string>
  readonly listOf: (context: Context) => Promise<readonly Submission[]>
  readonly close: () => Promise<void>
}

export async function openTestMail(
  options: {
    readonly env?: Readonly<Record<string, string>>
    readonly patience?: Parameters<typeof openMailIn>[2]
  } = {},
): Promise<TestMail> {
  const names = await openNameServer()
  const test = await openTestService({
    startAt: new Date().toISOString(),
    env: {
      LANDFALL_MAIL_IN_DNS: names.address,
      LANDFALL_MAIL_IN_DOMAIN: domain,
      ...options.env,
    },
  })
  testReaders(test.service)
  const closeRest = async (): Promise<void> => {
    await test.close()
    await names.close()
  }
  const mailIn = await openMailIn(test.service, { host: '127.0.0.1', port: 0, domain }, options.patience).catch(
    async (error: unknown) => {
      await closeRest()
      throw error
    },
  )
  const send = async (mail: SendMailOptions): Promise<string> => {
    // Makes each e-mail newer than the previous one.
    test.clock.advance(1)
    const transport = createTransport({
      host: '127.0.0.1',
      port: mailIn.port,
      ignoreTLS: true,
      name: 'mx.sender.example',
    })
    try {
      return (await transport.sendMail(mail)).response
    } finally {
      transport.close()
    }
  }
  return {
    test,
    mailIn,
    names,
    newReader: async () => {
      const context = await test.newAccount()
      return { context, address: (await createMailbox(test.service, context)).address }
    },
    send,
    sendRaw: (bytes, { from = 'ops@sender.example', to }) => send({ raw: bytes, envelope: { from, to } }),
    listOf: async (context) =>
      (
        await listSubmissions(test.service, context, {
          filter: { status: null },
          page: { number: 1, size: 100 },
        })
      ).rows,
    close: async () => {
      await mailIn.close()
      await closeRest()
    },
  }
}

/** The answers of a server to these lines, each sent after the answer to the previous one. */
export async function talk(port: number, lines: readonly string[]): Promise<readonly string[]> {
  const socket = connect(port, '127.0.0.1')
  const answers: string[] = []
  let text = ''
  let isClosed = false
  let heard = (): void => {}
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    heard()
  })
  socket.on('close', () => {
    isClosed = true
    heard()
  })
  socket.on('error', () => {})
  /** A complete answer ends with a line whose code is followed by a space. */
  const answer = async (): Promise<string> => {
    for (;;) {
      const whole = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(text)?.[0]
      if (whole !== undefined) {
        text = text.slice(whole.length)
        return whole.trim()
      }
      if (isClosed) return ''
      await new Promise<void>((resolve) => {
        heard = resolve
      })
    }
  }
  answers.push(await answer())
  for (const line of lines) {
    socket.write(`${line}\r\n`)
    answers.push(await answer())
  }
  socket.destroy()
  return answers
}

/** The smallest file that has the signature of a PDF. `words` make its bytes differ from those of other files. */
export function aPdf(words: string): Buffer {
  return Buffer.from(`%PDF-1.4\n% ${words}\n1 0 obj <</Type /Catalog>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n`)
}
