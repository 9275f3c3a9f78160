/** Turns an image. The turned image is a new file, which is then read; the one before is deleted. */

import { inTransaction } from '../../../store/database.ts'
import { type DocumentTask, endDocumentTask } from '../../../store/inbound/document-tasks.ts'
import { type DocumentRow, lockDocument, updateDocument } from '../../../store/inbound/documents.ts'
import { realNow, type Service } from '../../service.ts'
import { ask } from '../changing/ask-task.ts'
import { discardFile, holdFile, keepFile, readFile } from '../files/keep-file.ts'
import { readersOf } from '../ground/readers.ts'
import { keepFailure } from './keep-reading.ts'

export async function turnImage(service: Service, task: DocumentTask, document: DocumentRow): Promise<void> {
  const { accountId, fileId } = document
  if (fileId === null || task.degrees === null) throw new Error('nothing to turn, or not told how far')
  const file = await readFile(service, { accountId, id: fileId })
  const turned =
    file.kind === 'lost'
      ? { ok: false as const, reason: 'damaged' as const, detail: file.why }
      : await readersOf(service).rotateImageApart(file.bytes, task.degrees)
  if (!turned.ok) {
    await keepFailure(service, task, { ...turned, fileId })
    return
  }
  const turnedId = await keepFile(service, { accountId, bytes: turned.bytes })
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
    await ask(db, service, now, { verb: 'read' })
  })
}
