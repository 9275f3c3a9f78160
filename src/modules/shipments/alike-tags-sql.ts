/** Tags of an account's shipments that differ from given ones by upper and lower case alone. */

import type { Db } from '../../db/database.ts'

export async function findAlikeTags(
  db: Db,
  of: { readonly accountId: string; readonly tags: readonly string[] },
): Promise<readonly string[]> {
  const { rows } = await db.query<{ readonly tag: string }>({
    name: 'alike_tags',
    text: `select distinct tag from shipments s cross join lateral unnest(s.tags) tag
            where s.account_id = $1 and lower(tag) = any(select lower(given) from unnest($2::text[]) given)`,
    values: [of.accountId, of.tags],
  })
  return rows.map(({ tag }) => tag)
}
