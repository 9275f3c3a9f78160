/** Writes the acknowledgement of an interchange, if its channel wants one: 997 or 999 for X12, CONTRL for EDIFACT. */

import type { Db } from '../../db/database.ts'
import {
  type InboundChannel,
  lockControlNumber,
  noteControlNumber,
} from '../../modules/channels/inbound-channels-sql.ts'
import { storeAcknowledgement } from './inbound-messages-sql.ts'
import type { MessagePartReader } from './message-part-reader.ts'

/**
 * Runs in the transaction that stores the delivery. If that is rolled back, so are its control numbers: there are no
 * gaps. Null when there is nothing to acknowledge. An acknowledgement is never acknowledged.
 */
export async function acknowledgeDelivery(
  db: Db,
  channel: InboundChannel,
  of: { readonly messageId: string; readonly reader: MessagePartReader; readonly at: string },
): Promise<Buffer | null> {
  const { acknowledges: kind } = channel
  if (kind === 'off') return null
  const before = await lockControlNumber(db, channel.id)
  const { bytes, last } = await of.reader.acknowledge({ kind, at: of.at, last: before })
  if (last !== before) await noteControlNumber(db, { channelId: channel.id, last })
  if (bytes.length === 0) return null
  const acknowledgement = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  await storeAcknowledgement(db, { messageId: of.messageId, acknowledgement })
  return acknowledgement
}
