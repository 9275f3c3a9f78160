/**
 * Mails are written, encrypted, in the transaction of what they report, and sent later by the process that works on the
 * queue. A mail server that is down, or a process that is killed, loses none.
 */

import { uuidV7 } from '../../platform/ids.ts'
import type { Db } from '../../store/database.ts'
import { handOnTrace } from '../../store/ground/trace-notices.ts'
import { wake } from '../../store/ground/wake.ts'
import { insertMail, type MailKind } from '../../store/telling/mails.ts'
import type { Origin } from '../context.ts'
import { realNow, type Service } from '../service.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/**
 * Somebody asked for a new password for this address. Whether a person has the address is looked up only when nobody
 * waits for the answer.
 */
export interface ResetAsked {
  readonly emailKey: string
  readonly requestId: string
  readonly from: Origin
}

export type Queued =
  | {
      readonly kind: Exclude<MailKind, 'password_reset_asked'>
      /** The invitation, person or webhook. */
      readonly about: string
      readonly mail: Mail
      readonly goodForMs: number
    }
  | { readonly kind: 'password_reset_asked'; readonly asked: ResetAsked; readonly goodForMs: number }

/** What is stored encrypted in the row. */
export type QueuedContent = Mail | ResetAsked

/** Call it only where mail is sent at all (`sendsMail`): without a mail server nobody works on the queue. */
export async function queueMail(db: Db, service: Service, queued: Queued): Promise<void> {
  const nowMs = service.clock.now()
  const content: QueuedContent = queued.kind === 'password_reset_asked' ? queued.asked : queued.mail
  const id = uuidV7(nowMs)
  await insertMail(db, {
    id,
    kind: queued.kind,
    about: queued.kind === 'password_reset_asked' ? null : queued.about,
    contentSealed: service.vault.seal(JSON.stringify(content)),
    now: realNow(service),
    expiresAt: new Date(nowMs + queued.goodForMs).toISOString(),
  })
  await handOnTrace(db, [id])
  await wake(db, 'mails')
}
