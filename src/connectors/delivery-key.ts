/**
 * The key that recognises a delivery which is sent again. It joins what the sender calls the delivery and a hash of the
 * bytes, because the sender's name alone is not unique: senders reuse an id or a time for new content, start
 * interchange numbers again from 1, and some never count. Different content under one name must not be lost.
 */

import { createHash } from 'node:crypto'

export function keyOfDelivery(senderReference: string, bytes: Buffer): string {
  return `${senderReference} ${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}`
}
