/**
 * Lets the journeys hear what a document says now: what was read, what a person wrote instead, or nothing when it is
 * deleted. What a language model read is left out: it waits for a person.
 */

import { type DocumentTask, endDocumentTask } from '../../../store/inbound/document-tasks.ts'
import type { DocumentRow } from '../../../store/inbound/documents.ts'
import { findRepresentations } from '../../../store/read/documents.ts'
import type { Service } from '../../service.ts'
import { readersOf } from '../ground/readers.ts'
import { withoutModel } from './without-model.ts'

/** Saying the same again changes nothing, so it may be cut off at any point and done once more. */
export async function sayWhatItSays(
  service: Service,
  task: DocumentTask,
  document: DocumentRow,
): Promise<void> {
  const { accountId, id: documentId, representationId, discardedAt } = document
  const [shown] =
    discardedAt !== null || representationId === null
      ? []
      : await findRepresentations(service.pool, { accountId, ids: [representationId] })
  const account = { id: accountId, companyName: task.companyName, isFiction: task.isFiction }
  await readersOf(service).sayDocument(service, {
    account,
    documentId,
    said:
      shown === undefined
        ? null
        : {
            type: shown.documentType,
            payload: withoutModel(shown.payload, shown.fields),
            fields: shown.fields.filter(({ by }) => by === 'rules'),
            isManual: shown.isManual,
            at: shown.createdAt,
          },
  })
  await endDocumentTask(service.pool, task)
}
