/** Bodies of alert rules. */

import type { Static } from 'typebox'
import { type AttentionReason, attentionReasons } from '../../../core/shown/attention-reasons.ts'
import { Type } from '../../../platform/json-schema.ts'
import type { RuleInput, WantedShipments } from '../../../service/telling/alerts/rule-input.ts'
import { type Delivery, deliveries, type UrlFormat, urlFormats } from '../../../store/telling/alert-rules.ts'
import { readAttributes } from '../bodies/body.ts'
import { bodyOf } from '../description/operation.ts'
import { closed, readOnlyOf } from './attributes.ts'

const nullable = (rest: object) => Type.Unsafe<string | null>({ type: ['string', 'null'], ...rest })
const shipments = Type.Object(
  {
    scac: Type.Optional(nullable({ maxLength: 4 })),
    customer_id: Type.Optional(
      nullable({
        pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
        description: 'Id of a party.',
      }),
    ),
    tags: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), { maxItems: 20, description: 'All of them.' }),
    ),
    port_of_discharge: Type.Optional(nullable({ maxLength: 10, description: 'UN/LOCODE.' })),
    pod_terminal: Type.Optional(
      nullable({ maxLength: 60, description: 'Id of the terminal at the port of discharge.' }),
    ),
    custom_fields: Type.Optional(
      Type.Unsafe<Readonly<Record<string, string | number | boolean>>>({
        type: 'object',
        additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: 500 },
        maxProperties: 5,
        description:
          'Custom fields of the shipment by their `api_slug`, all of them; of several choices, one of them.',
      }),
    ),
  },
  closed,
)
const webhook = Type.Unsafe<{ readonly url: string; readonly format?: UrlFormat } | null>({
  type: ['object', 'null'],
  properties: {
    url: Type.String({ maxLength: 2_048, description: 'Is kept encrypted, and never shown again.' }),
    format: {
      type: 'string',
      enum: urlFormats,
      description: 'How the message is written; by the host when left out.',
    },
  },
  required: ['url'],
  additionalProperties: false,
})
const fields = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  active: Type.Optional(Type.Boolean({ default: true })),
  reasons: Type.Array(Type.Unsafe<AttentionReason>({ type: 'string', enum: attentionReasons }), {
    minItems: 1,
    maxItems: 20,
  }),
  shipments: Type.Optional(shipments),
  emails: Type.Optional(
    Type.Array(Type.String({ maxLength: 254 }), {
      maxItems: 20,
      description: 'An address gets a mail with a link first, and alerts once the link was used.',
    }),
  ),
  webhook: Type.Optional(webhook),
  delivery: Type.Optional(
    Type.Unsafe<Delivery>({ type: 'string', enum: deliveries, default: 'immediately' }),
  ),
  daily_hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23, default: 8 })),
  time_zone: Type.Optional(Type.String({ maxLength: 60, default: 'UTC', description: 'IANA name.' })),
}
const newRule = Type.Object(fields, closed)
const changes = Type.Partial(Type.Object(fields, closed), closed)
export const alertRuleBody = bodyOf('alert_rule', newRule)
export const alertRuleChangesBody = bodyOf('alert_rule', changes)
const readOnly = readOnlyOf('alert_rule', newRule)

export function readNewAlertRule(body: unknown): RuleInput {
  const given = readAttributes(body, { type: 'alert_rule', id: null, attributes: newRule, readOnly })
  return {
    shipments: {},
    emails: [],
    webhook: null,
    delivery: 'immediately',
    dailyHour: 8,
    timeZone: 'UTC',
    isActive: true,
    ...readFields(given),
    name: given.name,
    reasons: given.reasons,
  }
}

/** Attributes that the body does not name are not changed. */
export function readAlertRuleChanges(body: unknown, id: string): Partial<RuleInput> {
  return readFields(readAttributes(body, { type: 'alert_rule', id, attributes: changes, readOnly }))
}

function readFields(given: Static<typeof changes>): Partial<RuleInput> {
  const { name, active, reasons, emails, delivery } = given
  return {
    ...(name === undefined ? {} : { name }),
    ...(active === undefined ? {} : { isActive: active }),
    ...(reasons === undefined ? {} : { reasons }),
    ...(given.shipments === undefined ? {} : { shipments: readShipments(given.shipments) }),
    ...(emails === undefined ? {} : { emails }),
    ...(given.webhook === undefined
      ? {}
      : { webhook: given.webhook && { url: given.webhook.url, format: given.webhook.format ?? null } }),
    ...(delivery === undefined ? {} : { delivery }),
    ...(given.daily_hour === undefined ? {} : { dailyHour: given.daily_hour }),
    ...(given.time_zone === undefined ? {} : { timeZone: given.time_zone }),
  }
}

function readShipments(given: Static<typeof shipments>): WantedShipments {
  const { scac, customer_id: customerId, tags, port_of_discharge: pod } = given
  const { pod_terminal: terminalId, custom_fields: fields } = given
  const texts = Object.entries(fields ?? {}).map(([slug, value]) => [slug, String(value)])
  return {
    ...(terminalId ? { terminalId } : {}),
    ...(fields === undefined ? {} : { fields: Object.fromEntries(texts) }),
    ...(scac ? { scac } : {}),
    ...(customerId ? { customerId: customerId.toLowerCase() } : {}),
    ...(tags === undefined ? {} : { tags }),
    ...(pod ? { pod } : {}),
  }
}
