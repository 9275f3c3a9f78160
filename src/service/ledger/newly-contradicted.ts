/**
 * Finds the sources of statements that are overruled now and were not before. Counted for the operator, once for each
 * shipment.
 */

import type { Source } from '../../core/statements/observation.ts'
import type { Db } from '../../store/database.ts'
import type { JourneyState, WrittenClaim } from '../../store/journey-state/state.ts'
import { knownIssues } from '../../store/journeys/issues.ts'

/**
 * To be called before the state is saved. Queries the database only when something is contradicted, which is seldom.
 */
export async function newlyContradicted(
  db: Db,
  before: JourneyState,
  after: JourneyState,
): Promise<readonly Source[]> {
  const found = [...after.issues.values()].filter(
    ({ id, kind }) => kind === 'contradicted' && !before.issues.has(id),
  )
  const ids = found.map(({ id }) => id)
  const known = await knownIssues(db, { accountId: after.accountId, ids })
  return found
    .filter(({ id }) => !known.has(id))
    .flatMap(({ claimId }) => (claimId === null ? [] : (findClaim(after, claimId)?.source ?? [])))
}

function findClaim({ subjects, shipments }: JourneyState, id: string): WrittenClaim | null {
  for (const said of subjects.values()) {
    const claim = said.get(id)
    if (claim !== undefined) return claim
  }
  for (const { claims } of shipments.values()) {
    const claim = claims.get(id)
    if (claim !== undefined) return claim
  }
  return null
}
