/** `mailbox`: an address to which documents of the account are sent; `mailbox_sender`: a sender that it trusts. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import type { Mailbox } from './mailboxes.ts'
import type { MailboxSender } from './mailboxes-sql.ts'

export interface MailboxReading extends IdentifiedReading {
  readonly type: 'mailbox'
  readonly mailbox: Mailbox
}

export interface MailboxSenderReading extends IdentifiedReading {
  readonly type: 'mailbox_sender'
  readonly sender: MailboxSender
}

export function readMailbox(mailbox: Mailbox): MailboxReading {
  return { type: 'mailbox', id: mailbox.id, mailbox }
}

export function readMailboxSender(sender: MailboxSender): MailboxSenderReading {
  return { type: 'mailbox_sender', id: sender.id, sender }
}

export const mailbox: ResourceKind<MailboxReading> = {
  type: 'mailbox',
  attributes: {
    address: schema.text({
      description: 'Everybody who knows this address can send documents to the account.',
    }),
    created_at: schema.instant(),
  },
  relations: {},
  write: (reading) => ({ address: reading.mailbox.address, created_at: reading.mailbox.createdAt }),
  link: () => ({}),
}

/** What is sent to make one. */
export const senderAttributes = {
  sender: schema.text({
    minLength: 3,
    maxLength: 320,
    description: 'An address such as `ops@example.com`, or `@` and a domain such as `@example.com`.',
  }),
}

export const mailboxSender: ResourceKind<MailboxSenderReading> = {
  type: 'mailbox_sender',
  attributes: { ...senderAttributes, created_at: schema.instant() },
  relations: {},
  write: ({ sender }) => ({ sender: sender.sender, created_at: sender.createdAt }),
  link: () => ({}),
}
