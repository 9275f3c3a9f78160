/** Sessions begin here, always with a new token. They get another token when the session may do more. */

import type { Db } from '../../db/database.ts'
import { uuidV7 } from '../../platform/ids.ts'
import type { Origin } from '../access/context.ts'
import { realNow, type Service } from '../service.ts'
import { insertSession, renewSession } from './sessions-sql.ts'
import { makeToken, tokenHmac } from './token.ts'

const dayMs = 86_400_000

/** Returns the token for the browser. `accountId` null: the account that the person worked for last. */
export async function openSession(
  db: Db,
  service: Service,
  session: { readonly userId: string; readonly accountId: string | null; readonly from: Origin },
): Promise<string> {
  const token = makeToken()
  const now = realNow(service)
  await insertSession(db, {
    id: uuidV7(service.clock.now()),
    tokenHmac: tokenHmac(service, 'session', token),
    userId: session.userId,
    accountId: session.accountId,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(service.clock.now() + service.config.accounts.sessionDays * dayMs).toISOString(),
    ip: session.from.ip,
    userAgent: session.from.userAgent,
  })
  return token
}

/** Gives the session a new token: a copy of the old one does not work any more. */
export async function rotateToken(db: Db, service: Service, sessionId: string): Promise<string> {
  const token = makeToken()
  await renewSession(db, { id: sessionId, tokenHmac: tokenHmac(service, 'session', token) })
  return token
}
