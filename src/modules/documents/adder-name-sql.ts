/** The name by which somebody who acted is shown and sorted. */

import type { Db } from '../../db/database.ts'

export async function findAdderName(
  db: Db,
  of: { readonly accountId: string; readonly kind: 'user' | 'api_key' | 'oauth_client'; readonly id: string },
): Promise<string | null> {
  const { rows } = await db.query<{ name: string | null }>({
    name: 'adder_name',
    text: `select u.email as name from memberships m join users u on u.id = m.user_id
            where $2 = 'user' and m.account_id = $1 and m.user_id::text = $3
           union all
           select k.name from api_keys k where $2 = 'api_key' and k.account_id = $1 and k.id::text = $3
           union all
           (select g.client_name from oauth_grants g where $2 = 'oauth_client' and g.account_id = $1 and g.client_id = $3
             order by g.created_at desc limit 1)`,
    values: [of.accountId, of.kind, of.id],
  })
  return rows[0]?.name ?? null
}
