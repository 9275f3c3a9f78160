/**
 * Works on the queue of mails. Each mail is sent under a lease, tried again while its content is valid, and then
 * dropped.
 */

import { kindOfError, type ToldSpan } from '../../../platform/live-span.ts'
import { span } from '../../../platform/traces.ts'
import { takeTrace } from '../../../store/ground/trace-notices.ts'
import { completeMail, failMail, type LeasedMail, takeMails } from '../../../store/telling/mails.ts'
import { leaseToken } from '../../ground/holder.ts'
import type { Mail, ResetAsked } from '../../ground/queue-mail.ts'
import { writeResetMail } from '../../people/users/reset-password.ts'
import { realNow, type Service } from '../../service.ts'
import { findRetryGapMs } from '../webhooks/retry-schedule.ts'
import { MailFault, sendMail, sendWithinMs } from './send-mail.ts'

/** In addition to the longest conversation: time to connect, and to delete the row afterwards. */
const leaseMarginMs = 60_000
/** The gap after the schedule of deliveries has ended. Only an invitation is valid that long. */
const lastGapMs = 86_400_000

/** Takes up to `limit` mails and starts them; each promise ends with its mail and never rejects. */
export async function workMails(service: Service, limit: number): Promise<readonly Promise<void>[]> {
  const nowMs = service.clock.now()
  const token = leaseToken(service)
  const mails = await takeMails(service.pool, {
    token,
    now: realNow(service),
    until: new Date(nowMs + sendWithinMs + leaseMarginMs).toISOString(),
    limit,
  })
  return mails.map((mail) => workMail(service, mail, token))
}

function workMail(service: Service, mail: LeasedMail, token: string): Promise<void> {
  const { id, kind, attempts } = mail
  return span(
    'mail',
    () => ({
      kind: 'client',
      attributes: { 'landfall.mail_id': id, 'landfall.kind': kind, 'landfall.attempt': attempts },
      parent: takeTrace(id),
    }),
    (told) => workWithin(service, { mail, token, told }),
  )
}

async function workWithin(
  service: Service,
  { mail, token, told }: { readonly mail: LeasedMail; readonly token: string; readonly told: ToldSpan },
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
    told.fail(reason)
    await failMail(service.pool, { id, token, nextAttemptAt: findNextAttempt(service, mail) })
    service.metrics.mailPostponed({ kind, mailId: id, attempt: attempts, reason })
  } catch (error) {
    told.fail(kindOfError(error))
    // The database is unreachable: the lease runs out, and the mail is taken again.
    service.metrics.jobFailed({ job: 'mail', mailId: id, error })
  }
}

/** Null when the mail is done; else the reason why not, without personal data. */
async function tryMail(service: Service, mail: LeasedMail, token: string): Promise<string | null> {
  const { id, kind } = mail
  const startedMs = performance.now()
  try {
    const content = service.vault.open(mail.contentSealed)
    if (kind === 'password_reset_asked') {
      const asked = JSON.parse(content) as ResetAsked
      await writeResetMail(service, asked, { replaces: (db) => completeMail(db, { id, token }) })
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
