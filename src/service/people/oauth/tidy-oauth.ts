/** Deletes expired codes and tokens, connections that ended long ago, and unused clients and keys; makes new keys. */

import { deleteUnusedOauthClients } from '../../../store/people/oauth-clients.ts'
import { deleteOldOauthEntries } from '../../../store/people/oauth-entries.ts'
import { deleteOldOauthGrants } from '../../../store/people/oauth-grants.ts'
import { realNow, type Service } from '../../service.ts'
import { keepKeysFresh } from './signing-keys.ts'

const dayMs = 86_400_000
const limit = 5_000

/** Handles one batch of each; returns how many rows changed. */
export async function tidyOauth(service: Service): Promise<number> {
  const daysAgo = (days: number): string => new Date(service.clock.now() - days * dayMs).toISOString()
  const { pool, config } = service
  const entries = await deleteOldOauthEntries(pool, { before: daysAgo(1), limit })
  const grants = await deleteOldOauthGrants(pool, { before: daysAgo(30), limit })
  const before = daysAgo(config.oauth.unusedClientDays)
  const clients = await deleteUnusedOauthClients(pool, { before, now: realNow(service), limit })
  return entries + grants + clients + (await keepKeysFresh(service))
}
