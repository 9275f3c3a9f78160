/**
 * By what a delivery is known when it is sent again: its sender's own words for it, and its bytes. Senders say other things
 * under the id and the time of before, numbers of interchanges begin anew, and some are never counted: what differs under
 * one of them must not be lost.
 */

import { createHash } from 'node:crypto'

export function keyOfDelivery(words: string, bytes: Buffer): string {
  return `${words} ${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}`
}
