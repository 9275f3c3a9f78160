/**
 * Lets the shipments ingest the present statements of a document: the reading, the values that a person wrote instead,
 * or nothing when it is deleted.
 */

import type { Service } from '../../service.ts'
import { type DocumentTask, endDocumentTask } from '../document-tasks-sql.ts'
import type { DocumentRow } from '../documents-sql.ts'
import { decryptFields } from '../encrypted-fields.ts'
import { listRepresentations, type WholeRepresentation } from '../list-documents-sql.ts'
import { readersOf } from '../readers.ts'

export async function runStatementTask(service: Service, task: DocumentTask, document: DocumentRow): Promise<void> {
  const { accountId, id: documentId, representationId, discardedAt } = document
  const all = await listRepresentations(service.pool, { accountId, documentId })
  const current = discardedAt === null ? all.find(({ id }) => id === representationId) : undefined
  const readingOf = (stored: WholeRepresentation) => {
    const { documentType: type, payload, fields, isManual } = stored
    // A person cannot write a secret value, and so does not withdraw it either.
    const secret = isManual ? all.findLast((each) => !each.isManual && each.createdAt <= stored.createdAt) : stored
    return { type, payload, fields, isManual, secrets: decryptSecretFields(service, { accountId, secret }) }
  }
  await readersOf(service).applyDocumentStatements(service, {
    account: { id: accountId, companyName: task.companyName, isSandbox: task.isSandbox },
    documentId,
    by: current?.id ?? 'deleted',
    at: current?.createdAt ?? discardedAt ?? document.updatedAt,
    now: current === undefined ? null : readingOf(current),
    before: all.filter((each) => each !== current).map(readingOf),
  })
  await endDocumentTask(service.pool, task)
}

function decryptSecretFields(
  { encryption }: Pick<Service, 'encryption'>,
  of: { readonly accountId: string; readonly secret: WholeRepresentation | undefined },
) {
  const { accountId, secret } = of
  if (secret === undefined) return []
  return decryptFields(encryption, {
    accountId,
    representationId: secret.id,
    encrypted: secret.encryptedFields,
  })
}
