/**
 * Mails are written in the transaction of what they tell of, sealed, and sent by whoever works on the queue: a mail
 * server that is away, or a process that is killed, loses none.
 */

import { uuidV7 } from '../../platform/ids.ts'
import type { Db } from '../../store/database.ts'
import { insertMail, type MailKind } from '../../store/mails.ts'
import { wake } from '../../store/wake.ts'
import type { Origin } from '../context.ts'
import { realNow, type Service } from '../service.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Somebody asked for a new password for this address, which may be nobody's: looked up only once nobody waits. */
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

/** What stands sealed in the row. */
export type QueuedContent = Mail | ResetAsked

/** Only for where mail is sent at all (`sendsMail`): without a mail server nobody would come for it. */
export async function queueMail(db: Db, service: Service, queued: Queued): Promise<void> {
  const nowMs = service.clock.now()
  const content: QueuedContent = queued.kind === 'password_reset_asked' ? queued.asked : queued.mail
  await insertMail(db, {
    id: uuidV7(nowMs),
    kind: queued.kind,
    about: queued.kind === 'password_reset_asked' ? null : queued.about,
    contentSealed: service.vault.seal(JSON.stringify(content)),
    now: realNow(service),
    expiresAt: new Date(nowMs + queued.goodForMs).toISOString(),
  })
  await wake(db, 'mails')
}
