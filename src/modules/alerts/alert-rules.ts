/** The alert rules of an account: made, changed, shown and deleted. */

import { inTransaction } from '../../db/database.ts'
import { nextDailyHour } from '../../domain/values/daily-hour.ts'
import { requestConfirmations, toEmailKey } from '../../pipeline/notifications/alert-addresses.ts'
import { countAlertMessages } from '../../pipeline/notifications/alert-messages-sql.ts'
import { dropAlertWatch, putAlertWatch } from '../../pipeline/notifications/alert-watches-sql.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requirePermission, requireScope } from '../access/context.ts'
import { diffOf, recordChange } from '../audit/record-change.ts'
import { notFound, refusedAt } from '../errors.ts'
import { type PreconditionCheck, requireCurrent } from '../require-current.ts'
import { realNow, type Service } from '../service.ts'
import { listAlertAddresses } from './alert-addresses-sql.ts'
import {
  type AlertRule,
  deleteAlertRule as deleteRow,
  insertAlertRule,
  listAlertRules,
  lockAlertRule,
  updateAlertRule as updateRow,
} from './alert-rules-sql.ts'
import { checkRule, maskUrl, type RuleInput, requireEmailOrWebhook } from './check-alert-rule.ts'

const rulesMax = 50

export interface AlertRuleView extends Omit<AlertRule, 'accountId' | 'encryptedUrl'> {
  /** The rest of the URL is a secret, and is not shown. */
  readonly url: string | null
  readonly unconfirmedEmails: readonly string[]
  /** Messages to the URL that are on their way, and that were given up in the last 30 days. */
  readonly pending: number
  readonly failed: number
}

export async function listRules(service: Service, context: Context): Promise<readonly AlertRuleView[]> {
  requireScope(context, 'read')
  return toRuleViews(service, await listAlertRules(service.pool, context.account.id))
}

