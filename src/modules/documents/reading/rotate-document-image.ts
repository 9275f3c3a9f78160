/** Rotates an image. The rotated image is a new file, which is then read; the one before is deleted. */

import { inTransaction } from '../../../db/database.ts'
import { realNow, type Service } from '../../service.ts'
import { type DocumentTask, endDocumentTask } from '../document-tasks-sql.ts'
import { type DocumentRow, lockDocument, updateDocument } from '../documents-sql.ts'
import { readersOf } from '../readers.ts'
import { scheduleTask } from '../request-document-task.ts'
import { discardFile, holdFile, readFile, storeFile } from '../store-file.ts'
import { storeFailure } from './store-reading.ts'

export async function rotateDocumentImage(service: Service, task: DocumentTask, document: DocumentRow): Promise<void> {
  const { accountId, fileId } = document
  if (fileId === null || task.degrees === null) throw new Error('the task has no file or no angle')
  const file = await readFile(service, { accountId, id: fileId })
  const turned =
    file.kind === 'lost'
      ? { ok: false as const, reason: 'damaged' as const, detail: file.why }
      : await readersOf(service).rotateImageApart(file.bytes, task.degrees)
  if (!turned.ok) {
    await storeFailure(service, task, { ...turned, fileId })
    return
  }
  const turnedId = await storeFile(service, { accountId, bytes: turned.bytes })
  await inTransaction(service.pool, async (db) => {
    const now = await lockDocument(db, { accountId, id: document.id })
    if (!(await endDocumentTask(db, task))) return
    if (now === null || now.discardedAt !== null || now.fileId !== fileId) return
    await holdFile(db, { accountId, id: turnedId })
    await discardFile(db, service, { accountId, id: fileId })
    await updateDocument(db, {
      ...now,
      fileId: turnedId,
      fileContentType: turned.contentType,
      fileSizeBytes: turned.bytes.length,
      updatedAt: realNow(service),
    })
    await scheduleTask(db, service, now, { verb: 'read' })
  })
}
