/** /v2/mailbox_senders: whose e-mail the account accepts. */

import type { FastifyInstance } from 'fastify'
import { defineResource, makeIdReader } from '../../api/define-resource.ts'
import { closed } from '../../api/request-body/attributes.ts'
import { camelNames, defineCreateBody } from '../../api/request-body/resource-body.ts'
import { Type } from '../../platform/json-schema.ts'
import { mailboxSender, readMailboxSender, senderAttributes } from './mailbox-resource.ts'
import { createMailboxSender, getMailboxSenders, removeMailboxSender } from './mailbox-senders.ts'

export function mailboxSenders(app: FastifyInstance): void {
  const routes = defineResource(app, {
    type: 'mailbox_sender',
    tag: 'Documents',
    path: '/v2/mailbox_senders/:id',
    ids: { id: 'Id of the sender on the list.' },
    keyOf: makeIdReader('mailbox sender'),
    read: readMailboxSender,
  })
  routes.list({
    id: 'listMailboxSenders',
    summary: 'List the senders whose e-mail is accepted',
    verb: getMailboxSenders,
  })
  routes.create({
    id: 'createMailboxSender',
    summary: 'Accept the e-mail of a sender',
    description:
      'E-mail is accepted only if SPF or DKIM proves the domain of the sender. As soon as the list has one sender, e-mail of all others is refused.',
    body: defineCreateBody(mailboxSender, Type.Object(senderAttributes, closed), camelNames),
    verb: createMailboxSender,
  })
  routes.remove({
    id: 'deleteMailboxSender',
    summary: 'Stop accepting the e-mail of a sender',
    verb: removeMailboxSender,
  })
}
