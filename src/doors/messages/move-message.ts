/** A delivery in the form of a standard: the one move that the notification is about. */

import { notFound } from '../../service/errors.ts'
import type { Service } from '../../service/service.ts'
import type { NotificationToRender } from '../../service/telling/webhooks/attempt-delivery.ts'
import type { Move } from '../../store/telling/moves.ts'
import type { WebhookFormat } from '../../store/telling/webhooks.ts'
import { writeEvent2 } from './event-2.ts'

export function writeMessage(
  _service: Service,
  _notification: NotificationToRender,
  { format, move }: { readonly format: WebhookFormat; readonly move: Move | null },
): Buffer {
  if (move === null) throw notFound('event')
  switch (format) {
    case 'dcsa_2':
      return Buffer.from(JSON.stringify([writeEvent2(move)]))
    default:
      throw notFound('event')
  }
}
