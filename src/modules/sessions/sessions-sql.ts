/** Sessions of people who are signed in. Each is found by the HMAC of what the browser has. */

import type { Db } from '../../db/database.ts'

export interface SessionRow {
  readonly id: string
  readonly userId: string
  readonly accountId: string | null
  readonly createdAt: string
  readonly lastSeenAt: string
  readonly expiresAt: string
  readonly ip: string | null
  readonly userAgent: string | null
}

const columns = `id, user_id as "userId", account_id as "accountId", created_at as "createdAt",
  last_seen_at as "lastSeenAt", expires_at as "expiresAt", host(ip) as ip, user_agent as "userAgent"`

/** Without an account, the session gets the account of the person's last session. */
export async function insertSession(db: Db, session: SessionRow & { readonly tokenHmac: Buffer }): Promise<void> {
  await db.query({
    name: 'session_insert',
    text: `insert into sessions
             (id, token_hmac, user_id, account_id, created_at, last_seen_at, expires_at, ip, user_agent)
           values ($1, $2, $3,
                   coalesce($4, (select account_id from sessions where user_id = $3 order by last_seen_at desc limit 1)),
                   $5, $6, $7, $8, $9)`,
    values: [
      session.id,
      session.tokenHmac,
      session.userId,
      session.accountId,
      session.createdAt,
      session.lastSeenAt,
      session.expiresAt,
      session.ip,
      session.userAgent,
    ],
  })
}

export interface SessionReading {
  readonly id: string
  readonly createdAt: string
  readonly lastSeenAt: string
  readonly accountId: string | null
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly memberships: readonly {
    readonly accountId: string
    readonly companyName: string
    readonly isSandbox: boolean
    readonly role: string
  }[]
}

interface Row extends Omit<SessionReading, 'memberships'> {
  readonly ofAccountId: string | null
  readonly companyName: string | null
  readonly isSandbox: boolean | null
  readonly role: string | null
}

/**
 * The session with its person and all their accounts, in one statement. Null when it was ended, has expired, or was not
 * used after `idleSince`.
 */
export async function findSession(
  db: Db,
  token: { readonly hmac: Buffer; readonly now: string; readonly idleSince: string },
): Promise<SessionReading | null> {
  // One row for each account.
  const { rows } = await db.query<Row>({
    name: 'session_find',
    text: `select s.id, s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", s.account_id as "accountId",
                  u.id as "userId", u.email, u.name, a.id as "ofAccountId", a.company_name as "companyName",
                  a.is_fiction as "isSandbox", m.role
             from sessions s
             join users u on u.id = s.user_id
             left join memberships m on m.user_id = u.id
             left join accounts a on a.id = m.account_id
            where s.token_hmac = $1 and s.revoked_at is null and s.expires_at > $2 and s.last_seen_at > $3
            order by a.company_name, a.id`,
    values: [token.hmac, token.now, token.idleSince],
  })
  const [first] = rows
  if (first === undefined) return null
  const { id, createdAt, lastSeenAt, accountId, userId, email, name } = first
  const memberships = rows.flatMap(({ ofAccountId, companyName, isSandbox, role }) =>
    ofAccountId === null || companyName === null || isSandbox === null || role === null
      ? []
      : [{ accountId: ofAccountId, companyName, isSandbox, role }],
  )
  return { id, createdAt, lastSeenAt, accountId, userId, email, name, memberships }
}

/** Writes at most once a minute for each session. */
export async function touchSession(
  db: Db,
  session: { readonly id: string; readonly now: string; readonly ip: string | null },
): Promise<void> {
  await db.query({
    name: 'session_touch',
    text: `update sessions set last_seen_at = $2, ip = coalesce($3, ip)
            where id = $1 and last_seen_at < $2::timestamptz - interval '1 minute'`,
    values: [session.id, session.now, session.ip],
  })
}

/** Gives the session a new token. The old token is no longer valid. */
export async function renewSession(
  db: Db,
  session: { readonly id: string; readonly tokenHmac: Buffer },
): Promise<void> {
  await db.query({
    name: 'session_renew',
    text: `update sessions set token_hmac = $2 where id = $1 and revoked_at is null`,
    values: [session.id, session.tokenHmac],
  })
}

export async function putSessionAccount(
  db: Db,
  session: { readonly id: string; readonly accountId: string },
): Promise<void> {
  await db.query({
    name: 'session_account',
    text: `update sessions set account_id = $2 where id = $1`,
    values: [session.id, session.accountId],
  })
}

/** Last used first. */
export async function listSessions(
  db: Db,
  of: { readonly userId: string; readonly now: string; readonly idleSince: string },
): Promise<readonly SessionRow[]> {
  const { rows } = await db.query<SessionRow>({
    name: 'sessions_list',
    text: `select ${columns} from sessions
            where user_id = $1 and revoked_at is null and expires_at > $2 and last_seen_at > $3
            order by last_seen_at desc, id`,
    values: [of.userId, of.now, of.idleSince],
  })
  return rows
}

/** Ends one session of the person, or all sessions except `butId`. Returns their ids. */
export async function revokeSessions(
  db: Db,
  which: {
    readonly userId: string
    readonly id: string | null
    readonly butId: string | null
    readonly now: string
  },
): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'sessions_revoke',
    text: `update sessions set revoked_at = $4
            where user_id = $1 and revoked_at is null and ($2::uuid is null or id = $2) and id is distinct from $3
           returning id`,
    values: [which.userId, which.id, which.butId, which.now],
  })
  return rows.map(({ id }) => id)
}

/** Deletes sessions that ended long ago, of all people. */
export async function deleteOldSessions(db: Db, { before }: { readonly before: string }): Promise<void> {
  await db.query({
    name: 'sessions_delete',
    text: `delete from sessions where expires_at < $1 or revoked_at < $1`,
    values: [before],
  })
}
