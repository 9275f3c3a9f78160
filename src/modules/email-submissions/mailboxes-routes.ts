/** /v2/mailboxes: the addresses to which documents of the account are sent by e-mail. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { defineResource, makeIdReader } from '../../api/define-resource.ts'
import { describeOperation, documentAnswer } from '../../api/openapi/operation.ts'
import { defineQuery } from '../../api/query/query.ts'
import { checkVerbBody } from '../../api/request-body/body.ts'
import { sendOne } from '../../api/responses/send.ts'
import { readMailbox } from './mailbox-resource.ts'
import { createMailbox, deleteMailbox, getMailboxes } from './mailboxes.ts'

const query = defineQuery({ type: 'mailbox' })

export function mailboxes(app: FastifyInstance): void {
  const routes = defineResource(app, {
    type: 'mailbox',
    tag: 'Documents',
    path: '/v2/mailboxes/:id',
    ids: { id: 'Id of the mailbox.' },
    keyOf: makeIdReader('mailbox'),
    read: readMailbox,
  })
  routes.list({
    id: 'listMailboxes',
    summary: 'List the addresses to which documents are sent',
    description: 'A key that may only read gets no addresses.',
    verb: getMailboxes,
  })
  // A new one needs no data, so the body may be left out.
  app.post(
    '/v2/mailboxes',
    {
      schema: describeOperation({
        id: 'createMailbox',
        tag: 'Documents',
        summary: 'Create an address to which documents are sent',
        description: 'The address cannot be guessed. Earlier addresses work until they are deleted.',
        query: query.schema,
        hasOptionalBody: true,
        status: 201,
        answer: documentAnswer('mailbox'),
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
  routes.remove({
    id: 'deleteMailbox',
    summary: 'Delete an address',
    description: 'E-mail to this address is refused from now on. E-mails that already came are kept.',
    verb: deleteMailbox,
  })
}
