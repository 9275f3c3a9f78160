/** Lets the journeys hear what a document says now: what was read, what a person wrote instead, or nothing when it is deleted. */

import { type DocumentTask, endDocumentTask } from '../../../store/inbound/document-tasks.ts'
import type { DocumentRow } from '../../../store/inbound/documents.ts'
import { listRepresentations, type WholeRepresentation } from '../../../store/read/documents.ts'
import type { Service } from '../../service.ts'
import { readersOf } from '../ground/readers.ts'
import { openFields } from '../ground/sealed-fields.ts'

export async function sayWhatItSays(
  service: Service,
  task: DocumentTask,
  document: DocumentRow,
): Promise<void> {
  const { accountId, id: documentId, representationId, discardedAt } = document
  const all = await listRepresentations(service.pool, { accountId, documentId })
  const shown = discardedAt === null ? all.find(({ id }) => id === representationId) : undefined
  const readingOf = (kept: WholeRepresentation) => {
    const { documentType: type, payload, fields, isManual } = kept
    // A person cannot write what is secret, and so does not take it back either.
    const secret = isManual
      ? all.findLast((each) => !each.isManual && each.createdAt <= kept.createdAt)
      : kept
    return { type, payload, fields, isManual, secrets: secretsOf(service, { accountId, secret }) }
  }
  await readersOf(service).sayDocument(service, {
    account: { id: accountId, companyName: task.companyName, isFiction: task.isFiction },
    documentId,
    by: shown?.id ?? 'deleted',
    at: shown?.createdAt ?? discardedAt ?? document.updatedAt,
    now: shown === undefined ? null : readingOf(shown),
    before: all.filter((each) => each !== shown).map(readingOf),
  })
  await endDocumentTask(service.pool, task)
}

function secretsOf(
  { vault }: Pick<Service, 'vault'>,
  of: { readonly accountId: string; readonly secret: WholeRepresentation | undefined },
) {
  const { accountId, secret } = of
  if (secret === undefined) return []
  return openFields(vault, { accountId, representationId: secret.id, sealed: secret.sealedFields })
}
