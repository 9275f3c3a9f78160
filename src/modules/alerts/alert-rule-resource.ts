/** `alert_rule`: which exceptions are sent to whom, and how. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { attentionReasons } from '../../domain/view/attention-reasons.ts'
import { Type } from '../../platform/json-schema.ts'
import type { AlertRuleView } from './alert-rules.ts'
import { deliveries, urlFormats } from './alert-rules-sql.ts'

export interface AlertRuleReading extends IdentifiedReading {
  readonly type: 'alert_rule'
  readonly rule: AlertRuleView
}

export function readAlertRule(rule: AlertRuleView): AlertRuleReading {
  return { type: 'alert_rule', id: rule.id, rule }
}

const whole = { type: 'integer', minimum: 0 }

export const alertRule: ResourceKind<AlertRuleReading> = {
  type: 'alert_rule',
  attributes: {
    name: schema.text(),
    active: { type: 'boolean' },
    reasons: schema.list(schema.oneOf(attentionReasons)),
    shipments: schema.object(
      {
        scac: schema.textOrNull(),
        customer_id: schema.textOrNull(),
        tags: schema.texts(),
        port_of_discharge: schema.textOrNull(),
        pod_terminal: schema.textOrNull({ description: 'Id of a terminal at the port of discharge.' }),
        custom_fields: Type.Unsafe({
          type: 'object',
          additionalProperties: { type: ['string', 'number', 'boolean'] },
          description: 'By `api_slug`.',
        }),
      },
      { description: 'Only these shipments; null, or no tags, is no condition.' },
    ),
    emails: schema.texts(),
    webhook: schema.anyOf([
      schema.object({
        url: schema.text({ description: 'Its host. The rest is a secret and is not shown.' }),
        format: schema.oneOf(urlFormats),
      }),
      schema.nothing(),
    ]),
    delivery: schema.oneOf(deliveries),
    daily_hour: Type.Integer({ minimum: 0, maximum: 23 }),
    time_zone: schema.text({ description: 'IANA name: the zone of `daily_hour`.' }),
    created_at: schema.instant(),
    updated_at: schema.instant(),
  },
  relations: {},
  write: ({ rule }) => ({
    name: rule.name,
    active: rule.isActive,
    reasons: rule.reasons,
    shipments: {
      scac: rule.shipments.scac ?? null,
      customer_id: rule.shipments.customerId ?? null,
      tags: rule.shipments.tags ?? [],
      port_of_discharge: rule.shipments.pod ?? null,
      pod_terminal: rule.shipments.terminalId ?? null,
      custom_fields: Object.fromEntries((rule.shipments.fields ?? []).map(({ slug, value }) => [slug, value])),
    },
    emails: rule.emails,
    webhook: rule.url === null ? null : { url: rule.url, format: rule.urlFormat },
    delivery: rule.delivery,
    daily_hour: rule.dailyHour,
    time_zone: rule.timeZone,
    created_at: rule.createdAt,
    updated_at: rule.updatedAt,
  }),
  link: () => ({}),
  meta: {
    properties: {
      unconfirmed_emails: schema.texts({ description: 'They get nothing until their readers confirm.' }),
      next_digest_at: schema.instantOrNull(),
      last_sent_at: schema.instantOrNull(),
      last_failed_at: schema.instantOrNull(),
      last_error: schema.textOrNull({ description: 'Error of the last attempt; null if it succeeded.' }),
      pending: { ...whole, description: 'Messages to the webhook that are not delivered yet.' },
      failed: { ...whole, description: 'Messages that were given up in the last 30 days.' },
    },
    write: ({ rule }) => ({
      unconfirmed_emails: rule.unconfirmedEmails,
      next_digest_at: rule.nextDigestAt,
      last_sent_at: rule.lastSentAt,
      last_failed_at: rule.lastFailedAt,
      last_error: rule.lastError,
      pending: rule.pending,
      failed: rule.failed,
    }),
  },
}
