/** Deletes original e-mails some time after all their parts were passed on. */

import { addDays } from '../../../core/values/time.ts'
import { inTransaction } from '../../../store/database.ts'
import { forgetMailFiles } from '../../../store/inbound/email-submissions.ts'
import { realNow, type Service } from '../../service.ts'
import { discardFile } from '../files/keep-file.ts'

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
