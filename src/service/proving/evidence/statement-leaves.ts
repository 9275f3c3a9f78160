/** What the leaf of a statement says: who said what, when it was read, and the hash of the answer that said it first. */

import { hash } from 'node:crypto'
import type { StatementLeaf } from '../../../platform/evidence/evidence-pack.ts'
import { withWholeTimes } from '../../../platform/evidence/whole-times.ts'
import type { LeafRow } from '../../../store/ledger/ledger-roots.ts'
import { getSnapshots } from '../../../store/looks/snapshots.ts'
import { openBodies } from '../../ground/open-snapshots.ts'
import type { Service } from '../../service.ts'

/** Bodies that are in memory at a time. */
const bodiesAtOnce = 20

export async function readLeaves(
  service: Service,
  rows: readonly Omit<LeafRow, 'position'>[],
): Promise<readonly StatementLeaf[]> {
  const ids = [...new Set(rows.flatMap(({ snapshotId }) => snapshotId ?? []))]
  const hashes = new Map<string, string>()
  for (let at = 0; at < ids.length; at += bodiesAtOnce) {
    const kept = await getSnapshots(service.pool, ids.slice(at, at + bodiesAtOnce))
    const bodies = await openBodies(service, service.pool, kept)
    for (const [place, { id }] of kept.entries()) hashes.set(id, hash('sha256', bodies[place] ?? ''))
  }
  return rows.map((row) =>
    withWholeTimes({
      claim_id: row.id,
      source_kind: row.sourceKind,
      source_code: row.sourceCode,
      observation: row.observation,
      read_at: row.readAt,
      recorded_at: row.recordedAt,
      snapshot_sha256: row.snapshotId === null ? null : (hashes.get(row.snapshotId) ?? null),
    }),
  )
}
