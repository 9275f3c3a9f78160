/** Deletes original e-mails some time after all their attachments were passed on. */

import { inTransaction } from '../../db/database.ts'
import { addDays } from '../../domain/values/time.ts'
import { discardFile } from '../documents/store-file.ts'
import { realNow, type Service } from '../service.ts'
import { forgetMailFiles } from './email-submissions-sql.ts'

const filesAtOnce = 200

/** Handles one batch; returns how many there were. Any number of processes may do it at once. */
export async function forgetMails(service: Service): Promise<number> {
  const before = addDays(realNow(service), -service.config.mailIn.keptDays)
  return inTransaction(service.pool, async (db) => {
    const files = await forgetMailFiles(db, { before, limit: filesAtOnce })
    for (const file of files) await discardFile(db, service, file)
    return files.length
  })
}
