/** Tags as the account's shipments have them, for who writes them in upper or lower case. */

import type { Context } from '../access/context.ts'
import type { Service } from '../service.ts'
import { findAlikeTags } from './alike-tags-sql.ts'

/** A tag that no shipment has, in this or in another case, is returned as it is given. */
export async function spellTags(
  { pool }: Service,
  { account }: Context,
  tags: readonly string[],
): Promise<readonly string[]> {
  const known = await findAlikeTags(pool, { accountId: account.id, tags })
  return tags.map(
    (given) =>
      known.find((tag) => tag === given) ?? known.find((tag) => tag.toLowerCase() === given.toLowerCase()) ?? given,
  )
}
