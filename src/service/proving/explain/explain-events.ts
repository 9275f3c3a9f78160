/** Why transport events stand as they do: by event, the claim that won its slot and those that lost. */

import { findTold, statementVerdict } from '../../../core/verdict.ts'
import type { TransportEventReading } from '../../../store/read/transport-events.ts'
import { type Context, requireScope } from '../../context.ts'
import type { Service } from '../../service.ts'
import { readMakings } from './makings.ts'
import { explanationOf, type ValueExplanation } from './said.ts'

/** By id of the event. One that no claim of an event stands behind any more is not among them. */
export async function explainTransportEvents(
  service: Service,
  context: Context,
  input: { readonly shipmentId: string; readonly events: readonly TransportEventReading[] },
): Promise<ReadonlyMap<string, ValueExplanation>> {
  requireScope(context, 'read')
  const { shipmentId, events } = input
  const { boxes, claims } = await readMakings(service, { accountId: context.account.id, shipmentId })
  const found = events.flatMap((event) => {
    const box = boxes.get(event.containerId)
    const told =
      box === undefined || event.sourceClaimId === null ? null : findTold(box.journey, event.sourceClaimId)
    if (box === undefined || told === null || event.invalidatedAt !== null) return []
    const about = { claims, pickupTimeZone: box.container.pickupTimeZone }
    return [[event.id, explanationOf('timestamp', statementVerdict(box.journey, told, ''), about)] as const]
  })
  return new Map(found)
}
