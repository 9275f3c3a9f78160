/**
 * Receives an e-mail for the accounts to whose mailboxes it was sent. The account follows from the recipient alone.
 * When the promise has ended, the e-mail is stored: its file is durable and its rows are committed.
 */

import type { SmtpSession } from '../../connectors/email/prove-sender.ts'
import { type RawMail, withoutTrace } from '../../connectors/email/raw-mail.ts'
import { inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { addMs } from '../../domain/values/time.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { holdFile, storeFile } from '../documents/store-file.ts'
import { realNow, type Service } from '../service.ts'
import { countSubmissions, hasSubmission, insertSubmission } from './email-submissions-sql.ts'
import { tokenIn } from './mail-address.ts'
import { findOpenMailbox } from './mailboxes-sql.ts'

export interface OpenMailbox {
  readonly accountId: string
  readonly id: string
}

const hourMs = 3_600_000

/**
 * Null when no open mailbox has this address. An invalid address is looked up too: so the time of the answer does not
 * show whether an address was deleted or never existed.
 */
export async function findMailbox(
  service: Service,
  of: { readonly address: string; readonly domain: string },
): Promise<OpenMailbox | null> {
  return findOpenMailbox(service.pool, service.encryption.hmac(tokenIn(of.address, of.domain)))
}

/** True when as many e-mails came to the account within an hour as may come, over all processes. */
export async function exceedsHourlyLimit(service: Service, { accountId }: OpenMailbox): Promise<boolean> {
  const limit = service.config.mailIn.perAccountHour
  if (limit === 0) return false
  const since = addMs(realNow(service), -hourMs)
  return (await countSubmissions(service.pool, { accountId, since, limit })) >= limit
}

export async function storeMail(
  service: Service,
  of: {
    readonly bytes: Buffer
    readonly raw: RawMail
    readonly mailboxes: readonly OpenMailbox[]
    readonly sending: SmtpSession
  },
): Promise<void> {
  const { bytes, raw, mailboxes, sending } = of
  const contentHash = service.encryption.digest(withoutTrace(raw))
  const oneOfEach = [...new Map(mailboxes.toReversed().map((each) => [each.accountId, each])).values()]
  for (const { accountId, id: mailboxId } of oneOfEach) {
    const isNew =
      !(await hasSubmission(service.pool, { accountId, contentHash })) &&
      (await storeMailFor(service, { accountId, mailboxId, contentHash, bytes, sending }))
    service.metrics.emailTaken({ outcome: isNew ? 'kept' : 'repeated', accountId, bytes: bytes.length })
  }
}

/** False when another process was faster with the same e-mail. The file that belongs to no row is deleted later. */
async function storeMailFor(
  service: Service,
  of: {
    readonly accountId: string
    readonly mailboxId: string
    readonly contentHash: Buffer
    readonly bytes: Buffer
    readonly sending: SmtpSession
  },
): Promise<boolean> {
  const { accountId, mailboxId, contentHash, bytes, sending } = of
  const fileId = await storeFile(service, { accountId, bytes })
  return inTransaction(service.pool, async (db) => {
    const isNew = await insertSubmission(db, {
      accountId,
      id: uuidV7(service.clock.now()),
      mailboxId,
      contentHash,
      fileId,
      byteSize: bytes.length,
      ...sending,
      createdAt: realNow(service),
    })
    if (!isNew) return false
    await holdFile(db, { accountId, id: fileId })
    wakeWorkers(db, 'emails')
    return true
  })
}
