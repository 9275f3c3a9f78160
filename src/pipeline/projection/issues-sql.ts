/** Issues: what a source stated that could not be read or believed. Counted and stored, never fatal. */

import type { Db } from '../../db/database.ts'

export interface Issue {
  readonly id: string
  readonly kind: string
  readonly detail: string
  readonly claimId: string | null
  /**
   * Where it is in the answer: the page from 1, and the JSON pointer in that page. Null where the issue is not about an
   * answer.
   */
  readonly page: number | null
  readonly path: string | null
  /** What is lost by it: `answer`, `event`, `field` or `nothing`; null in rows from before this was recorded. */
  readonly lost: string | null
}

export interface StoredIssue extends Issue {
  readonly scac: string
  readonly trackingRequestId: string | null
  readonly subjectId: string | null
  readonly shipmentId: string | null
  readonly snapshotId: string | null
  readonly times: number
  readonly firstAt: string
  readonly lastAt: string
}

/**
 * These issues, in the order of the ids. They are read from the served table, even while a rebuild writes to another
 * one.
 */
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

/** Which of these ids are on record. */
export async function knownIssues(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<ReadonlySet<string>> {
  if (of.ids.length === 0) return new Set()
  const { rows } = await db.query<{ id: string }>({
    name: 'issues_known',
    text: `select id from issues where account_id = $1 and id = any($2::uuid[])`,
    values: [of.accountId, of.ids],
  })
  return new Set(rows.map(({ id }) => id))
}
