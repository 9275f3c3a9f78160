/** Which exceptions of an account are sent to whom. */

import type { Db } from '../../db/database.ts'
import type { FieldValue } from '../../domain/values/custom-field.ts'
import type { AttentionReason } from '../../domain/view/attention-reasons.ts'

export const urlFormats = ['slack', 'teams', 'json'] as const
export type UrlFormat = (typeof urlFormats)[number]
export const deliveries = ['immediately', 'daily'] as const
export type Delivery = (typeof deliveries)[number]

/** A missing member is no condition. */
export interface RuleShipments {
  readonly scac?: string
  readonly customerId?: string
  /** All of these. */
  readonly tags?: readonly string[]
  /** UN/LOCODE of the port of discharge. */
  readonly pod?: string
  /** Id of the terminal at the port of discharge, of one container at least. */
  readonly terminalId?: string
  /** Custom fields of the shipment, all of them. The slug is only shown: the definition decides. */
  readonly fields?: readonly RuleField[]
}

export interface RuleField {
  readonly slug: string
  readonly definitionId: string
  /** One choice, where the field has several choices. */
  readonly value: Exclude<FieldValue, null>
}

export interface AlertRule {
  readonly accountId: string
  readonly id: string
  readonly name: string
  readonly reasons: readonly AttentionReason[]
  readonly shipments: RuleShipments
  readonly emails: readonly string[]
  readonly encryptedUrl: Buffer | null
  readonly urlFormat: UrlFormat | null
  readonly delivery: Delivery
  readonly dailyHour: number
  readonly timeZone: string
  readonly isActive: boolean
  readonly nextDigestAt: string | null
  readonly lastSentAt: string | null
  readonly lastFailedAt: string | null
  readonly lastError: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

const columns = `account_id as "accountId", id, name, reasons, shipments, emails, url_sealed as "encryptedUrl",
  url_format as "urlFormat", delivery, daily_hour::int as "dailyHour", time_zone as "timeZone", is_active as "isActive",
  next_digest_at as "nextDigestAt", last_sent_at as "lastSentAt", last_failed_at as "lastFailedAt",
  last_error as "lastError", created_at as "createdAt", updated_at as "updatedAt"`

function valuesOf(rule: AlertRule): unknown[] {
  return [
    rule.accountId,
    rule.id,
    rule.name,
    rule.reasons,
    JSON.stringify(rule.shipments),
    rule.emails,
    rule.encryptedUrl,
    rule.urlFormat,
    rule.delivery,
    rule.dailyHour,
    rule.timeZone,
    rule.isActive,
    rule.nextDigestAt,
    rule.updatedAt,
  ]
}

/** False when the account has as many as it may have. */
export async function insertAlertRule(db: Db, rule: AlertRule, rulesMax: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'alert_rule_insert',
    text: `insert into alert_rules (account_id, id, name, reasons, shipments, emails, url_sealed, url_format, delivery,
                                    daily_hour, time_zone, is_active, next_digest_at, created_at, updated_at)
           select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14
            where (select count(*) from alert_rules where account_id = $1) < $15`,
    values: [...valuesOf(rule), rulesMax],
  })
  return rowCount === 1
}

export async function updateAlertRule(db: Db, rule: AlertRule): Promise<void> {
  await db.query({
    name: 'alert_rule_update',
    text: `update alert_rules
              set name = $3, reasons = $4, shipments = $5, emails = $6, url_sealed = $7, url_format = $8, delivery = $9,
                  daily_hour = $10, time_zone = $11, is_active = $12, next_digest_at = $13, updated_at = $14
            where account_id = $1 and id = $2`,
    values: valuesOf(rule),
  })
}

/** Oldest first. An account has few. */
export async function listAlertRules(db: Db, accountId: string): Promise<readonly AlertRule[]> {
  const { rows } = await db.query<AlertRule>({
    name: 'alert_rules_list',
    text: `select ${columns} from alert_rules where account_id = $1 order by created_at, id`,
    values: [accountId],
  })
  return rows
}

/** Locked until the end of the transaction, so that it does not change while an alert is sent by it. */
export async function lockAlertRule(
  db: Db,
  of: { readonly accountId: string; readonly id: string },
): Promise<AlertRule | null> {
  const { rows } = await db.query<AlertRule>({
    name: 'alert_rule_lock',
    text: `select ${columns} from alert_rules where account_id = $1 and id = $2 for no key update`,
    values: [of.accountId, of.id],
  })
  return rows[0] ?? null
}

export async function deleteAlertRule(db: Db, of: { readonly accountId: string; readonly id: string }): Promise<void> {
  await db.query({
    name: 'alert_rule_delete',
    text: `delete from alert_rules where account_id = $1 and id = $2`,
    values: [of.accountId, of.id],
  })
}

export async function putNextDigest(
  db: Db,
  of: { readonly accountId: string; readonly id: string; readonly at: string },
): Promise<void> {
  await db.query({
    name: 'alert_rule_next_digest',
    text: `update alert_rules set next_digest_at = $3 where account_id = $1 and id = $2`,
    values: [of.accountId, of.id, of.at],
  })
}

/** How the last message went. `error`: null when it was sent. */
export async function recordAlertResult(
  db: Db,
  of: { readonly accountId: string; readonly id: string; readonly at: string; readonly error: string | null },
): Promise<void> {
  await db.query({
    name: 'alert_rule_note_sent',
    text: `update alert_rules
              set last_sent_at = case when $4::text is null then $3 else last_sent_at end,
                  last_failed_at = case when $4::text is null then last_failed_at else $3 end,
                  last_error = $4
            where account_id = $1 and id = $2`,
    values: [of.accountId, of.id, of.at, of.error],
  })
}
