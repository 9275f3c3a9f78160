/**
 * Finds the sources of statements that are overruled now and were not before. Counted for the operator, once for each
 * shipment.
 */

import type { Db } from '../../db/database.ts'
import type { Source } from '../../domain/statements/observation.ts'
import { knownIssues } from '../projection/issues-sql.ts'
import type { JourneyState, WrittenClaim } from '../projection/journey-state-sql.ts'

/**
 * To be called before the state is saved. Queries the database only when something is contradicted, which is seldom.
 */
export async function findContradictedSources(
  db: Db,
  before: JourneyState,
  after: JourneyState,
): Promise<readonly Source[]> {
  const found = [...after.issues.values()].filter(({ id, kind }) => kind === 'contradicted' && !before.issues.has(id))
  const ids = found.map(({ id }) => id)
  const known = await knownIssues(db, { accountId: after.accountId, ids })
  return found
    .filter(({ id }) => !known.has(id))
    .flatMap(({ claimId }) => (claimId === null ? [] : (findClaim(after, claimId)?.source ?? [])))
}

function findClaim({ claimsByTarget, shipments }: JourneyState, id: string): WrittenClaim | null {
  for (const statedClaims of claimsByTarget.values()) {
    const claim = statedClaims.get(id)
    if (claim !== undefined) return claim
  }
  for (const { claims } of shipments.values()) {
    const claim = claims.get(id)
    if (claim !== undefined) return claim
  }
  return null
}
