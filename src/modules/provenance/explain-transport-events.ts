/** Why transport events are as they are: for each event the claim that won its slot, and the claims that lost. */

import { findBelievedStatement, statementVerdict } from '../../domain/provenance/verdict.ts'
import { type Context, requireScope } from '../access/context.ts'
import type { Service } from '../service.ts'
import type { TransportEventReading } from '../transport-events/list-transport-events-sql.ts'
import { deriveShipmentWithClaims } from './derivations.ts'
import { explanationOf, type ValueExplanation } from './value-explanation.ts'

/** Explanations by id of the event. An event that has no claim behind it any more is left out. */
export async function explainTransportEvents(
  service: Service,
  context: Context,
  input: { readonly shipmentId: string; readonly events: readonly TransportEventReading[] },
): Promise<ReadonlyMap<string, ValueExplanation>> {
  requireScope(context, 'read')
  const { shipmentId, events } = input
  const { containers, claims, papers } = await deriveShipmentWithClaims(service, {
    accountId: context.account.id,
    shipmentId,
  })
  const found = events.flatMap((event) => {
    const derivation = containers.get(event.containerId)
    const statement =
      derivation === undefined || event.sourceClaimId === null
        ? null
        : findBelievedStatement(derivation.journey, event.sourceClaimId)
    if (derivation === undefined || statement === null || event.invalidatedAt !== null) return []
    const about = { claims, papers, pickupTimeZone: derivation.container.pickupTimeZone }
    return [[event.id, explanationOf('timestamp', statementVerdict(derivation.journey, statement, ''), about)] as const]
  })
  return new Map(found)
}
