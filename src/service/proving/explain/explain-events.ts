/** Why transport events are as they are: for each event the claim that won its slot, and the claims that lost. */

import { findTold, statementVerdict } from '../../../core/explaining/verdict.ts'
import type { TransportEventReading } from '../../../store/read/transport-events.ts'
import { type Context, requireScope } from '../../context.ts'
import type { Service } from '../../service.ts'
import { findPapers } from '../papers/find-papers.ts'
import { readMakings } from './makings.ts'
import { explanationOf, type ValueExplanation } from './said.ts'

/** Explanations by id of the event. An event that has no claim behind it any more is left out. */
export async function explainTransportEvents(
  service: Service,
  context: Context,
  input: { readonly shipmentId: string; readonly events: readonly TransportEventReading[] },
): Promise<ReadonlyMap<string, ValueExplanation>> {
  requireScope(context, 'read')
  const { shipmentId, events } = input
  const { boxes, claims } = await readMakings(service, { accountId: context.account.id, shipmentId })
  const papers = await findPapers(service, context, [...claims.values()])
  const found = events.flatMap((event) => {
    const box = boxes.get(event.containerId)
    const told =
      box === undefined || event.sourceClaimId === null ? null : findTold(box.journey, event.sourceClaimId)
    if (box === undefined || told === null || event.invalidatedAt !== null) return []
    const about = { claims, papers, pickupTimeZone: box.container.pickupTimeZone }
    return [[event.id, explanationOf('timestamp', statementVerdict(box.journey, told, ''), about)] as const]
  })
  return new Map(found)
}
