/** Lets go of codes and tokens that ran out, connections that ended long ago, clients and keys that nobody uses; makes new keys. */

import { deleteUnusedOauthClients } from '../../../store/oauth-clients.ts'
import { deleteOldOauthEntries } from '../../../store/oauth-entries.ts'
import { deleteOldOauthGrants } from '../../../store/oauth-grants.ts'
import { realNow, type Service } from '../../service.ts'
import { keepKeysFresh } from './signing-keys.ts'

const dayMs = 86_400_000
const limit = 5_000

/** One batch of each; returns how much went. */
export async function tidyOauth(service: Service): Promise<number> {
  const daysAgo = (days: number): string => new Date(service.clock.now() - days * dayMs).toISOString()
  const { pool, config } = service
  const entries = await deleteOldOauthEntries(pool, { before: daysAgo(1), limit })
  const grants = await deleteOldOauthGrants(pool, { before: daysAgo(30), limit })
  const before = daysAgo(config.oauth.unusedClientDays)
  const clients = await deleteUnusedOauthClients(pool, { before, now: realNow(service), limit })
  return entries + grants + clients + (await keepKeysFresh(service))
}
