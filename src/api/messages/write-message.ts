/** A delivery in the form of a standard: the one move that the notification is about. */

import { notFound } from '../../modules/errors.ts'
import type { Move } from '../../modules/transport-events/moves-sql.ts'
import { retracted } from '../../modules/webhooks/events-of-format.ts'
import type { WebhookFormat } from '../../modules/webhooks/webhooks-sql.ts'
import type { NotificationToRender } from '../../pipeline/delivery/payloads.ts'
import { writeEvent2 } from './event-2.ts'
import { writeEvent3 } from './event-3.ts'
import { writeIftsta } from './iftsta.ts'
import { write315 } from './x12-315.ts'

/** A repeated attempt sends the same bytes, because they are stored. */
export function writeMessage(
  notification: NotificationToRender,
  { format, move }: { readonly format: WebhookFormat; readonly move: Move | null },
): Buffer {
  const bytes = move === null ? null : writeInFormat(notification, format, move)
  if (bytes === null) throw notFound('event')
  return bytes
}

/** The number of the event is that of the interchange. */
function writeInFormat(
  { event, ediIds: ids, sequence: control, createdAt: writtenAt }: NotificationToRender,
  format: WebhookFormat,
  move: Move,
): Buffer | null {
  switch (format) {
    case 'dcsa_2':
      return Buffer.from(JSON.stringify([writeEvent2(move)]))
    case 'dcsa_3':
      return Buffer.from(JSON.stringify({ events: [writeEvent3(move, event === retracted)] }))
    case 'x12_315':
      return ids === null ? null : write315(move, { ids, writtenAt, control })
    case 'iftsta':
      return ids === null ? null : writeIftsta(move, { ids, writtenAt, control })
  }
}
