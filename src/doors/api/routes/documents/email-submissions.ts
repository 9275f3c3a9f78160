/** /v2/email_submissions: the received e-mails of the account, and the result of each part. */

import type { FastifyInstance } from 'fastify'
import { getSubmission, listSubmissions } from '../../../../service/documents/mail-in/list-submissions.ts'
import { submissionStatuses } from '../../../../store/read/email-submissions.ts'
import { readSubmission } from '../../../documents/resources/documents/email-submission.ts'
import { readId } from '../../../http/path-id.ts'
import { sendOne, sendPage } from '../../answering/answer.ts'
import { choiceFilter } from '../../asking/filters.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, operation, pageOf } from '../../description/operation.ts'

const tag = 'Documents'
const listQuery = defineQuery({
  type: 'email_submission',
  filters: { status: choiceFilter('filter[status]', submissionStatuses) },
  orders: ['-created_at', 'created_at'],
  isPaged: true,
  hasCursors: true,
})
const query = defineQuery({ type: 'email_submission' })

export function emailSubmissions(app: FastifyInstance): void {
  app.get(
    '/v2/email_submissions',
    {
      schema: operation({
        id: 'listEmailSubmissions',
        tag,
        summary: 'List e-mails that came to the account, newest first',
        query: listQuery.schema,
        answer: pageOf('email_submission'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = listQuery.read(request)
      const page = await listSubmissions(service, context, asked)
      return sendPage(
        { request, reply },
        { page: { ...page, rows: page.rows.map(readSubmission) }, asked: asked.page, view: asked },
      )
    },
  )

  app.get(
    '/v2/email_submissions/:id',
    {
      schema: operation({
        id: 'getEmailSubmission',
        tag,
        summary: 'Get an e-mail, with the result of each part',
        path: { id: 'Id of the e-mail submission.' },
        query: query.schema,
        answer: documentOf('email_submission'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const found = await getSubmission(service, context, {
        id: readId(request.params, 'email submission'),
      })
      return sendOne({ request, reply }, { data: readSubmission(found), view })
    },
  )
}
