/**
 * Deletes a document: it is no longer shown, its statements are withdrawn from the journeys, and its file is deleted
 * later. The same bytes can then be sent again.
 */

import { inTransaction } from '../../db/database.ts'
import { type Context, requireScope } from '../access/context.ts'
import { recordChange } from '../audit/record-change.ts'
import { realNow, type Service } from '../service.ts'
import { updateDocument } from './documents-sql.ts'
import { lockOwnDocument, scheduleTask } from './request-document-task.ts'

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
    await scheduleTask(db, service, document, { verb: 'say' })
    await recordChange(db, service, context, {
      action: 'document.deleted',
      target: { type: 'document', id: document.id },
      diff: null,
    })
  })
}
