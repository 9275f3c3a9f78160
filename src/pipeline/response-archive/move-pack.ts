/**
 * Moves packs that are old enough from the database to the file store. The pack is read back from there and compared
 * before its row loses the bytes. A pack that is written twice has the same bytes both times.
 */

import { hash } from 'node:crypto'
import { inTransaction } from '../../db/database.ts'
import { addDays } from '../../domain/values/time.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { FileStoreError } from '../../platform/files/file-store.ts'
import { fileStoreOf, reportFileFault } from './file-store.ts'
import { lockPackToMove, notePackMoved } from './snapshot-packs-sql.ts'

/** Moves one pack. Returns 0 when none is old enough, or when the file store cannot accept it now: then it stays. */
export async function movePack(service: Service): Promise<number> {
  const { snapshotsMovedAfterDays: days } = service.config.tracking
  if (days === 0) return 0
  const before = addDays(realNow(service), -days)
  try {
    return await inTransaction(service.pool, async (db) => {
      const pack = await lockPackToMove(db, before)
      if (pack === null) return 0
      const { id, sha256, body } = pack
      if (!hash('sha256', body, 'buffer').equals(sha256))
        throw new Error(`The pack ${id} of snapshots is damaged in the database. It is not moved.`)
      const files = fileStoreOf(service)
      await files.put(id, body)
      const stored = await files.get(id)
      if (stored === null || !stored.equals(body))
        throw new FileStoreError('away', `The file store gives back other bytes for the pack ${id}.`)
      await notePackMoved(db, { id, at: realNow(service) })
      service.log.info('snapshots.moved', { packId: id, bytes: body.length })
      return 1
    })
  } catch (error) {
    if (!(error instanceof FileStoreError)) throw error
    reportFileFault(service, error)
    return 0
  }
}
