/**
 * Encrypts messages that older versions of this program have stored unencrypted: a few message parts at a time, then
 * the message itself. The rows alone show what is left to do, so that any process can continue from there.
 */

import { inTransaction } from '../../db/database.ts'
import type { Service } from '../../modules/service.ts'
import { deriveUniqueHash, encryptMessage, encryptSnapshot } from '../response-archive/encrypted-bodies.ts'
import {
  countUnencryptedMessages,
  lockMessageInClear,
  lockPlaintextParts,
  readMessageInClear,
  saveEncryptedMessage,
  saveEncryptedParts,
} from './plaintext-messages-sql.ts'

const partsPerBatch = 200
const bytesAtOnce = 8 * 1_048_576

/** Does a piece of the work. Returns how many bodies were encrypted. */
export async function encryptOldMessages({ pool, encryption }: Service): Promise<number> {
  return inTransaction(pool, async (db) => {
    const messageId = await lockMessageInClear(db)
    if (messageId === null) return 0
    const messageParts = await lockPlaintextParts(db, { messageId, limit: partsPerBatch, bytes: bytesAtOnce })
    if (messageParts.length > 0) {
      await saveEncryptedParts(
        db,
        messageParts.map(({ id, status, body }) => ({
          id,
          ...encryptSnapshot(encryption, { id, status, body }),
          rowHash: deriveUniqueHash(encryption, id),
        })),
      )
      return messageParts.length
    }
    const body = await readMessageInClear(db, messageId)
    if (body === null) return 0
    await saveEncryptedMessage(db, { id: messageId, ...encryptMessage(encryption, { id: messageId, body }) })
    return 1
  })
}

/** For Prometheus. */
export function addUnencryptedGauge({ metrics, pool }: Service): void {
  metrics.watch({
    name: 'inbound_messages_in_clear',
    help: 'Older messages that are not encrypted yet. They are encrypted in the background.',
    read: () => countUnencryptedMessages(pool),
  })
}
