/** Parts that were not understood are read by the reader and mapping of today, and heard again. */

import { inTransaction } from '../../../store/database.ts'
import { wake } from '../../../store/ground/wake.ts'
import { hearAgain, unmappedParts } from '../../../store/inbound/inbound-messages.ts'
import { foldBy } from '../../ledger/fold.ts'
import { readRules } from '../../ledger/rules.ts'
import type { Service } from '../../service.ts'
import { readCodes } from './read-codes.ts'

export interface Replayed {
  /** Parts that were read again. */
  readonly parts: number
  readonly understood: number
}

/** `accountId`: of the message, null if its channel is for the whole installation. */
export function replayParts(
  service: Service,
  of: { readonly accountId: string | null; readonly messageId: string },
): Promise<Replayed> {
  const fold = foldBy(readRules(service.config))
  return inTransaction(service.pool, async (db) => {
    const parts = await unmappedParts(db, of)
    const ids = parts.map((part) => part.id)
    const read = parts.map(({ id: mentionId, ...part }) => ({ mentionId, ...part }))
    const unmapped = await readCodes(db, service, fold, read)
    if (ids.length > 0) await hearAgain(db, { ids, unmapped })
    await wake(db, 'mentions')
    return { parts: parts.length, understood: parts.length - unmapped.length }
  })
}
