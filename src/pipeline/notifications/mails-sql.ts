/**
 * Mails on their way to the mail server. Each is a row until the server accepted it, until its lifetime is over, or
 * until it was withdrawn.
 */

import type { Db } from '../../db/database.ts'

/**
 * `password_reset_asked` is not a mail yet, but a request for one. The worker that leases it finds out whether there is
 * such a user.
 */
export const mailKinds = [
  'invitation',
  'password_reset_asked',
  'password_reset',
  'webhook_disabled',
  'alert',
  'alert_address',
] as const
export type MailKind = (typeof mailKinds)[number]

export async function insertMail(
  db: Db,
  mail: {
    readonly id: string
    readonly kind: MailKind
    readonly about: string | null
    readonly encryptedContent: Buffer
    readonly now: string
    readonly expiresAt: string
  },
): Promise<void> {
  await db.query({
    name: 'mail_insert',
    text: `insert into mails (id, kind, about, content_sealed, created_at, expires_at, next_attempt_at)
           values ($1, $2, $3, $4, $5, $6, $5)`,
    values: [mail.id, mail.kind, mail.about, mail.encryptedContent, mail.now, mail.expiresAt],
  })
}

export interface LeasedMail {
  readonly id: string
  readonly kind: MailKind
  readonly encryptedContent: Buffer
  readonly createdAt: string
  readonly expiresAt: string
  /** This attempt included. */
  readonly attempts: number
}

/** Leases due mails, those that have waited longest first. Any number of processes may do it at once. */
export async function leaseMails(
  db: Db,
  lease: { readonly token: string; readonly now: string; readonly until: string; readonly limit: number },
): Promise<readonly LeasedMail[]> {
  const { rows } = await db.query<LeasedMail>({
    name: 'mails_lease',
    text: `with next as (
             select id from mails
              where next_attempt_at <= $2 and (leased_until is null or leased_until <= $2)
              order by next_attempt_at
              limit $4
              for update skip locked
           )
           update mails m set lease_token = $1, leased_until = $3, attempts = m.attempts + 1
             from next where m.id = next.id
           returning m.id, m.kind, m.content_sealed as "encryptedContent", m.created_at as "createdAt",
                     m.expires_at as "expiresAt", m.attempts`,
    values: [lease.token, lease.now, lease.until, lease.limit],
  })
  return rows
}

interface MailLease {
  readonly id: string
  readonly token: string
}

/** Returns the mail to the queue, to be tried again. Nothing happens when the lease was lost. */
export async function failMail(db: Db, mail: MailLease & { readonly nextAttemptAt: string }): Promise<void> {
  await db.query({
    name: 'mail_postpone',
    text: `update mails set next_attempt_at = $3, lease_token = null, leased_until = null
            where id = $1 and lease_token = $2`,
    values: [mail.id, mail.token, mail.nextAttemptAt],
  })
}

/** Returns false when the lease was lost or the mail was withdrawn. */
export async function completeMail(db: Db, mail: MailLease): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'mail_delete',
    text: `delete from mails where id = $1 and lease_token = $2`,
    values: [mail.id, mail.token],
  })
  return rowCount === 1
}

/** Deletes mails whose content is worthless by now. A mail that is being sent at this moment still arrives. */
export async function withdrawMails(
  db: Db,
  of: { readonly kind: MailKind; readonly about: readonly string[] },
): Promise<void> {
  await db.query({
    name: 'mails_withdraw',
    text: `delete from mails where about = any($2) and kind = $1`,
    values: [of.kind, of.about],
  })
}
