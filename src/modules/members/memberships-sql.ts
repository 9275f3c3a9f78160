/** Who belongs to which account, and as what. */

import type { Db } from '../../db/database.ts'

export interface MembershipRow {
  readonly accountId: string
  readonly userId: string
  readonly role: string
}

export interface Member extends MembershipRow {
  readonly email: string
  readonly name: string
  readonly hasTotp: boolean
  readonly createdAt: string
}

export interface AccountOfUser {
  readonly accountId: string
  readonly companyName: string
  readonly isSandbox: boolean
  readonly role: string
}

/** False when the person is in the account already. */
export async function insertMembership(
  db: Db,
  membership: MembershipRow & { readonly createdAt: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'membership_insert',
    text: `insert into memberships (account_id, user_id, role, created_at) values ($1, $2, $3, $4)
           on conflict do nothing`,
    values: [membership.accountId, membership.userId, membership.role, membership.createdAt],
  })
  return rowCount === 1
}

/** By company name, all accounts of one person. */
export async function listAccountsOfUser(db: Db, userId: string): Promise<readonly AccountOfUser[]> {
  const { rows } = await db.query<AccountOfUser>({
    name: 'memberships_of_user',
    text: `select m.account_id as "accountId", a.company_name as "companyName", a.is_fiction as "isSandbox", m.role
             from memberships m join accounts a on a.id = m.account_id
            where m.user_id = $1
            order by a.company_name, a.id`,
    values: [userId],
  })
  return rows
}

export async function findMembership(
  db: Db,
  key: { readonly accountId: string; readonly userId: string },
): Promise<AccountOfUser | null> {
  const { rows } = await db.query<AccountOfUser>({
    name: 'membership_find',
    text: `select m.account_id as "accountId", a.company_name as "companyName", a.is_fiction as "isSandbox", m.role
             from memberships m join accounts a on a.id = m.account_id
            where m.account_id = $1 and m.user_id = $2`,
    values: [key.accountId, key.userId],
  })
  return rows[0] ?? null
}

export interface Colleague {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** Those of these people who are members, in no particular order. */
export async function findColleagues(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly Colleague[]> {
  const { rows } = await db.query<Colleague>({
    name: 'memberships_colleagues',
    text: `select u.id, u.name, u.email
             from memberships m join users u on u.id = m.user_id
            where m.account_id = $1 and m.user_id = any($2::uuid[])`,
    values: [of.accountId, of.ids],
  })
  return rows
}

export async function listMembers(db: Db, { accountId }: { readonly accountId: string }): Promise<readonly Member[]> {
  const { rows } = await db.query<Member>({
    name: 'members_list',
    text: `select m.account_id as "accountId", m.user_id as "userId", m.role, m.created_at as "createdAt",
                  u.email, u.name, u.totp_sealed is not null as "hasTotp"
             from memberships m join users u on u.id = m.user_id
            where m.account_id = $1
            order by m.created_at, u.id`,
    values: [accountId],
  })
  return rows
}

/**
 * The roles of all members. The account is locked until the transaction ends: whoever changes roles waits for the
 * other, so that two owners who leave at the same moment do not both see that one owner stays.
 */
export async function lockMembers(
  db: Db,
  { accountId }: { readonly accountId: string },
): Promise<ReadonlyMap<string, string>> {
  await db.query({
    name: 'account_lock',
    text: `select id from accounts where id = $1 for no key update`,
    values: [accountId],
  })
  const { rows } = await db.query<MembershipRow>({
    name: 'members_roles',
    text: `select account_id as "accountId", user_id as "userId", role from memberships where account_id = $1`,
    values: [accountId],
  })
  return new Map(rows.map(({ userId, role }) => [userId, role]))
}

export async function putRole(db: Db, membership: MembershipRow): Promise<void> {
  await db.query({
    name: 'membership_role',
    text: `update memberships set role = $3 where account_id = $1 and user_id = $2`,
    values: [membership.accountId, membership.userId, membership.role],
  })
}

export async function deleteMembership(
  db: Db,
  key: { readonly accountId: string; readonly userId: string },
): Promise<void> {
  await db.query({
    name: 'membership_delete',
    text: `delete from memberships where account_id = $1 and user_id = $2`,
    values: [key.accountId, key.userId],
  })
}
