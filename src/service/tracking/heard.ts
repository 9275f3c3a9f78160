/**
 * What one reading of a snapshot brought to one account: claims added, repeated, withdrawn, and issues. The ledger
 * keeps it by ids, so that an entry can be folded as it was though its reader has been mended since.
 */

import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import type { Reading } from '../../sources/source.ts'
import type { KeptClaim } from '../../store/claims.ts'
import type { FoldTables } from '../../store/fold-tables.ts'
import type { Issue } from '../../store/issues.ts'
import type { EntryOf } from '../../store/ledger.ts'
import type { RecordedHearing } from '../../store/ledger-payload.ts'
import { claimId, compareReading, type ReadingChange } from '../ledger/absorb.ts'

export interface Heard {
  readonly change: ReadingChange
  readonly issues: readonly Issue[]
  /** The claims that stood before, where they were read to compare with: of the subject, and of this shipment's users. */
  readonly before?: { readonly shipmentId: string | null; readonly standing: readonly KeptClaim[] }
}

export interface HeardAbout {
  readonly accountId: string
  readonly subjectId: string
  readonly scac: string
  readonly snapshotId: string | null
  readonly recordedAt: string
  /** The request's shipment, where it has one: what users said of it is read along, for the projection that follows. */
  readonly shipmentId?: string | null
}

/** Compares the reading with the claims that stand; writes nothing. */
export async function hear(tables: FoldTables, reading: Reading, about: HeardAbout): Promise<Heard> {
  const { accountId, subjectId, shipmentId = null } = about
  const standing = await tables.liveClaims({ accountId, subjectIds: [subjectId], shipmentId })
  const live = standing.filter((claim) => claim.subjectId === subjectId)
  return {
    change: changeBy(live, reading, about),
    issues: issuesOf(reading, about),
    before: { shipmentId, standing },
  }
}

export function changeBy(live: readonly KeptClaim[], reading: Reading, about: HeardAbout): ReadingChange {
  return compareReading(live, {
    ...about,
    source: { kind: 'shipping_line', code: about.scac },
    observations: reading.observations,
    withdrawn: reading.withdrawn,
    isFullPicture: reading.statedFullPicture,
  })
}

export function issuesOf(
  reading: Reading,
  { accountId, subjectId }: Pick<HeardAbout, 'accountId' | 'subjectId'>,
): readonly Issue[] {
  return reading.issues.map(({ kind, page, path, lost, detail }) => {
    const place = page === 1 ? path : `page ${page}${path}`
    const id = uuidV5(LANDFALL_NAMESPACE, `issue:${accountId}:${subjectId}:${kind}:${place}:${detail}`)
    return { id, kind, detail, claimId: null, page, path, lost }
  })
}

export function recordHeard({ change, issues }: Heard): { readonly heard: RecordedHearing } {
  const groups = Map.groupBy(
    change.add,
    (claim) => `${claim.recordedAt} ${claim.firstSnapshotId ?? ''} ${claim.goneSnapshotId ?? ''}`,
  )
  const add = [...groups.values()].flatMap((claims) => {
    const [first] = claims
    if (first === undefined) return []
    const { recordedAt, firstSnapshotId, goneSnapshotId } = first
    return [{ recordedAt, firstSnapshotId, goneSnapshotId, ids: claims.map(({ id }) => id) }]
  })
  return {
    heard: {
      ...(add.length > 0 && { add }),
      ...(change.retire.length > 0 && { retire: change.retire }),
      ...(change.missing.length > 0 && { missing: change.missing }),
      ...(change.left.length > 0 && { left: change.left }),
      ...(issues.length > 0 && { issues: [...new Set(issues.map(({ id }) => id))] }),
    },
  }
}

/** What the entry brought, by the claims and issues on record. Throws when one is gone or is not what was read. */
export async function recallHeard(
  tables: FoldTables,
  entry: EntryOf<'look'>,
  subjectId: string,
): Promise<Heard> {
  const { heard, isReread = false } = entry.payload
  if (heard === undefined) throw new Error('it does not say what was read')
  const { accountId } = entry
  const { retire = [], missing = [], left = [] } = heard
  const add: KeptClaim[] = []
  for (const { ids, recordedAt, firstSnapshotId, goneSnapshotId } of heard.add ?? []) {
    for (const claim of await tables.claimsOnRecord({ accountId, ids })) {
      if (claimId(accountId, subjectId, claim.observation) !== claim.id) {
        throw new Error(`the claim ${claim.id} does not say any more what was read`)
      }
      const readAt = entry.recordedAt
      add.push({
        ...claim,
        readAt,
        recordedAt,
        firstSnapshotId,
        goneSnapshotId,
        retiredAt: null,
        missingSince: null,
      })
    }
  }
  // A second reading speaks of what it changes only.
  const live = isReread
    ? []
    : await tables.liveClaims({ accountId, subjectIds: [subjectId], shipmentId: null })
  const others = new Set([...retire, ...missing, ...left])
  const seen = live.filter(({ id }) => !others.has(id)).map(({ id }) => id)
  const issues = await tables.issuesOnRecord({ accountId, ids: heard.issues ?? [] })
  return {
    change: { add, retire, seen, missing, left },
    issues,
    ...(!isReread && { before: { shipmentId: null, standing: live } }),
  }
}
