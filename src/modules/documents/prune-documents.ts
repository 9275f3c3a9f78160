/** Deletes files that no row has any more, and what is stored only for a time: unused uploads, deleted documents. */

import { inTransaction } from '../../db/database.ts'
import { addDays, addMs } from '../../domain/values/time.ts'
import { fileStoreOf } from '../../pipeline/response-archive/file-store.ts'
import { realNow, type Service } from '../service.ts'
import { purgeDeletedDocuments } from './documents-sql.ts'
import { deleteOldByteQuotas, forgetLooseFile, lockLooseFiles } from './loose-files-sql.ts'
import { expireUploads } from './uploads-sql.ts'

const rowsAtOnce = 500
/** Few, because each is a request to the store, and their rows are locked meanwhile. */
const filesAtOnce = 20
const dayMs = 86_400_000

/** Handles one batch of each; returns how much was done. Any number of processes may do it at once. */
export async function pruneDocuments(service: Service): Promise<number> {
  const { uploadsKeptHours, deletedKeptDays } = service.config.documents
  const now = realNow(service)
  const limit = rowsAtOnce
  const uploads = await expireUploads(service.pool, {
    before: addMs(now, -uploadsKeptHours * 3_600_000),
    now,
    limit,
  })
  const emptied = await purgeDeletedDocuments(service.pool, {
    before: addDays(now, -deletedKeptDays),
    now,
    limit,
  })
  const days = await deleteOldByteQuotas(service.pool, addDays(now, -2).slice(0, 10))
  const files = await deleteLooseFiles(service, now)
  if (uploads + emptied + days + files === 0) await fileStoreOf(service).sweep(new Date(service.clock.now() - dayMs))
  return uploads + emptied + days + files
}

/** The note goes last: a process that ends in between deletes the file once more. */
async function deleteLooseFiles(service: Service, now: string): Promise<number> {
  const store = fileStoreOf(service)
  return inTransaction(service.pool, async (db) => {
    const files = await lockLooseFiles(db, { now, limit: filesAtOnce })
    for (const file of files) {
      await store.delete(file.id)
      await forgetLooseFile(db, file)
    }
    return files.length
  })
}
