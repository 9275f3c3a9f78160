/**
 * Seals messages that older versions of this program have stored in clear: a few parts at a time, then the message
 * itself. The rows alone show what is left to do, so that any process can go on from there.
 */

import { inTransaction } from '../../../store/database.ts'
import {
  countInClear,
  lockMessageInClear,
  lockPartsInClear,
  readMessageInClear,
  sealMessage,
  sealParts,
} from '../../../store/inbound/unsealed.ts'
import { ownHash, sealedMessage, sealedSnapshot } from '../../ground/sealed-bodies.ts'
import type { Service } from '../../service.ts'

const partsAtOnce = 200
const bytesAtOnce = 8 * 1_048_576

/** Does a piece of the work. Returns how many bodies were sealed. */
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
          ownHash: ownHash(vault, id),
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
