/** Finds what is new for an alert rule, and what is over. What is found and what is sent are written together. */

import { type Db, inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { type AttentionItem, type ItemKey, parseItemId } from '../../domain/view/attention-item.ts'
import { type AlertRule, lockAlertRule, recordAlertResult } from '../../modules/alerts/alert-rules-sql.ts'
import type { AttentionQuestion } from '../../modules/attention/attention-narrowing-sql.ts'
import { findItems } from '../../modules/attention/find-items.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { queueMail } from '../jobs/queue-mail.ts'
import { findConfirmedAddresses } from './alert-addresses.ts'
import { insertAlertMessage } from './alert-messages-sql.ts'
import { type AlertContent, type AlertLine, writeAlertBody, writeAlertMail } from './compose-alert.ts'
import { insertReportedItems, type ReportedItem, resolveReportedItems } from './reported-items-sql.ts'

/** For one reason at a time. */
export const foundMax = 200
const mailGoodForMs = 3 * 86_400_000

export interface TouchedIds {
  readonly shipmentIds: readonly string[]
  readonly requestIds: readonly string[]
}

type ItemQuery = Omit<AttentionQuestion, 'limit'>

/** `touched`: null for the whole account. Returns true when there may be more. */
export async function notifyNewItems(
  service: Service,
  rule: AlertRule,
  query: ItemQuery & { readonly companyName: string; readonly touched: TouchedIds | null },
): Promise<boolean> {
  const { companyName, touched, ...question } = query
  if (!(await hasRecipient(service.pool, service, rule))) return false
  const items = await findItems(service.pool, rule.reasons, {
    ...question,
    ...rule.shipments,
    ...touched,
    untoldBy: rule.id,
    limit: foundMax,
  })
  if (items.length === 0) return false
  const found = items.flatMap(withKey)
  await inTransaction(service.pool, async (db) => {
    const current = await lockAlertRule(db, rule)
    // It was changed meanwhile, so the found items may not match any more. The next round finds it by the new rule.
    if (current === null || !current.isActive || current.updatedAt !== rule.updatedAt) return
    const now = realNow(service)
    const isDaily = rule.delivery === 'daily'
    const of = { accountId: rule.accountId, ruleId: rule.id }
    const fresh = await insertReportedItems(db, of, { items: found, now, reportedAt: isDaily ? null : now })
    const lines = items.filter(({ id }) => fresh.has(id))
    if (!isDaily && lines.length > 0) await sendAlert(db, service, current, { companyName, items: lines })
  })
  const counts = Map.groupBy(items, ({ reason }) => reason)
  return [...counts.values()].some((each) => each.length >= foundMax)
}

/** While there is no recipient, nothing counts as reported: it is reported once the first address is confirmed. */
export async function hasRecipient(db: Db, service: Service, rule: AlertRule): Promise<boolean> {
  return rule.urlFormat !== null || (await findConfirmedAddresses(db, service, rule)).length > 0
}

/** Puts one message into the queues, in the transaction that records its items as reported. */
export async function sendAlert(
  db: Db,
  service: Service,
  rule: AlertRule,
  { companyName, items }: { readonly companyName: string; readonly items: readonly AlertLine[] },
): Promise<void> {
  const { accountId, id, emails } = rule
  const content: AlertContent = { rule: { id, name: rule.name }, companyName, items }
  const now = realNow(service)
  const readers = await findConfirmedAddresses(db, service, { accountId, emails })
  for (const reader of readers)
    await queueMail(db, service, {
      kind: 'alert',
      about: id,
      goodForMs: mailGoodForMs,
      mail: writeAlertMail(service, content, reader),
    })
  if (readers.length > 0) await recordAlertResult(db, { accountId, id, at: now, error: null })
  if (rule.urlFormat === null) return
  const body = writeAlertBody(content, rule.urlFormat, now)
  await insertAlertMessage(db, { accountId, id: uuidV7(service.clock.now()), ruleId: id, body, now })
  wakeWorkers(db, 'alerts')
}

/** Items that are over are deleted, so that they are reported again when they come back. */
export async function resolveItems(
  service: Service,
  rule: AlertRule,
  { notified, ...question }: ItemQuery & { readonly notified: readonly ReportedItem[] },
): Promise<void> {
  if (notified.length === 0) return
  const items = await findItems(service.pool, [...new Set(notified.map(({ reason }) => reason))], {
    ...question,
    shipmentIds: [...new Set(notified.flatMap(({ shipmentId }) => shipmentId ?? []))],
    requestIds: notified.map(({ subjectId }) => subjectId),
    snoozed: 'all',
    limit: 10_000,
  })
  const activeIds = new Set(items.map(({ id }) => id))
  const isStillActive = ({ reason, subjectId }: ItemKey) => activeIds.has(`${reason}.${subjectId}`)
  await resolveReportedItems(
    service.pool,
    { accountId: rule.accountId, ruleId: rule.id },
    {
      over: notified.filter((each) => !isStillActive(each)),
      active: notified.filter(isStillActive),
      now: realNow(service),
    },
  )
}

function withKey(item: AttentionItem): readonly (AttentionItem & ItemKey)[] {
  const key = parseItemId(item.id)
  return key === null ? [] : [{ ...item, ...key }]
}
