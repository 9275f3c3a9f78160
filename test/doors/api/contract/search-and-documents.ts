/** The contract's rows about searching, and about documents, which are not enabled. */

import { of, type Row } from './row.ts'

const off = { status: 403, type: null }

export const searchAndDocumentRows: readonly Row[] = [
  {
    row: 'GET /search',
    good: { url: '/search?query=MSCU4000005', status: 200, type: 'search_result' },
    bad: { url: '/search', status: 400 },
  },
  // Documents: a client knows that the feature is not enabled by 403 and its words.
  { row: 'GET /documents', good: off, bad: off },
  { row: 'POST /documents', good: off, bad: { ...off, body: 'no JSON' } },
  { row: 'GET /documents/types', good: off, bad: off },
  { row: 'GET /documents/{shipment}', good: off, bad: { ...off, url: '/documents/1' } },
  { row: 'PATCH /documents/{shipment}', good: off, bad: { ...off, body: of('nonsense', {}) } },
  { row: 'DELETE /documents/{shipment}', good: off, bad: off },
  { row: 'GET /documents/{shipment}/download_url', good: off, bad: off },
  ...['reextract', 'reclassify', 'relink', 'rotate'].map(
    (verb): Row => ({ row: `POST /documents/{shipment}/${verb}`, good: off, bad: { ...off, body: '' } }),
  ),
  { row: 'GET /email_submissions', good: off, bad: off },
  { row: 'GET /email_submissions/{shipment}', good: off, bad: off },
  { row: 'GET /document_schemas/bill_of_lading@1', good: off, bad: off },
]
