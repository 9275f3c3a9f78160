/** What is answered to an interchange, where its channel wants that: 997 or 999 to X12, CONTRL to EDIFACT. */

import { writeAcknowledgements } from '../../sources/edifact/acknowledgement.ts'
import { writeAcknowledgement } from '../../sources/x12/acknowledge.ts'
import { type ToldChannel, takeControlNumbers } from '../../store/channels.ts'
import type { Db } from '../../store/database.ts'
import { keepAcknowledgement } from '../../store/inbound-messages.ts'

/** More interchanges than anybody puts into one delivery. */
const interchangesMax = 1_000

/** In the transaction that keeps the delivery. Null where nothing is to be answered; never an answer to an answer. */
export async function acknowledge(
  db: Db,
  channel: ToldChannel,
  of: { readonly messageId: string; readonly body: Buffer; readonly at: string },
): Promise<Buffer | null> {
  const { acknowledges } = channel
  if (acknowledges === 'off') return null
  const before = await takeControlNumbers(db, { channelId: channel.id, count: interchangesMax })
  const acknowledgement =
    acknowledges === 'contrl'
      ? Buffer.concat(
          writeAcknowledgements(of.body, {
            at: of.at,
            reference: (ordinal) => String(before + 1 + (ordinal % interchangesMax)),
          }),
        )
      : writeAcknowledgement(of.body, { kind: acknowledges, now: of.at, controlNumber: before + 1 })
  if (acknowledgement === null || acknowledgement.length === 0) return null
  await keepAcknowledgement(db, { messageId: of.messageId, acknowledgement })
  return acknowledgement
}
