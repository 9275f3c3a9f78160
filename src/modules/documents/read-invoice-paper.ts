/** What was read of a document that is an invoice, as rows. */

import { type PaperRows, rowsOfPaper } from '../../domain/charges/paper-invoice.ts'
import type { Context } from '../access/context.ts'
import { refusedAt } from '../errors.ts'
import type { Service } from '../service.ts'
import { getDocuments, getRepresentations } from './get-documents.ts'

export async function readInvoicePaper(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<PaperRows> {
  const [document] = await getDocuments(service, context, { ids: [input.id] })
  const representationId = document?.documentType === 'demurrage_invoice' ? document.representationId : null
  if (representationId === null)
    throw refusedAt('/data/attributes/document_id', 'It must be a document that was read as a demurrage invoice.')
  const [reading] = await getRepresentations(service, context, { ids: [representationId] })
  const title = /the title "([^"]+)"/.exec(document?.classificationNotes ?? '')?.[1]
  return rowsOfPaper(reading?.payload ?? {}, [title ?? '', document?.name ?? ''])
}
