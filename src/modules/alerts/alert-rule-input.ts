/** Bodies of alert rules. */

import type { Static } from 'typebox'
import { closed } from '../../api/request-body/attributes.ts'
import { camelNames, defineChangeBody, defineCreateBody } from '../../api/request-body/resource-body.ts'
import { type AttentionReason, attentionReasons } from '../../domain/view/attention-reasons.ts'
import { Type } from '../../platform/json-schema.ts'
import { alertRule } from './alert-rule-resource.ts'
import { type Delivery, deliveries, type UrlFormat, urlFormats } from './alert-rules-sql.ts'
import type { RuleInput, WantedShipments } from './check-alert-rule.ts'

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
    tags: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 20, description: 'All of them.' })),
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
          'Custom fields of the shipment by their `api_slug`. All must match; with several choices, one of them.',
      }),
    ),
  },
  closed,
)
const webhook = Type.Unsafe<{ readonly url: string; readonly format?: UrlFormat } | null>({
  type: ['object', 'null'],
  properties: {
    url: Type.String({ maxLength: 2_048, description: 'Stored encrypted, and never shown again.' }),
    format: {
      type: 'string',
      enum: urlFormats,
      description: 'Format of the message; if it is missing, the host decides.',
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
  delivery: Type.Optional(Type.Unsafe<Delivery>({ type: 'string', enum: deliveries, default: 'immediately' })),
  daily_hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23, default: 8 })),
  time_zone: Type.Optional(Type.String({ maxLength: 60, default: 'UTC', description: 'IANA name.' })),
}
const attributes = Type.Object(fields, closed)
const changes = Type.Partial(attributes, closed)

export const newAlertRule = defineCreateBody(
  alertRule,
  attributes,
  (given): RuleInput => ({
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
  }),
)
export const alertRuleChanges = defineChangeBody(alertRule, changes, readFields)

function readFields({ active, shipments: wanted, webhook: to, ...rest }: Static<typeof changes>): Partial<RuleInput> {
  return {
    ...camelNames(rest),
    ...(active === undefined ? {} : { isActive: active }),
    ...(wanted === undefined ? {} : { shipments: readShipments(wanted) }),
    ...(to === undefined ? {} : { webhook: to && { url: to.url, format: to.format ?? null } }),
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
