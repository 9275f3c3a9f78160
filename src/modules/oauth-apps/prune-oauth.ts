/** Deletes expired codes and tokens, connections that ended long ago, and unused clients and keys; makes new keys. */

import { realNow, type Service } from '../service.ts'
import { deleteUnusedOauthClients } from './oauth-clients-sql.ts'
import { deleteOldOauthEntries } from './oauth-entries-sql.ts'
import { deleteOldOauthGrants } from './oauth-grants-sql.ts'
import { rotateSigningKeys } from './signing-keys.ts'

const dayMs = 86_400_000
const limit = 5_000

/** Handles one batch of each; returns how many rows changed. */
export async function pruneOauth(service: Service): Promise<number> {
  const daysAgo = (days: number): string => new Date(service.clock.now() - days * dayMs).toISOString()
  const { pool, config } = service
  const entries = await deleteOldOauthEntries(pool, { before: daysAgo(1), limit })
  const grants = await deleteOldOauthGrants(pool, { before: daysAgo(30), limit })
  const before = daysAgo(config.oauth.unusedClientDays)
  const clients = await deleteUnusedOauthClients(pool, { before, now: realNow(service), limit })
  return entries + grants + clients + (await rotateSigningKeys(service))
}
