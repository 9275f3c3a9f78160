/**
 * /v2/documents, /v2/email_submissions and /v2/document_schemas, and the upload of documents. They are in the contract,
 * but not in this product. A client that calls them gets the 403 that it knows, and not a 404 that looks like a wrong
 * id.
 */

import type { FastifyInstance } from 'fastify'
import { Problem } from '../../../http/problem.ts'
import { operation } from '../../description/operation.ts'

interface Row {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly id: string
  readonly summary: string
}

const rows: readonly Row[] = [
  {
    method: 'GET',
    url: '/v2/email_submissions',
    id: 'listEmailSubmissions',
    summary: 'List emails that brought documents',
  },
  {
    method: 'GET',
    url: '/v2/email_submissions/:id',
    id: 'getEmailSubmission',
    summary: 'Get an email that brought documents',
  },
]

export function documents(app: FastifyInstance): void {
  for (const { method, url, id, summary } of rows) {
    const refuse = async (): Promise<never> => {
      throw new Problem('forbidden', {
        detail:
          'Documents are not enabled: this feature is not enabled for your account, nor for any other here.',
      })
    }
    app.route({
      method,
      url,
      config: { isOff: true },
      schema: operation({
        id,
        tag: 'Documents',
        summary,
        description: 'Not enabled in this version: always 403.',
        ...(url.includes(':id') ? { path: { id: 'Any.' } } : {}),
        // A GET is answered without a look at its parameters, so it never gives 400. A change with `If-Match` is
        // refused earlier.
        never: method === 'GET' ? [400, 404] : [404],
      }),
      // Refuses before the body is read: nothing in the body would change the answer.
      onRequest: refuse,
      handler: refuse,
    })
  }
}
