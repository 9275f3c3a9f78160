/** /v2/mailboxes: the addresses to which documents of the account are sent by e-mail. */

import type { FastifyInstance } from 'fastify'
import {
  createMailbox,
  deleteMailbox,
  getMailboxes,
} from '../../../../service/documents/mail-in/mailboxes.ts'
import { readMailbox } from '../../../documents/resources/documents/mailbox.ts'
import { readId } from '../../../http/path-id.ts'
import { sendList, sendNothing, sendOne } from '../../answering/answer.ts'
import { defineQuery, refuseParameters } from '../../asking/query.ts'
import { checkVerbBody } from '../../bodies/body.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, listOf, nothingBack, operation } from '../../description/operation.ts'

const tag = 'Documents'
const query = defineQuery({ type: 'mailbox' })

export function mailboxes(app: FastifyInstance): void {
  app.get(
    '/v2/mailboxes',
    {
      schema: operation({
        id: 'listMailboxes',
        tag,
        summary: 'List the addresses to which documents are sent',
        description: 'A key that may only read gets no addresses.',
        query: query.schema,
        answer: listOf('mailbox'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const found = await getMailboxes(service, context)
      return sendList({ request, reply }, { data: found.map(readMailbox), view })
    },
  )

  app.post(
    '/v2/mailboxes',
    {
      schema: operation({
        id: 'createMailbox',
        tag,
        summary: 'Create an address to which documents are sent',
        description: 'The address cannot be guessed. Earlier addresses work until they are deleted.',
        query: query.schema,
        hasOptionalBody: true,
        status: 201,
        answer: documentOf('mailbox'),
        refusals: [409, 422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      checkVerbBody(request.body, { type: 'mailbox', id: null })
      return sendOne(
        { request, reply },
        { data: readMailbox(await createMailbox(service, context)), view, status: 201 },
      )
    },
  )

  app.delete(
    '/v2/mailboxes/:id',
    {
      schema: operation({
        id: 'deleteMailbox',
        tag,
        summary: 'Delete an address',
        description: 'E-mail to this address is refused from now on. E-mails that already came are kept.',
        path: { id: 'Id of the mailbox.' },
        status: 204,
        answer: nothingBack,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      await deleteMailbox(service, context, { id: readId(request.params, 'mailbox') })
      return sendNothing(reply)
    },
  )
}
