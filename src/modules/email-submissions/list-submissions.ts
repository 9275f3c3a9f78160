/** The received e-mails of an account, with the result of each attachment. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import {
  listSubmissionRows,
  type SubmissionOrder,
  type SubmissionRow,
  type SubmissionStatus,
} from './list-email-submissions-sql.ts'
import { decryptMailBody } from './submission-body.ts'

export interface Submission extends Omit<SubmissionRow, 'encryptedBody'> {
  readonly body: string | null
}

/** Newest first. */
export async function listSubmissions(
  service: Service,
  context: Context,
  input: {
    readonly filter: { readonly status: SubmissionStatus | null }
    readonly order?: SubmissionOrder
    readonly page: PageRequest
  },
): Promise<Page<Submission>> {
  requireScope(context, 'read')
  const { filter, order = '-created_at', page } = input
  return list(service, context, { ids: null, status: filter.status, order, page })
}

/** Those that the account has, in no order. */
export async function getSubmissions(
  service: Service,
  context: Context,
  { ids }: { readonly ids: readonly string[] },
): Promise<readonly Submission[]> {
  requireScope(context, 'read')
  const page = { number: 1, size: Math.max(1, ids.length) }
  return (await list(service, context, { ids, status: null, order: '-created_at', page })).rows
}

export async function getSubmission(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<Submission> {
  const [found] = await getSubmissions(service, context, { ids: [id] })
  if (found === undefined) throw notFound('email submission')
  return found
}

async function list(
  service: Service,
  context: Context,
  of: Omit<Parameters<typeof listSubmissionRows>[1], 'accountId'>,
): Promise<Page<Submission>> {
  const { rows, ...rest } = await listSubmissionRows(service.pool, { accountId: context.account.id, ...of })
  const opened = rows.map(({ encryptedBody, ...row }) => ({
    ...row,
    body: decryptMailBody(service.encryption, { id: row.id, encryptedBody }),
  }))
  return { rows: opened, ...rest }
}
