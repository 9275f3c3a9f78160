/** Claims and issues of one account held in memory: what the statements of `claims.ts` and `issues.ts` do, done to them. */

import type { Observation } from '../core/observation.ts'
import type { KeptClaim } from './claims.ts'
import type { FoldTables } from './fold-tables.ts'
import { asJsonb, type HeldRows, holdRows } from './held-rows.ts'
import type { KeptIssue } from './issues.ts'

export interface HeldClaim extends KeptClaim {
  readonly sourceKind: string
  readonly sourceCode: string
  readonly sourceKey: string
  readonly equipment: string | null
  readonly reader: string
}

export interface HeldClaims {
  readonly claims: HeldRows<HeldClaim>
  readonly issues: HeldRows<KeptIssue>
  /** The issues of a shipment become what they were. */
  readonly putBack: (shipmentId: string, stood: readonly KeptIssue[]) => void
  readonly tables: Pick<FoldTables, 'countIssues' | 'liveClaims' | 'writeReading'>
}

export function holdClaims(): HeldClaims {
  const claims = holdRows<HeldClaim>()
  const issues = holdRows<KeptIssue>()
  return {
    claims,
    issues,
    putBack: (shipmentId, stood) => {
      for (const issue of issues.all()) if (issue.shipmentId === shipmentId) issues.remove(issue.id)
      for (const issue of stood) issues.put(issue)
    },
    tables: {
      countIssues: async ({ issues: counted, at, scac, trackingRequestId, ...of }) => {
        const { subjectId, shipmentId, snapshotId } = of
        for (const issue of new Map(counted.map((each) => [each.id, each])).values()) {
          const known = issues.find(issue.id)
          const first = { scac, subjectId, shipmentId, snapshotId, times: 0, firstAt: at }
          const { times, ...rest } = known ?? { ...issue, ...first }
          issues.put({ ...rest, ...issue, trackingRequestId, times: times + 1, lastAt: at })
        }
      },
      liveClaims: async ({ subjectIds, shipmentId }) => {
        const live = claims.all().filter(({ retiredAt }) => retiredAt === null)
        return [
          ...live.filter((claim) => claim.subjectId !== null && subjectIds.includes(claim.subjectId)),
          ...live.filter((claim) => shipmentId !== null && claim.shipmentId === shipmentId),
        ]
      },
      writeReading: async (reading) => {
        const { recordedAt: at, snapshotId, reader } = reading
        const gone = (claim: HeldClaim) => ({ goneSnapshotId: claim.goneSnapshotId ?? snapshotId })
        for (const id of reading.retire) claims.change(id, (claim) => ({ retiredAt: at, ...gone(claim) }))
        for (const id of reading.missing) claims.change(id, (claim) => ({ missingSince: at, ...gone(claim) }))
        for (const id of reading.left) claims.change(id, gone)
        for (const id of reading.seen) {
          const claim = claims.find(id)
          const isSaid = claim?.goneSnapshotId === null && claim.missingSince === null
          if (!isSaid) claims.change(id, () => ({ goneSnapshotId: null, missingSince: null }))
        }
        const said = new Map<string, Observation>()
        for (const claim of reading.add) {
          const added = addClaim(claims.find(claim.id), claim, reader)
          claims.put(added)
          said.set(claim.id, added.observation)
        }
        return said
      },
    },
  }
}

/** One that was retired and is said again stands again, as what it was first said in. */
function addClaim(known: HeldClaim | undefined, claim: KeptClaim, reader: string): HeldClaim {
  const { recordedAt, readAt, goneSnapshotId, observation, source } = claim
  if (known !== undefined)
    return { ...known, retiredAt: null, missingSince: null, recordedAt, readAt, reader, goneSnapshotId }
  return {
    ...claim,
    observation: asJsonb(observation),
    sourceKind: source.kind,
    sourceCode: source.code,
    sourceKey: observation.key,
    equipment: observation.equipment,
    reader,
    retiredAt: null,
    missingSince: null,
  }
}
