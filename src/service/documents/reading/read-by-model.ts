/**
 * Adds what a language model reads, where the operator configured one and the account has switched it on. It is never
 * needed: when the model does not answer, what the rules read is kept.
 */

import type { DocumentReading, PageWords } from '../../../sources/documents/document.ts'
import { readUsesModel } from '../../../store/inbound/document-readings.ts'
import type { Service } from '../../service.ts'
import { readersOf } from '../ground/readers.ts'

export async function addByModel(
  service: Service,
  of: { readonly accountId: string; readonly documentId: string },
  pages: readonly PageWords[],
  reading: DocumentReading,
): Promise<DocumentReading> {
  const { readByModel } = readersOf(service)
  if (readByModel === null || !(await readUsesModel(service.pool, of.accountId))) return reading
  try {
    return await readByModel(service, pages, reading)
  } catch (error) {
    service.metrics.jobFailed({ job: 'document_model', document: of.documentId, error })
    return reading
  }
}
