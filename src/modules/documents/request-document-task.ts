/** Schedules a task of a document again. It is done soon; an event is sent when it is done. */

import { type Db, inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { recordChange } from '../audit/record-change.ts'
import { notFound, ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { type Degrees, enqueueDocumentTask, type TaskVerb } from './document-tasks-sql.ts'
import { type DocumentRow, lockDocument } from './documents-sql.ts'

export type DocumentTaskInput =
  | { readonly verb: 'classify' | 'extract' | 'link' }
  | { readonly verb: 'rotate'; readonly degrees: Degrees }

const actions = {
  classify: 'document.reclassify_asked',
  extract: 'document.reextract_asked',
  link: 'document.relink_asked',
  rotate: 'document.rotate_asked',
} as const

export async function requestDocumentTask(
  service: Service,
  context: Context,
  input: DocumentTaskInput & { readonly id: string },
): Promise<void> {
  requireScope(context, 'write')
  await inTransaction(service.pool, async (db) => {
    const document = await lockOwnDocument(db, context, input.id)
    if (input.verb === 'rotate' && !isImage(document))
      throw new ServiceError('invalid', 'Only images can be rotated, and this document is not an image.')
    const degrees = input.verb === 'rotate' ? { degrees: input.degrees } : {}
    await scheduleTask(db, service, document, { verb: input.verb, ...degrees })
    await recordChange(db, service, context, {
      action: actions[input.verb],
      target: { type: 'document', id: document.id },
      diff: input.verb === 'rotate' ? { degrees: [null, input.degrees] } : null,
    })
  })
}

/** Locked until the transaction ends. A deleted one answers like none. */
export async function lockOwnDocument(db: Db, { account }: Context, id: string): Promise<DocumentRow> {
  const document = await lockDocument(db, { accountId: account.id, id })
  if (document === null || document.discardedAt !== null) throw notFound('document')
  return document
}

export async function scheduleTask(
  db: Db,
  service: Service,
  { accountId, id: documentId }: Pick<DocumentRow, 'accountId' | 'id'>,
  task: { readonly verb: TaskVerb; readonly degrees?: Degrees; readonly at?: string },
): Promise<void> {
  const id = uuidV7(service.clock.now())
  await enqueueDocumentTask(db, { accountId, id, documentId, at: realNow(service), ...task })
  wakeWorkers(db, 'documents')
}

function isImage({ fileContentType }: DocumentRow): boolean {
  return fileContentType?.startsWith('image/') === true
}
