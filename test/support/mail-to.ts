/** Keeps an e-mail for an account, as if it had come over SMTP. */

import { readRawMail } from '../../src/connectors/email/raw-mail.ts'
import type { Context } from '../../src/modules/access/context.ts'
import { createMailbox } from '../../src/modules/email-submissions/mailboxes.ts'
import { storeMail } from '../../src/modules/email-submissions/receive-mail.ts'
import type { TestService } from './service.ts'

/** Returns the id of the mailbox to which it came, and that of the submission. */
export async function mailTo(
  { service }: TestService,
  context: Context,
  of: { readonly subject: string; readonly body: string },
): Promise<Record<'mailbox' | 'submission', string>> {
  const { id, address } = await createMailbox(service, context)
  const head = [`From: ops@sender.example`, `To: ${address}`, `Subject: ${of.subject}`]
  const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${of.body}\r\n`)
  const raw = readRawMail(bytes)
  if (raw === null) throw new Error('the header is too long')
  const { id: accountId } = context.account
  const sending = { clientIp: '192.0.2.1', helo: 'mx.sender.example', mailFrom: 'ops@sender.example' }
  await storeMail(service, { bytes, raw, mailboxes: [{ accountId, id }], sending })
  const { rows } = await service.pool.query<{ id: string }>(
    'select id from email_submissions where account_id = $1 and mailbox_id = $2',
    [accountId, id],
  )
  return { mailbox: id, submission: rows[0]?.id ?? '' }
}
