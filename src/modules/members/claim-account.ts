/**
 * An account without people goes to the first person who shows one of its keys, because the person who runs it has a
 * key.
 */

import { type Db, inTransaction } from '../../db/database.ts'
import { authenticate } from '../api-keys/authenticate.ts'
import { recordChange } from '../audit/record-change.ts'
import type { Person } from '../audit/record-user-change.ts'
import { refusedAt, ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { useAttempt } from '../sessions/attempts.ts'
import type { SignedIn } from '../sessions/confirm-password.ts'
import { rotateToken } from '../sessions/open-session.ts'
import { putSessionAccount } from '../sessions/sessions-sql.ts'
import { insertMembership, lockMembers } from './memberships-sql.ts'

/** Returns the account of a key that may read and write. Refuses every other key with the same sentence. */
export async function findKeyAccount(service: Service, key: string): Promise<string> {
  const identity = await authenticate(service, `Token ${key.trim()}`)
  if (identity?.scopes.includes('write')) return identity.account.id
  throw refusedAt(
    '/key',
    'This API key could not be verified. The first one was printed at the first start and is kept in the data folder as first-api-key.',
  )
}

/** Makes the person its owner. Of two who try at the same moment, only one becomes owner. */
export async function claimAccount(
  db: Db,
  service: Service,
  { accountId, by }: { readonly accountId: string; readonly by: Person },
): Promise<void> {
  const { userId, requestId, from } = by
  const members = await lockMembers(db, { accountId })
  if (members.size > 0) {
    throw new ServiceError('conflict', 'The account of this key has an owner already, who can invite you.', {
      source: { pointer: '/key' },
    })
  }
  await insertMembership(db, { accountId, userId, role: 'owner', createdAt: realNow(service) })
  await recordChange(
    db,
    service,
    { account: { id: accountId }, actor: { kind: 'user', id: userId }, requestId, from },
    {
      action: 'membership.created',
      target: { type: 'membership', id: userId },
      diff: { role: [null, 'owner'] },
    },
  )
}

/**
 * For a person who is signed in already. Returns a new token for their session, which works for that account from now
 * on.
 */
export async function addAccount(service: Service, by: SignedIn, input: { readonly key: string }): Promise<string> {
  await useAttempt(service, { kind: 'address', of: by.from.ip ?? 'none' })
  const accountId = await findKeyAccount(service, input.key)
  return inTransaction(service.pool, async (db) => {
    await claimAccount(db, service, { accountId, by })
    await putSessionAccount(db, { id: by.sessionId, accountId })
    return rotateToken(db, service, by.sessionId)
  })
}
