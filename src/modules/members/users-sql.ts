/** People who may sign in: their address, name, password (as a hash) and one-time codes. They belong to no account. */

import type { Db } from '../../db/database.ts'

export interface User {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  readonly passwordChangedAt: string
  readonly encryptedTotp: Buffer | null
  readonly encryptedPendingTotp: Buffer | null
  readonly createdAt: string
}

const columns = `id, email, name, password_hash as "passwordHash", password_changed_at as "passwordChangedAt",
  totp_sealed as "encryptedTotp", totp_pending_sealed as "encryptedPendingTotp", created_at as "createdAt"`

/** Returns false when there is a user with this address already. */
export async function insertUser(
  db: Db,
  user: Pick<User, 'id' | 'email' | 'name' | 'passwordHash' | 'createdAt'> & { readonly emailKey: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'user_insert',
    text: `insert into users (id, email, email_key, name, password_hash, password_changed_at, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $6, $6)
           on conflict (email_key) do nothing`,
    values: [user.id, user.email, user.emailKey, user.name, user.passwordHash, user.createdAt],
  })
  return rowCount === 1
}

export async function findUserByEmail(db: Db, emailKey: string): Promise<User | null> {
  const { rows } = await db.query<User>({
    name: 'user_by_email',
    text: `select ${columns} from users where email_key = $1`,
    values: [emailKey],
  })
  return rows[0] ?? null
}

export async function findUser(db: Db, id: string): Promise<User | null> {
  const { rows } = await db.query<User>({
    name: 'user_find',
    text: `select ${columns} from users where id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}

/** Whether anybody can sign in here. */
export async function hasUsers(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ hasUsers: boolean }>({
    name: 'users_exist',
    text: `select exists (select from users) as "hasUsers"`,
  })
  return rows[0]?.hasUsers === true
}

export interface UserOverview {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly hasTotp: boolean
  /** `company (role)`. */
  readonly accounts: readonly string[]
}

/** For the operator: all users, by address. */
export async function listUsers(db: Db): Promise<readonly UserOverview[]> {
  const { rows } = await db.query<UserOverview>({
    name: 'users_list',
    text: `select u.id, u.email, u.name, u.totp_sealed is not null as "hasTotp",
                  array(select a.company_name || ' (' || m.role || ')'
                          from memberships m join accounts a on a.id = m.account_id
                         where m.user_id = u.id order by 1) as accounts
             from users u
            order by u.email_key`,
  })
  return rows
}

export async function renameUser(
  db: Db,
  user: { readonly id: string; readonly name: string; readonly now: string },
): Promise<void> {
  await db.query({
    name: 'user_rename',
    text: `update users set name = $2, updated_at = $3 where id = $1`,
    values: [user.id, user.name, user.now],
  })
}

export async function putPassword(
  db: Db,
  user: { readonly id: string; readonly passwordHash: string; readonly now: string },
): Promise<void> {
  await db.query({
    name: 'user_password',
    text: `update users set password_hash = $2, password_changed_at = $3, updated_at = $3 where id = $1`,
    values: [user.id, user.passwordHash, user.now],
  })
}

export async function putPendingTotp(
  db: Db,
  user: { readonly id: string; readonly encrypted: Buffer; readonly now: string },
): Promise<void> {
  await db.query({
    name: 'user_totp_pending',
    text: `update users set totp_pending_sealed = $2, updated_at = $3 where id = $1`,
    values: [user.id, user.encrypted, user.now],
  })
}

/** Returns false when another secret is pending by now, or none. */
export async function confirmTotp(
  db: Db,
  user: { readonly id: string; readonly pending: Buffer; readonly step: number; readonly now: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'user_totp_confirm',
    text: `update users set totp_sealed = totp_pending_sealed, totp_pending_sealed = null, totp_last_step = $3,
                  updated_at = $4
            where id = $1 and totp_pending_sealed = $2`,
    values: [user.id, user.pending, user.step, user.now],
  })
  return rowCount === 1
}

export async function removeTotp(db: Db, user: { readonly id: string; readonly now: string }): Promise<void> {
  await db.query({
    name: 'user_totp_remove',
    text: `update users set totp_sealed = null, totp_pending_sealed = null, totp_last_step = null, updated_at = $2
            where id = $1`,
    values: [user.id, user.now],
  })
  await db.query({
    name: 'recovery_codes_delete',
    text: `delete from recovery_codes where user_id = $1`,
    values: [user.id],
  })
}

/**
 * Returns whether the code of this time step is newer than all codes so far. Of two requests with the same code only
 * one succeeds.
 */
export async function consumeTotpStep(db: Db, user: { readonly id: string; readonly step: number }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'user_totp_step',
    text: `update users set totp_last_step = $2
            where id = $1 and totp_sealed is not null and (totp_last_step is null or totp_last_step < $2)`,
    values: [user.id, user.step],
  })
  return rowCount === 1
}

/** Replaces the codes that were there. */
export async function putRecoveryCodes(
  db: Db,
  codes: { readonly userId: string; readonly hmacs: readonly Buffer[] },
): Promise<void> {
  await db.query({
    name: 'recovery_codes_replace',
    text: `delete from recovery_codes where user_id = $1`,
    values: [codes.userId],
  })
  await db.query({
    name: 'recovery_codes_insert',
    text: `insert into recovery_codes (user_id, code_hmac) select $1, unnest($2::bytea[])`,
    values: [codes.userId, codes.hmacs],
  })
}

export async function consumeRecoveryCode(
  db: Db,
  code: { readonly userId: string; readonly hmac: Buffer; readonly now: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'recovery_code_take',
    text: `update recovery_codes set used_at = $3 where user_id = $1 and code_hmac = $2 and used_at is null`,
    values: [code.userId, code.hmac, code.now],
  })
  return rowCount === 1
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'recovery_codes_count',
    text: `select count(*) as count from recovery_codes where user_id = $1 and used_at is null`,
    values: [userId],
  })
  return rows[0]?.count ?? 0
}
