/**
 * Deletes a document: it is no longer shown, its statements are withdrawn from the journeys, and its file is deleted
 * later. The same bytes can then be sent again.
 */

import { inTransaction } from '../../../store/database.ts'
import { updateDocument } from '../../../store/inbound/documents.ts'
import { type Context, requireScope } from '../../context.ts'
import { recordChange } from '../../people/audit/record-change.ts'
import { realNow, type Service } from '../../service.ts'
import { ask, lockOwnDocument } from './ask-task.ts'

export async function deleteDocument(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<void> {
  requireScope(context, 'write')
  await inTransaction(service.pool, async (db) => {
    const document = await lockOwnDocument(db, context, input.id)
    const now = realNow(service)
    await updateDocument(db, { ...document, discardedAt: now, updatedAt: now })
    await ask(db, service, document, { verb: 'say' })
    await recordChange(db, service, context, {
      action: 'document.deleted',
      target: { type: 'document', id: document.id },
      diff: null,
    })
  })
}
