/** /v2/mailbox_senders: whose e-mail the account accepts. */

import type { FastifyInstance } from 'fastify'
import { Type } from '../../../../platform/json-schema.ts'
import {
  createMailboxSender,
  getMailboxSenders,
  removeMailboxSender,
} from '../../../../service/documents/mail-in/mailbox-senders.ts'
import { readMailboxSender, senderAttributes } from '../../../documents/resources/documents/mailbox.ts'
import { readId } from '../../../http/path-id.ts'
import { sendList, sendNothing, sendOne } from '../../answering/answer.ts'
import { defineQuery, refuseParameters } from '../../asking/query.ts'
import { readAttributes } from '../../bodies/body.ts'
import { callerOf } from '../../caller/caller.ts'
import { bodyOf, documentOf, listOf, nothingBack, operation } from '../../description/operation.ts'
import { closed, readOnlyOf } from '../../inputs/attributes.ts'

const tag = 'Documents'
const query = defineQuery({ type: 'mailbox_sender' })
const newSender = Type.Object(senderAttributes, closed)
const readOnly = readOnlyOf('mailbox_sender', newSender)

export function mailboxSenders(app: FastifyInstance): void {
  app.get(
    '/v2/mailbox_senders',
    {
      schema: operation({
        id: 'listMailboxSenders',
        tag,
        summary: 'List the senders whose e-mail is accepted',
        query: query.schema,
        answer: listOf('mailbox_sender'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const found = await getMailboxSenders(service, context)
      return sendList({ request, reply }, { data: found.map(readMailboxSender), view })
    },
  )

  app.post(
    '/v2/mailbox_senders',
    {
      schema: operation({
        id: 'createMailboxSender',
        tag,
        summary: 'Accept the e-mail of a sender',
        description:
          'E-mail is accepted only if SPF or DKIM proves the domain of the sender. As soon as the list has one sender, e-mail of all others is refused.',
        query: query.schema,
        body: bodyOf('mailbox_sender', newSender),
        status: 201,
        answer: documentOf('mailbox_sender'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const input = readAttributes(request.body, {
        type: 'mailbox_sender',
        id: null,
        attributes: newSender,
        readOnly,
      })
      const made = await createMailboxSender(service, context, input)
      return sendOne({ request, reply }, { data: readMailboxSender(made), view, status: 201 })
    },
  )

  app.delete(
    '/v2/mailbox_senders/:id',
    {
      schema: operation({
        id: 'deleteMailboxSender',
        tag,
        summary: 'Stop accepting the e-mail of a sender',
        path: { id: 'Id of the sender on the list.' },
        status: 204,
        answer: nothingBack,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      await removeMailboxSender(service, context, { id: readId(request.params, 'mailbox sender') })
      return sendNothing(reply)
    },
  )
}
