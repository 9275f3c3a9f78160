/** The contract's rows about search, documents, and the e-mails by which documents arrived. */

import { noPage, notThere, of, type Row } from './row.ts'

const document = '/documents/{document}'
const gone = notThere('/documents/1')
const links = { shipments: { data: [{ type: 'shipment', id: '{shipment}' }] } }

export const searchAndDocumentRows: readonly Row[] = [
  {
    row: 'GET /search',
    good: { url: '/search?query=MSCU4000005', status: 200, type: 'search_result' },
    bad: { url: '/search', status: 400 },
  },
  {
    row: 'POST /documents',
    good: {
      body: of('document', { name: 'Notice', attached_document: '{signedId}' }, { relationships: links }),
      status: 201,
      type: 'document',
    },
    bad: { body: of('document', { name: 'Notice', attached_document: 'nothing' }), status: 422 },
  },
  {
    row: 'GET /documents',
    good: {
      url: '/documents?filter[filename]=Kestrel&sort=-added_by&include=account,user,email_submission,last_document_representation,shipments,cargos',
      status: 200,
      type: 'document',
    },
    bad: noPage('/documents'),
  },
  { row: 'GET /documents/types', good: { status: 200 }, bad: { url: '/documents/types?a=1', status: 400 } },
  { row: `GET ${document}`, good: { status: 200, type: 'document' }, bad: gone },
  {
    row: `PATCH ${document}`,
    good: { body: of('document', { document_type_manual: 'other' }), status: 200, type: 'document' },
    bad: { body: of('document', { document_type_manual: 'novel' }), status: 422 },
  },
  { row: `GET ${document}/download_url`, good: { status: 200 }, bad: notThere('/documents/1/download_url') },
  ...['reextract', 'reclassify', 'relink'].map(
    (verb): Row => ({
      row: `POST ${document}/${verb}`,
      good: { status: 202 },
      bad: notThere(`/documents/1/${verb}`),
    }),
  ),
  {
    row: `POST ${document}/rotate`,
    good: { body: { degrees: 90 }, status: 202 },
    bad: { body: { degrees: 45 }, status: 422 },
  },
  { row: `DELETE ${document}`, good: { status: 204 }, bad: gone },
  {
    row: 'GET /email_submissions',
    good: { status: 200, type: 'email_submission' },
    bad: noPage('/email_submissions'),
  },
  {
    row: 'GET /email_submissions/{submission}',
    good: { status: 200, type: 'email_submission' },
    bad: notThere('/email_submissions/1'),
  },
  {
    row: 'GET /document_schemas/arrival_notice@current',
    good: { status: 200, type: 'document_schema' },
    bad: notThere('/document_schemas/arrival_notice@1'),
  },
]
