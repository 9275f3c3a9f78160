/** Issues: what a source said that could not be read or believed. Counted and kept, never fatal. */

import type { Db } from './database.ts'

export interface Issue {
  readonly id: string
  readonly kind: string
  readonly detail: string
  readonly claimId: string | null
}

/** Counts the issues; one seen before in the same subject or shipment only counts up. */
export async function countIssues(
  db: Db,
  write: {
    readonly accountId: string
    readonly subjectId: string | null
    readonly shipmentId: string | null
    readonly snapshotId: string | null
    readonly issues: readonly Issue[]
    readonly at: string
  },
): Promise<void> {
  if (write.issues.length === 0) return
  const rows = write.issues.map((issue) => ({
    id: issue.id,
    kind: issue.kind,
    detail: issue.detail,
    claim_id: issue.claimId,
  }))
  await db.query({
    name: 'issues_count',
    text: `insert into issues
             (account_id, id, subject_id, shipment_id, snapshot_id, kind, detail, claim_id, first_at, last_at)
           select $1, i.id, $2, $3, $4, i.kind, i.detail, i.claim_id, $6, $6
             from jsonb_to_recordset($5::jsonb) as i(id uuid, kind text, detail text, claim_id uuid)
           on conflict (account_id, id)
           do update set times = issues.times + 1, last_at = excluded.last_at`,
    values: [write.accountId, write.subjectId, write.shipmentId, write.snapshotId, JSON.stringify(rows), write.at],
  })
}
