/** Issues: what a source said that could not be read or believed. Counted and kept, never fatal. */

import type { Db } from './database.ts'

export interface Issue {
  readonly id: string
  readonly kind: string
  readonly detail: string
  readonly claimId: string | null
  /** Where in the answer: its page from 1, and the JSON pointer there; null where it is not about an answer. */
  readonly page: number | null
  readonly path: string | null
  /** What we go without: `answer`, `event`, `field` or `nothing`; null in rows from before it was kept. */
  readonly lost: string | null
}

export interface KeptIssue extends Issue {
  readonly scac: string
  readonly trackingRequestId: string | null
  readonly subjectId: string | null
  readonly shipmentId: string | null
  readonly snapshotId: string | null
  readonly times: number
  readonly firstAt: string
  readonly lastAt: string
}

/** Counts the issues; one seen before in the same subject or shipment only counts up. */
export async function countIssues(
  db: Db,
  write: {
    readonly accountId: string
    readonly scac: string
    readonly subjectId: string | null
    /** Whose answer it was found in. */
    readonly trackingRequestId: string | null
    readonly shipmentId: string | null
    readonly snapshotId: string | null
    readonly issues: readonly Issue[]
    readonly at: string
  },
): Promise<void> {
  if (write.issues.length === 0) return
  // One statement cannot count a row twice: what comes twice in one reading is counted once.
  const issues = new Map(write.issues.map((issue) => [issue.id, issue]))
  const rows = [...issues.values()].map((issue) => ({
    id: issue.id,
    kind: issue.kind,
    detail: issue.detail,
    claim_id: issue.claimId,
    page: issue.page,
    path: issue.path,
    lost: issue.lost,
  }))
  await db.query({
    name: 'issues_count',
    text: `insert into issues
             (account_id, id, subject_id, shipment_id, snapshot_id, kind, detail, claim_id, first_at, last_at,
              scac, tracking_request_id, page, path, lost)
           select $1, i.id, $2, $3, $4, i.kind, i.detail, i.claim_id, $6, $6, $7, $8, i.page, i.path, i.lost
             from jsonb_to_recordset($5::jsonb)
               as i(id uuid, kind text, detail text, claim_id uuid, page integer, path text, lost text)
           on conflict (account_id, id)
           do update set times = issues.times + 1, last_at = excluded.last_at, detail = excluded.detail,
                         page = excluded.page, path = excluded.path, lost = excluded.lost,
                         tracking_request_id = excluded.tracking_request_id`,
    values: [
      write.accountId,
      write.subjectId,
      write.shipmentId,
      write.snapshotId,
      JSON.stringify(rows),
      write.at,
      write.scac,
      write.trackingRequestId,
    ],
  })
}

/** What these issues are, in the order of the ids, of the served table also while a rebuild writes to another. */
export async function issuesOnRecord(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly Issue[]> {
  if (of.ids.length === 0) return []
  const { rows } = await db.query<{ -readonly [Name in keyof Issue]: Issue[Name] }>({
    name: 'issues_on_record',
    text: `select id, kind, detail, claim_id as "claimId", page, path, lost
             from public.issues where account_id = $1 and id = any($2::uuid[])`,
    values: [of.accountId, of.ids],
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return of.ids.map((id) => {
    const row = byId.get(id)
    if (row === undefined) throw new Error(`the issue ${id} is gone`)
    return row
  })
}
