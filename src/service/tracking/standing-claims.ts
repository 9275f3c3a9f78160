/** The claims that stand under a subject once what was heard is written. */

import type { KeptClaim } from '../../store/claims.ts'
import type { Heard } from './heard.ts'
import type { StandingClaims } from './project-shipment.ts'

/** Null where those that stood before were not read. `asKept`: each as the database gives it back, by its id. */
export function standingAfter(
  heard: Heard,
  subjectId: string,
  asKept: ReadonlyMap<string, KeptClaim['observation']> = new Map(),
): StandingClaims | null {
  if (heard.before === undefined) return null
  const retired = new Set(heard.change.retire)
  const claims = [
    ...heard.before.standing.filter(({ id }) => !retired.has(id)),
    // As the database gives them back, so that it makes no difference whether they were read or remembered.
    ...heard.change.add.map((claim) => ({
      ...claim,
      observation: asKept.get(claim.id) ?? claim.observation,
    })),
  ]
  return { subjectId, shipmentId: heard.before.shipmentId, claims }
}
