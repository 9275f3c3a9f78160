/** Finds what is new for an alert rule, and what is over. What is found and what is sent are written together. */

import { type AttentionItem, type ItemKey, parseItemId } from '../../../core/shown/attention-item.ts'
import { uuidV7 } from '../../../platform/ids.ts'
import { type Db, inTransaction } from '../../../store/database.ts'
import { wake } from '../../../store/ground/wake.ts'
import type { AttentionQuestion } from '../../../store/read/attention-narrowing.ts'
import { insertAlertMessage } from '../../../store/telling/alert-messages.ts'
import { type AlertRule, lockAlertRule, noteAlertSent } from '../../../store/telling/alert-rules.ts'
import { insertTold, settleTold, type ToldItem } from '../../../store/telling/alert-told.ts'
import { findItems } from '../../attention/find-items.ts'
import { queueMail } from '../../ground/queue-mail.ts'
import { realNow, type Service } from '../../service.ts'
import { confirmedOf } from './addresses.ts'
import { type AlertContent, type AlertLine, writeAlertBody, writeAlertMail } from './compose.ts'

/** For one reason at a time. */
export const foundMax = 200
const mailGoodForMs = 3 * 86_400_000

export interface Touched {
  readonly shipmentIds: readonly string[]
  readonly requestIds: readonly string[]
}

type Question = Omit<AttentionQuestion, 'limit'>

/** `touched`: null for the whole account. Returns true when there may be more. */
export async function tellNew(
  service: Service,
  rule: AlertRule,
  asked: Question & { readonly companyName: string; readonly touched: Touched | null },
): Promise<boolean> {
  const { companyName, touched, ...question } = asked
  if (!(await hasReader(service.pool, service, rule))) return false
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
    // It was changed meanwhile, so what was found may not be meant any more. The next round finds it by the new rule.
    if (current === null || !current.isActive || current.updatedAt !== rule.updatedAt) return
    const now = realNow(service)
    const isDaily = rule.delivery === 'daily'
    const of = { accountId: rule.accountId, ruleId: rule.id }
    const fresh = await insertTold(db, of, { items: found, now, toldAt: isDaily ? null : now })
    const lines = items.filter(({ id }) => fresh.has(id))
    if (!isDaily && lines.length > 0) await sendAlert(db, service, current, { companyName, items: lines })
  })
  const counts = Map.groupBy(items, ({ reason }) => reason)
  return [...counts.values()].some((each) => each.length >= foundMax)
}

/** Without anybody to tell nothing counts as told: it is told once the first address is confirmed. */
export async function hasReader(db: Db, service: Service, rule: AlertRule): Promise<boolean> {
  return rule.urlFormat !== null || (await confirmedOf(db, service, rule)).length > 0
}

/** Puts one message into the queues, in the transaction of what it tells. */
export async function sendAlert(
  db: Db,
  service: Service,
  rule: AlertRule,
  { companyName, items }: { readonly companyName: string; readonly items: readonly AlertLine[] },
): Promise<void> {
  const { accountId, id, emails } = rule
  const content: AlertContent = { rule: { id, name: rule.name }, companyName, items }
  const now = realNow(service)
  const readers = await confirmedOf(db, service, { accountId, emails })
  for (const reader of readers)
    await queueMail(db, service, {
      kind: 'alert',
      about: id,
      goodForMs: mailGoodForMs,
      mail: writeAlertMail(service, content, reader),
    })
  if (readers.length > 0) await noteAlertSent(db, { accountId, id, at: now, error: null })
  if (rule.urlFormat === null) return
  const body = writeAlertBody(content, rule.urlFormat, now)
  await insertAlertMessage(db, { accountId, id: uuidV7(service.clock.now()), ruleId: id, body, now })
  await wake(db, 'alerts')
}

/** What does not hold any more is forgotten, so that it is told anew when it comes back. */
export async function settle(
  service: Service,
  rule: AlertRule,
  { told, ...question }: Question & { readonly told: readonly ToldItem[] },
): Promise<void> {
  if (told.length === 0) return
  const items = await findItems(service.pool, [...new Set(told.map(({ reason }) => reason))], {
    ...question,
    shipmentIds: [...new Set(told.flatMap(({ shipmentId }) => shipmentId ?? []))],
    requestIds: told.map(({ subjectId }) => subjectId),
    snoozed: 'all',
    limit: 10_000,
  })
  const standing = new Set(items.map(({ id }) => id))
  const stands = ({ reason, subjectId }: ItemKey) => standing.has(`${reason}.${subjectId}`)
  await settleTold(
    service.pool,
    { accountId: rule.accountId, ruleId: rule.id },
    {
      over: told.filter((each) => !stands(each)),
      standing: told.filter(stands),
      now: realNow(service),
    },
  )
}

function withKey(item: AttentionItem): readonly (AttentionItem & ItemKey)[] {
  const key = parseItemId(item.id)
  return key === null ? [] : [{ ...item, ...key }]
}
