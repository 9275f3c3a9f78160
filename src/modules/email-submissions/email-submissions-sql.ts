/**
 * E-mails that have come with documents: each is stored once, and worked on under a lease until all attachments have a
 * final result.
 */

import type { MailHead } from '../../connectors/email/mail.ts'
import type { Db } from '../../db/database.ts'
import {
  acquireFromFirstAccount,
  acquirePerAccount,
  type RowOfAccount,
} from '../../db/distributed/acquire-per-account.ts'

export interface NewSubmission {
  readonly accountId: string
  readonly id: string
  readonly mailboxId: string
  readonly contentHash: Buffer
  readonly fileId: string
  readonly byteSize: number
  readonly clientIp: string | null
  readonly helo: string | null
  readonly mailFrom: string
  readonly createdAt: string
}

/** False when the account has the same e-mail already. */
export async function insertSubmission(db: Db, row: NewSubmission): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'email_submission_insert',
    text: `insert into email_submissions (account_id, id, mailbox_id, content_hash, file_id, byte_size, client_ip, helo,
                                          mail_from, created_at, updated_at, due_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $10)
           on conflict (account_id, content_hash) do nothing`,
    values: [
      row.accountId,
      row.id,
      row.mailboxId,
      row.contentHash,
      row.fileId,
      row.byteSize,
      row.clientIp,
      row.helo,
      row.mailFrom,
      row.createdAt,
    ],
  })
  return rowCount === 1
}

export async function hasSubmission(
  db: Db,
  of: { readonly accountId: string; readonly contentHash: Buffer },
): Promise<boolean> {
  const { rows } = await db.query({
    name: 'email_submission_has',
    text: `select from email_submissions where account_id = $1 and content_hash = $2`,
    values: [of.accountId, of.contentHash],
  })
  return rows.length > 0
}

/** How many came to the account since a time. Counted to `limit` and no further. */
export async function countSubmissions(
  db: Db,
  of: { readonly accountId: string; readonly since: string; readonly limit: number },
): Promise<number> {
  const { rows } = await db.query<{ n: number }>({
    name: 'email_submissions_count',
    text: `select count(*)::int as n from (
             select from email_submissions where account_id = $1 and created_at > $2 limit $3) as counted`,
    values: [of.accountId, of.since, of.limit],
  })
  return rows[0]?.n ?? 0
}

export interface LeasedSubmission {
  readonly accountId: string
  readonly companyName: string
  readonly isSandbox: boolean
  readonly id: string
  readonly fileId: string | null
  readonly clientIp: string | null
  readonly helo: string | null
  readonly mailFrom: string
  readonly isParsed: boolean
  readonly spf: string | null
  readonly dkim: string | null
  readonly isSenderVerified: boolean | null
  readonly fromAddresses: readonly string[]
  readonly createdAt: string
  /** With this one. */
  readonly attempts: number
}

/** Of each account the one that has waited longest. A lease that has run out is due again: `due_at` moves to its end. */
export async function leaseSubmissions(
  db: Db,
  lease: { readonly token: string; readonly now: string; readonly until: string; readonly limit: number },
): Promise<readonly LeasedSubmission[]> {
  const found = await db.query<RowOfAccount>({
    name: 'email_submissions_due',
    text: `select account_id as "accountId", id
             from (select distinct on (account_id) account_id, id, due_at from email_submissions
                    where due_at <= $1 order by account_id, due_at, id) h
            order by due_at limit $2`,
    values: [lease.now, lease.limit],
  })
  return acquirePerAccount(found.rows, async (accountId, ids) => {
    const { rows } = await db.query<LeasedSubmission>({
      name: 'email_submissions_lease',
      text: `with taken as (
               update email_submissions set due_at = $5, lease_token = $3, attempts = attempts + 1
                where account_id = $1 and id = any($2::uuid[]) and due_at <= $4
               returning *
             )
             select t.account_id as "accountId", a.company_name as "companyName", a.is_fiction as "isSandbox", t.id,
                    t.file_id as "fileId", t.client_ip as "clientIp", t.helo, t.mail_from as "mailFrom",
                    t.is_taken_apart as "isParsed", t.spf, t.dkim, t.is_sender_proven as "isSenderVerified",
                    t.from_addresses as "fromAddresses", t.created_at as "createdAt", t.attempts
               from taken t join accounts a on a.id = t.account_id`,
      values: [accountId, ids, lease.token, lease.now, lease.until],
    })
    return rows
  })
}

interface SubmissionLease {
  readonly accountId: string
  readonly id: string
  readonly token: string
}

export async function saveHead(
  db: Db,
  of: {
    readonly accountId: string
    readonly id: string
    readonly encryptedBody: Buffer | null
    readonly at: string
  },
  head: MailHead,
): Promise<void> {
  await db.query({
    name: 'email_submission_head',
    text: `update email_submissions
              set is_taken_apart = true, subject = $3, sealed_body = $4, from_addresses = $5, to_addresses = $6,
                  cc_addresses = $7, message_id = $8, in_reply_to = $9, reference_ids = $10, content_type = $11,
                  sent_at = $12, updated_at = $13
            where account_id = $1 and id = $2`,
    values: [
      of.accountId,
      of.id,
      head.subject,
      of.encryptedBody,
      head.from,
      head.to,
      head.cc,
      head.messageId,
      head.inReplyTo,
      head.references,
      head.contentType,
      head.sentAt,
      of.at,
    ],
  })
}

export async function saveSenderVerification(
  db: Db,
  of: {
    readonly accountId: string
    readonly id: string
    readonly spf: string
    readonly dkim: string
    readonly isSenderVerified: boolean
  },
): Promise<void> {
  await db.query({
    name: 'email_submission_proof',
    text: `update email_submissions set spf = $3, dkim = $4, is_sender_proven = $5 where account_id = $1 and id = $2`,
    values: [of.accountId, of.id, of.spf, of.dkim, of.isSenderVerified],
  })
}

/** `dueAt` null: it is done. Does nothing when another worker has taken it over. */
export async function releaseSubmission(
  db: Db,
  of: SubmissionLease & { readonly dueAt: string | null; readonly at: string },
): Promise<void> {
  await db.query({
    name: 'email_submission_release',
    text: `update email_submissions
              set due_at = $4, lease_token = null, updated_at = case when $4::timestamptz is null then $5 else updated_at end
            where account_id = $1 and id = $2 and lease_token = $3`,
    values: [of.accountId, of.id, of.token, of.dueAt, of.at],
  })
}

/** Those that are done and came before this time lose their files. Returns the files, some of one account at a time. */
export async function forgetMailFiles(
  db: Db,
  of: { readonly before: string; readonly limit: number },
): Promise<readonly RowOfAccount[]> {
  const found = await db.query<RowOfAccount>({
    name: 'email_submissions_of_old_files',
    text: `select account_id as "accountId", id from email_submissions
            where created_at < $1 and file_id is not null and due_at is null
            order by created_at limit $2`,
    values: [of.before, of.limit],
  })
  return acquireFromFirstAccount(found.rows, async (accountId, ids) => {
    const { rows } = await db.query<RowOfAccount>({
      name: 'email_submissions_forget_files',
      text: `with old as (
               select id, file_id from email_submissions
                where account_id = $1 and id = any($2::uuid[]) and file_id is not null and due_at is null
                order by id for update skip locked
             )
             update email_submissions s set file_id = null from old o
              where s.account_id = $1 and s.id = o.id
             returning s.account_id as "accountId", o.file_id as id`,
      values: [accountId, ids],
    })
    return rows
  })
}
