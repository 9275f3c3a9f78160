/**
 * /v2/documents and /v2/document_schemas, and the upload of documents. They are in the contract,
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

const document = '/v2/documents/:id'
const rows: readonly Row[] = [
  { method: 'GET', url: '/v2/documents', id: 'listDocuments', summary: 'List documents' },
  { method: 'POST', url: '/v2/documents', id: 'createDocument', summary: 'Hand in a document' },
  { method: 'GET', url: '/v2/documents/types', id: 'listDocumentTypes', summary: 'List kinds of documents' },
  { method: 'GET', url: document, id: 'getDocument', summary: 'Get a document' },
  { method: 'PATCH', url: document, id: 'updateDocument', summary: 'Change a document' },
  { method: 'DELETE', url: document, id: 'deleteDocument', summary: 'Delete a document' },
  {
    method: 'GET',
    url: `${document}/download_url`,
    id: 'getDocumentDownloadUrl',
    summary: 'Get where a document can be fetched',
  },
  {
    method: 'POST',
    url: `${document}/reextract`,
    id: 'reextractDocument',
    summary: 'Read a document again',
  },
  {
    method: 'POST',
    url: `${document}/reclassify`,
    id: 'reclassifyDocument',
    summary: 'Find the kind of a document again',
  },
  {
    method: 'POST',
    url: `${document}/relink`,
    id: 'relinkDocument',
    summary: 'Find the shipments of a document again',
  },
  { method: 'POST', url: `${document}/rotate`, id: 'rotateDocument', summary: 'Turn a document' },
  {
    method: 'GET',
    url: '/v2/document_schemas/:id',
    id: 'getDocumentSchema',
    summary: 'Get the schema of a kind of document',
  },
  {
    method: 'POST',
    url: '/rails/active_storage/direct_uploads',
    id: 'createDirectUpload',
    summary: 'Prepare the upload of a file',
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
