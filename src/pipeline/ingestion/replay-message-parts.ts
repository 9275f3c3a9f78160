/** Message parts that were not understood are read with the present reader and mapping, and ingested again. */

import { inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import type { Service } from '../../modules/service.ts'
import { foldBy } from '../ledger/fold.ts'
import { readRules } from '../ledger/rules.ts'
import { findUnmappedParts, reingestMentions } from './inbound-messages-sql.ts'
import { readCodes } from './read-codes.ts'

export interface ReplayResult {
  /** Message parts that were read again. */
  readonly parts: number
  readonly understood: number
}

/** `accountId`: of the message, null if its channel is for the whole installation. */
export function replayMessageParts(
  service: Service,
  of: { readonly accountId: string | null; readonly messageId: string },
): Promise<ReplayResult> {
  const fold = foldBy(readRules(service.config))
  return inTransaction(service.pool, async (db) => {
    const messageParts = await findUnmappedParts(db, of)
    const ids = messageParts.map((messagePart) => messagePart.id)
    const read = messageParts.map(({ id: mentionId, ...messagePart }) => ({ mentionId, ...messagePart }))
    const unmapped = await readCodes(db, service, fold, read)
    if (ids.length > 0) await reingestMentions(db, { ids, unmapped })
    wakeWorkers(db, 'mentions')
    return { parts: messageParts.length, understood: messageParts.length - unmapped.length }
  })
}
