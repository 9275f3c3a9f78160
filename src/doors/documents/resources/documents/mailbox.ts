/** `mailbox`: an address to which documents of the account are sent; `mailbox_sender`: a sender that it trusts. */

import type { Mailbox } from '../../../../service/documents/mail-in/mailboxes.ts'
import type { MailboxSender } from '../../../../store/inbound/mailboxes.ts'
import type { Identified, ResourceKind } from '../../shape/resource.ts'
import * as schema from '../../shape/schema.ts'

export interface MailboxReading extends Identified {
  readonly type: 'mailbox'
  readonly mailbox: Mailbox
}

export interface MailboxSenderReading extends Identified {
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
