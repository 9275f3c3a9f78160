/** Up to which event of an account a credential was briefed, and when. */

import type { Db } from '../../db/database.ts'

export interface BriefPosition {
  readonly sequence: number
  readonly at: string
}

interface Credential {
  readonly accountId: string
  readonly credential: string
}

/** Null before its first brief. */
export async function findBriefPosition(db: Db, of: Credential): Promise<BriefPosition | null> {
  const { rows } = await db.query<BriefPosition>({
    name: 'find_brief_position',
    text: 'select sequence, at from brief_positions where account_id = $1 and credential = $2',
    values: [of.accountId, of.credential],
  })
  return rows[0] ?? null
}

/** Of two briefs at once the later position stays. */
export async function keepBriefPosition(db: Db, of: Credential & BriefPosition): Promise<void> {
  await db.query({
    name: 'keep_brief_position',
    text: `insert into brief_positions (account_id, credential, sequence, at) values ($1, $2, $3, $4)
           on conflict (account_id, credential) do update
             set sequence = excluded.sequence, at = excluded.at where brief_positions.sequence <= excluded.sequence`,
    values: [of.accountId, of.credential, of.sequence, of.at],
  })
}
