/** Sessions begin here, always with a token that nobody has seen before, and get a new one when more is at stake. */

import { uuidV7 } from '../../../platform/ids.ts'
import type { Db } from '../../../store/database.ts'
import { insertSession, renewSession } from '../../../store/sessions.ts'
import type { Origin } from '../../context.ts'
import { realNow, type Service } from '../../service.ts'
import { makeToken, tokenHmac } from './token.ts'

const dayMs = 86_400_000

/** The token for the browser. `accountId` null: the account that the person worked for last. */
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

/** The same session under a new token: whoever had copied the old one has nothing. */
export async function rotateToken(db: Db, service: Service, sessionId: string): Promise<string> {
  const token = makeToken()
  await renewSession(db, { id: sessionId, tokenHmac: tokenHmac(service, 'session', token) })
  return token
}
