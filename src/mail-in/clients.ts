/** Who is connected: how many connections each address has, and what each connection has done so far. */

import type { SMTPServerSession } from 'smtp-server'
import type { OpenMailbox } from '../modules/email-submissions/receive-mail.ts'

export interface MailClient {
  readonly network: string
  /** A mail server in front, which states who the sender is. */
  readonly isRelay: boolean
  /** The mailboxes of the present message, by the address as it was given. */
  readonly mailboxes: Map<string, OpenMailbox>
  unknownRecipients: number
  messages: number
}

export interface MailClients {
  /** Null when the network has as many connections as it may have. */
  readonly open: (session: SMTPServerSession, client: Pick<MailClient, 'network' | 'isRelay'>) => MailClient | null
  readonly of: (session: SMTPServerSession) => MailClient
  readonly close: (session: SMTPServerSession) => void
}

export function openClients(connectionsMax: number): MailClients {
  const clients = new Map<string, MailClient>()
  const countOf = (network: string): number => [...clients.values()].filter((each) => each.network === network).length
  return {
    open: ({ id }, { network, isRelay }) => {
      if (!isRelay && countOf(network) >= connectionsMax) return null
      const client = { network, isRelay, mailboxes: new Map(), unknownRecipients: 0, messages: 0 }
      clients.set(id, client)
      return client
    },
    of: ({ id }) => {
      const client = clients.get(id)
      if (client === undefined) throw new Error('a client that is not connected sent a command')
      return client
    },
    close: ({ id }) => void clients.delete(id),
  }
}
