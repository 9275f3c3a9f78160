/** The sessions of a person, as they see them: where they are signed in, and how each is ended. */

import { inTransaction } from '../../db/database.ts'
import { recordUserChange } from '../audit/record-user-change.ts'
import { notFound } from '../errors.ts'
import { findMembership } from '../members/memberships-sql.ts'
import { realNow, type Service } from '../service.ts'
import type { SignedIn } from './confirm-password.ts'
import { idleSince } from './find-session.ts'
import { rotateToken } from './open-session.ts'
import { listSessions, putSessionAccount, revokeSessions, type SessionRow } from './sessions-sql.ts'

/** The session that was used last comes first. */
export async function listOwnSessions(service: Service, by: SignedIn): Promise<readonly SessionRow[]> {
  const { userId } = by
  return listSessions(service.pool, { userId, now: realNow(service), idleSince: idleSince(service) })
}

/** Ends one of the person's sessions, or all except the one they use now. */
export async function endSessions(
  service: Service,
  by: SignedIn,
  which: { readonly id: string } | 'others',
): Promise<void> {
  await inTransaction(service.pool, async (db) => {
    const [id, butId] = which === 'others' ? [null, by.sessionId] : [which.id, null]
    const ended = await revokeSessions(db, { userId: by.userId, id, butId, now: realNow(service) })
    if (ended.length === 0 && which !== 'others') throw notFound('session')
    for (const each of ended) {
      const target = { type: 'session', id: each } as const
      await recordUserChange(db, service, by, { action: 'session.revoked', target })
    }
  })
}

/**
 * The session works for another of the person's accounts from now on. It gets a new token, because it may do other
 * things.
 */
export async function chooseAccount(
  service: Service,
  by: SignedIn,
  { accountId }: { readonly accountId: string },
): Promise<string> {
  if ((await findMembership(service.pool, { accountId, userId: by.userId })) === null) throw notFound('account')
  return inTransaction(service.pool, async (db) => {
    await putSessionAccount(db, { id: by.sessionId, accountId })
    return rotateToken(db, service, by.sessionId)
  })
}
