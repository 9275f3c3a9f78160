/**
 * Seals what came unasked before such things were sealed, or through a program of then: a few parts at a time, then the
 * message that brought them. What is left to do is seen by the rows alone, so it goes on where it stood, in any process.
 */

import { inTransaction } from '../../../store/database.ts'
import {
  countInClear,
  lockMessageInClear,
  lockPartsInClear,
  readMessageInClear,
  sealMessage,
  sealParts,
} from '../../../store/unsealed.ts'
import { sealedMessage, sealedSnapshot } from '../../ground/sealed-bodies.ts'
import type { Service } from '../../service.ts'

const partsAtOnce = 200
const bytesAtOnce = 8 * 1_048_576

/** A piece; returns how many bodies were sealed. */
export async function sealOld({ pool, vault }: Service): Promise<number> {
  return inTransaction(pool, async (db) => {
    const messageId = await lockMessageInClear(db)
    if (messageId === null) return 0
    const parts = await lockPartsInClear(db, { messageId, limit: partsAtOnce, bytes: bytesAtOnce })
    if (parts.length > 0) {
      await sealParts(
        db,
        parts.map(({ id, status, body }) => ({
          id,
          ...sealedSnapshot(vault, { id, status, body }),
          ownHash: vault.digest(Buffer.from(`the same as another, ${id}`)),
        })),
      )
      return parts.length
    }
    const body = await readMessageInClear(db, messageId)
    if (body === null) return 0
    await sealMessage(db, { id: messageId, ...sealedMessage(vault, { id: messageId, body }) })
    return 1
  })
}

/** For Prometheus. */
export function watchUnsealed({ metrics, pool }: Service): void {
  metrics.watch({
    name: 'inbound_messages_in_clear',
    help: 'Messages from before they were sealed, which are sealed in the background.',
    read: () => countInClear(pool),
  })
}
