/**
 * Tokens on the way to a session: for a correct password that waits for its one-time code, for a requested new
 * password, and for the link of the first person.
 */

import type { Db } from '../../db/database.ts'
import { writeSetting } from '../../db/settings.ts'

const signInLinkSetting = 'sign_in_link'

interface NewToken {
  readonly hmac: Buffer
  readonly userId: string
  readonly now: string
  readonly expiresAt: string
}

export async function insertChallenge(db: Db, challenge: NewToken & { readonly attempts: number }): Promise<void> {
  await db.query({
    name: 'challenge_insert',
    text: `insert into sign_in_challenges (token_hmac, user_id, created_at, expires_at, attempts_left)
           values ($1, $2, $3, $4, $5)`,
    values: [challenge.hmac, challenge.userId, challenge.now, challenge.expiresAt, challenge.attempts],
  })
}

/**
 * Uses one attempt and returns the user; null when no attempt is left, or when the challenge has expired or never
 * existed.
 */
export async function consumeChallengeAttempt(
  db: Db,
  token: { readonly hmac: Buffer; readonly now: string },
): Promise<string | null> {
  const { rows } = await db.query<{ userId: string }>({
    name: 'challenge_attempt',
    text: `update sign_in_challenges set attempts_left = attempts_left - 1
            where token_hmac = $1 and expires_at > $2 and attempts_left > 0
           returning user_id as "userId"`,
    values: [token.hmac, token.now],
  })
  return rows[0]?.userId ?? null
}

/** Returns true for only one of those who delete it. */
export async function deleteChallenge(db: Db, hmac: Buffer): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'challenge_delete',
    text: `delete from sign_in_challenges where token_hmac = $1`,
    values: [hmac],
  })
  return rowCount === 1
}

export async function insertPasswordReset(db: Db, reset: NewToken): Promise<void> {
  await db.query({
    name: 'password_reset_insert',
    text: `insert into password_resets (token_hmac, user_id, created_at, expires_at) values ($1, $2, $3, $4)`,
    values: [reset.hmac, reset.userId, reset.now, reset.expiresAt],
  })
}

export async function findPasswordReset(
  db: Db,
  token: { readonly hmac: Buffer; readonly now: string },
): Promise<{ readonly userId: string } | null> {
  const { rows } = await db.query<{ userId: string }>({
    name: 'password_reset_find',
    text: `select user_id as "userId" from password_resets
            where token_hmac = $1 and used_at is null and expires_at > $2`,
    values: [token.hmac, token.now],
  })
  return rows[0] ?? null
}

/** Uses this reset up, and every other reset of the same person. Returns false when it was used already. */
export async function consumePasswordReset(
  db: Db,
  token: { readonly hmac: Buffer; readonly userId: string; readonly now: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'password_reset_take',
    text: `update password_resets set used_at = $2 where token_hmac = $1 and used_at is null and expires_at > $2`,
    values: [token.hmac, token.now],
  })
  await dropPasswordResets(db, token)
  return rowCount === 1
}

/** Makes links that were sent before worthless, because the password is new. */
export async function dropPasswordResets(db: Db, of: { readonly userId: string; readonly now: string }): Promise<void> {
  await db.query({
    name: 'password_resets_drop',
    text: `update password_resets set used_at = $2 where user_id = $1 and used_at is null`,
    values: [of.userId, of.now],
  })
}

/** Deletes tokens that expired long ago, of all people. */
export async function deleteOldTokens(db: Db, { before }: { readonly before: string }): Promise<void> {
  await db.query({
    name: 'challenges_delete_old',
    text: `delete from sign_in_challenges where expires_at < $1`,
    values: [before],
  })
  await db.query({
    name: 'password_resets_delete_old',
    text: `delete from password_resets where expires_at < $1`,
    values: [before],
  })
}

/** The link for the first person: at most one, so it is a setting. */
export async function putSignInLink(
  db: Db,
  link: { readonly hmac: Buffer; readonly accountId: string; readonly expiresAt: string },
): Promise<void> {
  const { hmac, accountId, expiresAt } = link
  await writeSetting(db, signInLinkSetting, { hmac: hmac.toString('hex'), accountId, expiresAt })
}

export async function findSignInLink(
  db: Db,
  token: { readonly hmac: Buffer; readonly now: string },
): Promise<{ readonly accountId: string } | null> {
  const { rows } = await db.query<{ accountId: string }>({
    name: 'sign_in_link_find',
    text: `select value ->> 'accountId' as "accountId" from settings
            where name = $1 and value ->> 'hmac' = $2 and (value ->> 'expiresAt')::timestamptz > $3`,
    values: [signInLinkSetting, token.hmac.toString('hex'), token.now],
  })
  return rows[0] ?? null
}

/** Returns true for only one of the callers that use it. */
export async function consumeSignInLink(
  db: Db,
  token: { readonly hmac: Buffer; readonly now: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'sign_in_link_take',
    text: `delete from settings
            where name = $1 and value ->> 'hmac' = $2 and (value ->> 'expiresAt')::timestamptz > $3`,
    values: [signInLinkSetting, token.hmac.toString('hex'), token.now],
  })
  return rowCount === 1
}
