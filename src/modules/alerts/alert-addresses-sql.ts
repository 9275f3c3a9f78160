/** Addresses that alert rules name, and whether somebody has shown that they read there. */

import type { Db } from '../../db/database.ts'

export interface AlertAddress {
  readonly emailKey: string
  readonly requestedAt: string
  readonly isConfirmed: boolean
  readonly isStopped: boolean
}

/** `isConfirmed` is true of a member only while the person is in the account. */
export async function listAlertAddresses(db: Db, accountId: string): Promise<readonly AlertAddress[]> {
  const { rows } = await db.query<AlertAddress>({
    name: 'alert_addresses_list',
    text: `select a.email_key as "emailKey", a.asked_at as "requestedAt", a.stopped_at is not null as "isStopped",
                  a.confirmed_at is not null and a.stopped_at is null and (not a.is_member or exists (
                    select from memberships m join users u on u.id = m.user_id
                     where m.account_id = $1 and u.email_key = a.email_key)) as "isConfirmed"
             from alert_addresses a where a.account_id = $1`,
    values: [accountId],
  })
  return rows
}

/** Members who came by an invitation to this address: the mail with the link has shown that they read there. */
export async function listInvitedMembers(
  db: Db,
  of: { readonly accountId: string; readonly emailKeys: readonly string[] },
): Promise<readonly string[]> {
  const { rows } = await db.query<{ emailKey: string }>({
    name: 'alert_addresses_invited',
    text: `select distinct u.email_key as "emailKey"
             from memberships m join users u on u.id = m.user_id
             join invitations i on i.account_id = m.account_id and i.email_key = u.email_key and i.accepted_at is not null
            where m.account_id = $1 and u.email_key = any($2::text[])`,
    values: [of.accountId, of.emailKeys],
  })
  return rows.map(({ emailKey }) => emailKey)
}

export async function putAlertAddress(
  db: Db,
  address: {
    readonly accountId: string
    readonly emailKey: string
    readonly tokenHmac: Buffer
    readonly now: string
    readonly isMember: boolean
  },
): Promise<void> {
  await db.query({
    name: 'alert_address_put',
    text: `insert into alert_addresses (account_id, email_key, token_hmac, asked_at, confirmed_at, is_member)
           values ($1, $2, $3, $4, case when $5::boolean then $4::timestamptz end, $5)
           on conflict (account_id, email_key) do update
              set asked_at = excluded.asked_at, is_member = excluded.is_member,
                  confirmed_at = coalesce(alert_addresses.confirmed_at, excluded.confirmed_at)`,
    values: [address.accountId, address.emailKey, address.tokenHmac, address.now, address.isMember],
  })
}

/** Whose link it is. The one statement here that names no account: it finds out which it is. Null when it is nobody's. */
export async function confirmOrStopAlerts(
  db: Db,
  of: { readonly tokenHmac: Buffer; readonly wants: boolean; readonly now: string },
): Promise<{ readonly emailKey: string; readonly companyName: string } | null> {
  const { rows } = await db.query<{ emailKey: string; companyName: string }>({
    name: 'alert_address_answer',
    text: `update alert_addresses d
              set confirmed_at = case when $2::boolean then coalesce(d.confirmed_at, $3) else d.confirmed_at end,
                  is_member = d.is_member and not $2::boolean,
                  stopped_at = case when $2::boolean then null else $3::timestamptz end
             from accounts a where d.token_hmac = $1 and a.id = d.account_id
           returning d.email_key as "emailKey", a.company_name as "companyName"`,
    values: [of.tokenHmac, of.wants, of.now],
  })
  return rows[0] ?? null
}
