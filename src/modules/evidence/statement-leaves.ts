/**
 * The content of the leaf of a statement: the source, the statement, when it was read, and the hash of the answer that
 * contained it first.
 */

import { hash } from 'node:crypto'
import { openBodies } from '../../pipeline/response-archive/open-snapshots.ts'
import { getSnapshots } from '../../pipeline/response-archive/snapshots-sql.ts'
import type { StatementLeaf } from '../../platform/evidence/evidence-pack.ts'
import { dropZeroMilliseconds } from '../../platform/evidence/whole-times.ts'
import type { Service } from '../service.ts'
import type { LeafRow } from './ledger-roots-sql.ts'

/** Bodies that are in memory at a time. */
const bodiesAtOnce = 20

export async function readLeaves(
  service: Service,
  rows: readonly Omit<LeafRow, 'position'>[],
): Promise<readonly StatementLeaf[]> {
  const ids = [...new Set(rows.flatMap(({ snapshotId }) => snapshotId ?? []))]
  const hashes = new Map<string, string>()
  for (let at = 0; at < ids.length; at += bodiesAtOnce) {
    const snapshots = await getSnapshots(service.pool, ids.slice(at, at + bodiesAtOnce))
    const bodies = await openBodies(service, service.pool, snapshots)
    for (const [place, { id }] of snapshots.entries()) hashes.set(id, hash('sha256', bodies[place] ?? ''))
  }
  return rows.map((row) =>
    dropZeroMilliseconds({
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
