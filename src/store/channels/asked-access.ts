/** How a line is asked, with its secrets, and when this access was last seen to work. */

import type { Db } from '../database.ts'
import { type Credential, verifiedAt } from '../people/accounts.ts'

export interface AskedAccess
  extends Pick<Credential, 'id' | 'accountId' | 'source' | 'profile' | 'secretSealed'> {
  readonly verifiedAt: string | null
}

/** The account's own access to a line if it has one, else the operator's; null when there is neither. */
export async function findAskedAccess(
  db: Db,
  key: { readonly accountId: string; readonly scac: string; readonly isFiction: boolean },
): Promise<AskedAccess | null> {
  const { rows } = await db.query<AskedAccess>({
    name: 'access_find_asked',
    text: `select c.id, c.account_id as "accountId", c.source, c.profile, c.secret_sealed as "secretSealed", ${verifiedAt} as "verifiedAt"
             from channels c
            where c.scac = $2 and c.is_fiction = $3 and c.is_asked and (c.account_id = $1 or c.account_id is null)
            order by c.account_id nulls last
            limit 1`,
    values: [key.accountId, key.scac, key.isFiction],
  })
  return rows[0] ?? null
}

/** Returns false when the access has got another profile meanwhile. */
export async function noteVerified(
  db: Db,
  of: { readonly id: string; readonly profile: AskedAccess['profile']; readonly at: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'access_note_verified',
    text: `update channels set verified_at = $3, verified_profile = profile where id = $1 and profile = $2::jsonb`,
    values: [of.id, JSON.stringify(of.profile), of.at],
  })
  return rowCount === 1
}
