/** What is answered to an interchange, where its channel wants that: 997 or 999 to X12, CONTRL to EDIFACT. */

import { writeAcknowledgements } from '../../../sources/edifact/acknowledgement.ts'
import { writeAcknowledgement } from '../../../sources/x12/acknowledge.ts'
import { holdControlNumber, noteControlNumber, type ToldChannel } from '../../../store/channels.ts'
import type { Db } from '../../../store/database.ts'
import { keepAcknowledgement } from '../../../store/inbound-messages.ts'

const controlNumberMax = 999_999_999

/** In the transaction that keeps the delivery, whose numbers are taken back with it: there are no gaps. Null where nothing is to be answered; never an answer to an answer. */
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
