/** /v2/email_submissions: the received e-mails of the account, and the result of each attachment. */

import type { FastifyInstance } from 'fastify'
import { defineResource, makeIdReader } from '../../api/define-resource.ts'
import { choiceFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { readSubmission } from './email-submission-resource.ts'
import { submissionStatuses } from './list-email-submissions-sql.ts'
import { getSubmission, listSubmissions } from './list-submissions.ts'

const listQuery = defineQuery({
  type: 'email_submission',
  filters: { status: choiceFilter('filter[status]', submissionStatuses) },
  orders: ['-created_at', 'created_at'],
  isPaged: true,
  hasCursors: true,
})

export function emailSubmissions(app: FastifyInstance): void {
  const routes = defineResource(app, {
    type: 'email_submission',
    tag: 'Documents',
    path: '/v2/email_submissions/:id',
    ids: { id: 'Id of the e-mail submission.' },
    keyOf: makeIdReader('email submission'),
    read: readSubmission,
  })
  routes.page({
    id: 'listEmailSubmissions',
    summary: 'List e-mails that came to the account, newest first',
    query: listQuery,
    verb: listSubmissions,
  })
  routes.get({
    id: 'getEmailSubmission',
    summary: 'Get an e-mail, with the result of each part',
    verb: getSubmission,
  })
}
