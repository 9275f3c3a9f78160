/**
 * Works on the queue of mails. Each mail is sent under a lease, tried again while its content is valid, and then
 * dropped.
 */

import { consumeTrace } from '../../db/trace-notices.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { writeResetMail } from '../../modules/sessions/reset-password.ts'
import { findRetryGapMs } from '../../modules/webhooks/retry-schedule.ts'
import { kindOfError, type SpanHandle } from '../../platform/live-span.ts'
import { withSpan } from '../../platform/traces.ts'
import { leaseToken } from '../jobs/holder.ts'
import type { Mail, PasswordResetRequest } from '../jobs/queue-mail.ts'
import { completeMail, failMail, type LeasedMail, leaseMails } from './mails-sql.ts'
import { MailFault, sendMail, sendWithinMs } from './send-mail.ts'

/** In addition to the longest conversation: time to connect, and to delete the row afterwards. */
const leaseMarginMs = 60_000
/** The gap after the schedule of deliveries has ended. Only an invitation is valid that long. */
const lastGapMs = 86_400_000

/** Leases up to `limit` mails and starts them; each promise ends with its mail and never rejects. */
export async function workMails(service: Service, limit: number): Promise<readonly Promise<void>[]> {
  const nowMs = service.clock.now()
  const token = leaseToken(service)
  const mails = await leaseMails(service.pool, {
    token,
    now: realNow(service),
    until: new Date(nowMs + sendWithinMs + leaseMarginMs).toISOString(),
    limit,
  })
  return mails.map((mail) => workMail(service, mail, token))
}

function workMail(service: Service, mail: LeasedMail, token: string): Promise<void> {
  const { id, kind, attempts } = mail
  return withSpan(
    'mail',
    () => ({
      kind: 'client',
      attributes: { 'landfall.mail_id': id, 'landfall.kind': kind, 'landfall.attempt': attempts },
      parent: consumeTrace(id),
    }),
    (spanHandle) => processMailInSpan(service, { mail, token, spanHandle }),
  )
}

async function processMailInSpan(
  service: Service,
  { mail, token, spanHandle }: { readonly mail: LeasedMail; readonly token: string; readonly spanHandle: SpanHandle },
): Promise<void> {
  const { id, kind, attempts } = mail
  try {
    if (Date.parse(mail.expiresAt) <= service.clock.now()) {
      if (await completeMail(service.pool, { id, token }))
        service.metrics.mailDropped({ kind, mailId: id, attempts: attempts - 1 })
      return
    }
    const reason = await tryMail(service, mail, token)
    if (reason === null) return
    spanHandle.fail(reason)
    await failMail(service.pool, { id, token, nextAttemptAt: findNextAttempt(service, mail) })
    service.metrics.mailPostponed({ kind, mailId: id, attempt: attempts, reason })
  } catch (error) {
    spanHandle.fail(kindOfError(error))
    // The database is unreachable: the lease runs out, and the mail is leased again.
    service.metrics.jobFailed({ job: 'mail', mailId: id, error })
  }
}

/** Null when the mail is done; else the reason why not, without personal data. */
async function tryMail(service: Service, mail: LeasedMail, token: string): Promise<string | null> {
  const { id, kind } = mail
  const startedMs = performance.now()
  try {
    const content = service.encryption.decrypt(mail.encryptedContent)
    if (kind === 'password_reset_asked') {
      const resetRequest = JSON.parse(content) as PasswordResetRequest
      await writeResetMail(service, resetRequest, { replaces: (db) => completeMail(db, { id, token }) })
      return null
    }
    await sendMail(service, { ...(JSON.parse(content) as Mail), id })
  } catch (error) {
    if (error instanceof MailFault) return error.reason
    return error instanceof Error ? error.name : 'unknown'
  }
  const durationMs = Math.round(performance.now() - startedMs)
  service.metrics.mailSent({ kind, mailId: id, attempt: mail.attempts, durationMs })
  await completeMail(service.pool, { id, token })
  return null
}

/** Not later than the mail's expiry: at that attempt it is dropped. */
function findNextAttempt(service: Service, { attempts, expiresAt }: LeasedMail): string {
  const gapMs = findRetryGapMs({ attempts, random: Math.random(), retryAfterMs: null }) ?? lastGapMs
  return new Date(Math.min(service.clock.now() + gapMs, Date.parse(expiresAt))).toISOString()
}
