/** Writes the acknowledgement of an interchange, if its channel wants one: 997 or 999 for X12, CONTRL for EDIFACT. */

import { writeAcknowledgements } from '../../../sources/edifact/acknowledgement.ts'
import { writeAcknowledgement } from '../../../sources/x12/acknowledge.ts'
import { holdControlNumber, noteControlNumber, type ToldChannel } from '../../../store/channels/channels.ts'
import type { Db } from '../../../store/database.ts'
import { keepAcknowledgement } from '../../../store/inbound/inbound-messages.ts'

const controlNumberMax = 999_999_999

/**
 * Runs in the transaction that keeps the delivery. If that is rolled back, so are its control numbers: there are no
 * gaps. Null when there is nothing to acknowledge. An acknowledgement is never acknowledged.
 */
export async function acknowledge(
  db: Db,
  channel: ToldChannel,
  of: { readonly messageId: string; readonly body: Buffer; readonly at: string },
): Promise<Buffer | null> {
  const { acknowledges } = channel
  if (acknowledges === 'off') return null
  const before = await holdControlNumber(db, channel.id)
  let last = before
  const next = (): number => {
    last = (last % controlNumberMax) + 1
    return last
  }
  const { body, at } = of
  const acknowledgement =
    acknowledges === 'contrl'
      ? Buffer.concat(writeAcknowledgements(body, { at, nextReference: () => String(next()) }))
      : writeAcknowledgement(body, { kind: acknowledges, now: at, nextControlNumber: next })
  if (last !== before) await noteControlNumber(db, { channelId: channel.id, last })
  if (acknowledgement === null || acknowledgement.length === 0) return null
  await keepAcknowledgement(db, { messageId: of.messageId, acknowledgement })
  return acknowledgement
}
