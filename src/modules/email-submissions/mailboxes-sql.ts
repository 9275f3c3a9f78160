/** The addresses to which an account's documents are sent by e-mail, and the senders that it trusts. */

import type { Db } from '../../db/database.ts'

export interface MailboxRow {
  readonly id: string
  readonly encryptedToken: Buffer
  readonly createdAt: string
}

export interface MailboxSender {
  readonly id: string
  /** An address, or `@` and a domain, in lower case. */
  readonly sender: string
  readonly createdAt: string
}

/** False when the account has as many that are open as it may have. */
export async function insertMailbox(
  db: Db,
  row: MailboxRow & { readonly accountId: string; readonly tokenHmac: Buffer; readonly openMax: number },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'mailbox_insert',
    text: `insert into mailboxes (account_id, id, token_hmac, token_sealed, created_at)
           select $1, $2, $3, $4, $5
            where (select count(*) from mailboxes where account_id = $1 and revoked_at is null) < $6`,
    values: [row.accountId, row.id, row.tokenHmac, row.encryptedToken, row.createdAt, row.openMax],
  })
  return rowCount === 1
}

/** Those that are open, oldest first. */
export async function listMailboxes(db: Db, accountId: string): Promise<readonly MailboxRow[]> {
  const { rows } = await db.query<MailboxRow>({
    name: 'mailboxes_list',
    text: `select id, token_sealed as "encryptedToken", created_at as "createdAt" from mailboxes
            where account_id = $1 and revoked_at is null order by created_at, id`,
    values: [accountId],
  })
  return rows
}

/** False when the account has no such mailbox that is open. */
export async function revokeMailbox(
  db: Db,
  of: { readonly accountId: string; readonly id: string; readonly at: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'mailbox_revoke',
    text: `update mailboxes set revoked_at = $3 where account_id = $1 and id = $2 and revoked_at is null`,
    values: [of.accountId, of.id, of.at],
  })
  return rowCount === 1
}

/** Whose address it is. The one statement about mailboxes that does not name an account: it finds out which it is. */
export async function findOpenMailbox(
  db: Db,
  tokenHmac: Buffer,
): Promise<{ readonly accountId: string; readonly id: string } | null> {
  const { rows } = await db.query<{ accountId: string; id: string; isOpen: boolean }>({
    name: 'mailbox_find',
    text: `select account_id as "accountId", id, revoked_at is null as "isOpen" from mailboxes where token_hmac = $1`,
    values: [tokenHmac],
  })
  const [row] = rows
  return row?.isOpen === true ? { accountId: row.accountId, id: row.id } : null
}

export async function listMailboxSenders(db: Db, accountId: string): Promise<readonly MailboxSender[]> {
  const { rows } = await db.query<MailboxSender>({
    name: 'mailbox_senders_list',
    text: `select id, sender, created_at as "createdAt" from mailbox_senders
            where account_id = $1 order by sender collate "C"`,
    values: [accountId],
  })
  return rows
}

/** `listed`: it is on the list already. `full`: the list is as long as it may be. */
export async function insertMailboxSender(
  db: Db,
  row: MailboxSender & { readonly accountId: string; readonly sendersMax: number },
): Promise<'made' | 'listed' | 'full'> {
  const { rows } = await db.query<{ made: number; listed: boolean }>({
    name: 'mailbox_sender_insert',
    text: `with made as (
             insert into mailbox_senders (account_id, id, sender, created_at)
             select $1, $2, $3, $4 where (select count(*) from mailbox_senders where account_id = $1) < $5
             on conflict (account_id, sender) do nothing
             returning 1
           )
           select (select count(*)::int from made) as made,
                  exists (select 1 from mailbox_senders where account_id = $1 and sender = $3) as listed`,
    values: [row.accountId, row.id, row.sender, row.createdAt, row.sendersMax],
  })
  const [found] = rows
  return found?.made === 1 ? 'made' : found?.listed === true ? 'listed' : 'full'
}

/** The sender that was removed from the list; null when the account has none with this id. */
export async function deleteMailboxSender(
  db: Db,
  of: { readonly accountId: string; readonly id: string },
): Promise<string | null> {
  const { rows } = await db.query<{ sender: string }>({
    name: 'mailbox_sender_delete',
    text: `delete from mailbox_senders where account_id = $1 and id = $2 returning sender`,
    values: [of.accountId, of.id],
  })
  return rows[0]?.sender ?? null
}