export async function getRule(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<AlertRuleView> {
  const found = (await listRules(service, context)).find((rule) => rule.id === id)
  if (found === undefined) throw notFound('alert rule')
  return found
}

export async function createRule(service: Service, context: Context, input: RuleInput): Promise<AlertRuleView> {
  requireScope(context, 'write')
  if (input.webhook !== null) requirePermission(context, 'webhooks')
  const now = realNow(service)
  const {
    encryptedUrl = null,
    urlFormat = null,
    shipments = {},
    ...chosen
  } = await checkRule(service, context, input, null)
  const { webhook: _, shipments: _wanted, ...rest } = input
  const rule: AlertRule = scheduleNextDigest(
    {
      ...rest,
      ...chosen,
      shipments,
      encryptedUrl,
      urlFormat,
      accountId: context.account.id,
      id: uuidV7(service.clock.now()),
      nextDigestAt: null,
      lastSentAt: null,
      lastFailedAt: null,
      lastError: null,
      createdAt: now,
      updatedAt: now,
    },
    now,
  )
  requireEmailOrWebhook(rule)
  await inTransaction(service.pool, async (db) => {
    if (!(await insertAlertRule(db, rule, rulesMax)))
      throw refusedAt('/data', `An account has at most ${rulesMax} alert rules. Delete one first.`)
    await requestConfirmations(db, service, context, rule.emails)
    if (rule.isActive) await putAlertWatch(db, { accountId: rule.accountId, now })
    await recordChange(db, service, context, {
      action: 'alert_rule.created',
      target: { type: 'alert_rule', id: rule.id },
      diff: diffOf(null, toAuditFields(service, rule), auditedFields),
    })
  })
  return getRule(service, context, rule)
}

/** Fields that are left out stay. */
export async function updateRule(
  service: Service,
  context: Context,
  {
    id,
    ifCurrent = null,
    ...given
  }: { readonly id: string; readonly ifCurrent?: PreconditionCheck<AlertRuleView> | null } & Partial<RuleInput>,
): Promise<AlertRuleView> {
  requireScope(context, 'write')
  if (given.webhook !== undefined) requirePermission(context, 'webhooks')
  const accountId = context.account.id
  const now = realNow(service)
  const current = ifCurrent === null ? null : await getRule(service, context, { id })
  const known = (await listAlertRules(service.pool, accountId)).find((rule) => rule.id === id) ?? null
  const changes = await checkRule(service, context, given, known)
  await inTransaction(service.pool, async (db) => {
    const before = await lockAlertRule(db, { accountId, id })
    if (before === null) throw notFound('alert rule')
    requireCurrent(ifCurrent, current && { ...current, ...withoutSecrets(before) })
    const rule = scheduleNextDigest({ ...before, ...changes, updatedAt: now }, now)
    requireEmailOrWebhook(rule)
    await updateRow(db, rule)
    if (changes.emails !== undefined) await requestConfirmations(db, service, context, rule.emails)
    if (rule.isActive) await putAlertWatch(db, { accountId, now })
    else await dropAlertWatch(db, accountId)
    await recordChange(db, service, context, {
      action: 'alert_rule.updated',
      target: { type: 'alert_rule', id },
      diff: diffOf(toAuditFields(service, before), toAuditFields(service, rule), auditedFields),
    })
  })
  return getRule(service, context, { id })
}

/** What is on its way to its URL ends; mails that are queued still go. */
export async function deleteRule(service: Service, context: Context, { id }: { readonly id: string }): Promise<void> {
  requireScope(context, 'write')
  const accountId = context.account.id
  await inTransaction(service.pool, async (db) => {
    const before = await lockAlertRule(db, { accountId, id })
    if (before === null) throw notFound('alert rule')
    await deleteRow(db, { accountId, id })
    await dropAlertWatch(db, accountId)
    await recordChange(db, service, context, {
      action: 'alert_rule.deleted',
      target: { type: 'alert_rule', id },
      diff: diffOf(toAuditFields(service, before), null, auditedFields),
    })
  })
}

function scheduleNextDigest(rule: AlertRule, now: string): AlertRule {
  const { delivery, isActive, dailyHour: hour, timeZone } = rule
  const isDaily = delivery === 'daily' && isActive
  return { ...rule, nextDigestAt: isDaily ? nextDailyHour({ after: now, hour, timeZone }) : null }
}

async function toRuleViews(service: Service, rules: readonly AlertRule[]): Promise<readonly AlertRuleView[]> {
  const [first] = rules
  if (first === undefined) return []
  const [addresses, counts] = await Promise.all([
    listAlertAddresses(service.pool, first.accountId),
    countAlertMessages(service.pool, first.accountId),
  ])
  const confirmed = new Set(addresses.flatMap((each) => (each.isConfirmed ? [each.emailKey] : [])))
  return rules.map((rule) => {
    const { pending = 0, failed = 0 } = counts.find(({ ruleId }) => ruleId === rule.id) ?? {}
    return {
      ...withoutSecrets(rule),
      url: urlOf(service, rule),
      unconfirmedEmails: rule.emails.filter((email) => !confirmed.has(toEmailKey(email))),
      pending,
      failed,
    }
  })
}

function withoutSecrets(rule: AlertRule): Omit<AlertRule, 'accountId' | 'encryptedUrl'> {
  const { accountId: _account, encryptedUrl: _url, ...rest } = rule
  return rest
}

function urlOf({ encryption }: Service, { encryptedUrl }: AlertRule): string | null {
  return encryptedUrl === null ? null : maskUrl(encryption.decrypt(encryptedUrl))
}

const auditedFields = [
  'name',
  'reasons',
  'shipments',
  'emails',
  'url',
  'urlFormat',
  'delivery',
  'dailyHour',
  'timeZone',
  'isActive',
] as const

/** Of the URL only what is shown. */
function toAuditFields(service: Service, rule: AlertRule) {
  return { ...withoutSecrets(rule), url: urlOf(service, rule) }
}
