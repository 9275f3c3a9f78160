/** Sends one sample by an alert rule at once, and reports the result. */

import { randomUUID } from 'node:crypto'
import { inTransaction } from '../../db/database.ts'
import type { Mail } from '../../pipeline/jobs/queue-mail.ts'
import { findConfirmedAddresses, toEmailKey } from '../../pipeline/notifications/alert-addresses.ts'
import { type AlertContent, writeAlertBody, writeAlertMail } from '../../pipeline/notifications/compose-alert.ts'
import { MailFault, sendMail } from '../../pipeline/notifications/send-mail.ts'
import { postMessage } from '../../pipeline/notifications/send-messages.ts'
import { type Context, requireScope } from '../access/context.ts'
import { recordChange } from '../audit/record-change.ts'
import { notFound } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { listAlertRules } from './alert-rules-sql.ts'
import { maskUrl } from './check-alert-rule.ts'

export interface TestResult {
  readonly channel: 'email' | 'webhook'
  readonly to: string
  readonly isSent: boolean
  readonly statusCode: number | null
  readonly error: string | null
}

export async function testRule(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<readonly TestResult[]> {
  requireScope(context, 'write')
  const accountId = context.account.id
  const rule = (await listAlertRules(service.pool, accountId)).find((each) => each.id === id)
  if (rule === undefined) throw notFound('alert rule')
  const content: AlertContent = {
    rule: { id, name: rule.name },
    companyName: context.account.companyName,
    isTest: true,
    items: [
      {
        id: `held.${id}`,
        reason: 'held',
        text: 'A test: CSQU3054383 is held where it is: customs.',
        shipmentId: null,
      },
    ],
  }
  const results: TestResult[] = []
  const readers = await findConfirmedAddresses(service.pool, service, { accountId, emails: rule.emails })
  for (const email of rule.emails) {
    const reader = readers.find((each) => toEmailKey(each.email) === toEmailKey(email))
    const error =
      reader === undefined
        ? 'this address is not confirmed'
        : await tryMail(service, writeAlertMail(service, content, reader))
    results.push({ channel: 'email', to: email, isSent: error === null, statusCode: null, error })
  }
  if (rule.encryptedUrl !== null && rule.urlFormat !== null) {
    const body = writeAlertBody(content, rule.urlFormat, realNow(service))
    const { error, statusCode } = await postMessage(service, {
      accountId,
      encryptedUrl: rule.encryptedUrl,
      body,
    })
    const to = maskUrl(service.encryption.decrypt(rule.encryptedUrl))
    results.push({ channel: 'webhook', to, isSent: error === null, statusCode, error })
  }
  await inTransaction(service.pool, (db) =>
    recordChange(db, service, context, {
      action: 'alert_rule.tested',
      target: { type: 'alert_rule', id },
      diff: null,
    }),
  )
  return results
}

async function tryMail(service: Service, mail: Mail): Promise<string | null> {
  try {
    await sendMail(service, { ...mail, id: randomUUID() })
    return null
  } catch (error) {
    if (error instanceof MailFault) return error.reason
    throw error
  }
}
