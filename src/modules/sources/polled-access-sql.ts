/** How a line is polled, with its secrets, and when this access was last seen to work. */

import type { Db } from '../../db/database.ts'
import { type Credential, verifiedAt } from '../accounts/accounts-sql.ts'

export interface PolledAccess extends Pick<Credential, 'id' | 'accountId' | 'source' | 'profile' | 'encryptedSecret'> {
  readonly verifiedAt: string | null
}

/** The account's own access to a line if it has one, else the operator's; null when there is neither. */
export async function findPolledAccess(
  db: Db,
  key: { readonly accountId: string; readonly scac: string; readonly isSandbox: boolean },
): Promise<PolledAccess | null> {
  const { rows } = await db.query<PolledAccess>({
    name: 'access_find_asked',
    text: `select c.id, c.account_id as "accountId", c.source, c.profile, c.secret_sealed as "encryptedSecret", ${verifiedAt} as "verifiedAt"
             from channels c
            where c.scac = $2 and c.is_fiction = $3 and c.is_asked and (c.account_id = $1 or c.account_id is null)
            order by c.account_id nulls last
            limit 1`,
    values: [key.accountId, key.scac, key.isSandbox],
  })
  return rows[0] ?? null
}

/** Returns false when the access has got another profile meanwhile. */
export async function markAccessVerified(
  db: Db,
  of: { readonly id: string; readonly profile: PolledAccess['profile']; readonly at: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'access_note_verified',
    text: `update channels set verified_at = $3, verified_profile = profile where id = $1 and profile = $2::jsonb`,
    values: [of.id, JSON.stringify(of.profile), of.at],
  })
  return rowCount === 1
}
