/**
 * Mails are written, encrypted, in the transaction of what they report, and sent later by the process that works on the
 * queue. A mail server that is down, or a process that is killed, loses none.
 */

import type { Db } from '../../db/database.ts'
import { sendTrace } from '../../db/trace-notices.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import type { Origin } from '../../modules/access/context.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { insertMail, type MailKind } from '../notifications/mails-sql.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/**
 * Somebody requested a new password for this address. Whether a person has the address is checked only when nobody
 * waits for the answer.
 */
export interface PasswordResetRequest {
  readonly emailKey: string
  readonly requestId: string
  readonly from: Origin
}

export type QueuedMail =
  | {
      readonly kind: Exclude<MailKind, 'password_reset_asked'>
      /** The invitation, person or webhook. */
      readonly about: string
      readonly mail: Mail
      readonly goodForMs: number
    }
  | {
      readonly kind: 'password_reset_asked'
      readonly resetRequest: PasswordResetRequest
      readonly goodForMs: number
    }

/** What is stored encrypted in the row. */
export type QueuedContent = Mail | PasswordResetRequest

/** Call it only where mail is sent at all (`sendsMail`): without a mail server nobody works on the queue. */
export async function queueMail(db: Db, service: Service, queued: QueuedMail): Promise<void> {
  const nowMs = service.clock.now()
  const content: QueuedContent = queued.kind === 'password_reset_asked' ? queued.resetRequest : queued.mail
  const id = uuidV7(nowMs)
  await insertMail(db, {
    id,
    kind: queued.kind,
    about: queued.kind === 'password_reset_asked' ? null : queued.about,
    encryptedContent: service.encryption.encrypt(JSON.stringify(content)),
    now: realNow(service),
    expiresAt: new Date(nowMs + queued.goodForMs).toISOString(),
  })
  await sendTrace(db, [id])
  wakeWorkers(db, 'mails')
}
