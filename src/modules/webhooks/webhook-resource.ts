/** `webhook`: the URL that gets an account's events, and the secret with which its owner checks signatures. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { webhookEventNames } from '../../domain/changes/event-table.ts'
import { webhookContentTypes } from '../../platform/webhook-settings.ts'
import { eventPatterns, namesIn, patternsIn } from './event-patterns.ts'
import type { WebhookView } from './webhook-secrets.ts'
import { webhookFormats } from './webhooks-sql.ts'

export interface WebhookReading extends IdentifiedReading {
  readonly type: 'webhook'
  readonly webhook: WebhookView
}

export function readWebhook(webhook: WebhookView): WebhookReading {
  return { type: 'webhook', id: webhook.id, webhook }
}

const webhookHeaderSchema = schema.object({ name: schema.text(), value: schema.textOrNull() })

export const webhook: ResourceKind<WebhookReading> = {
  type: 'webhook',
  attributes: {
    url: schema.text({ format: 'uri' }),
    active: { type: 'boolean' },
    events: schema.list(schema.oneOf(webhookEventNames), {
      description:
        'Every event that is sent to it. If you subscribed with patterns, `meta.event_patterns` has them. If both names of an event are listed, it is sent once, by the newer name.',
    }),
    secret: schema.textOrNull({
      description:
        'Signs every delivery; check the signature with it. Null for callers who may not manage webhooks; they do not see the values of `headers` either.',
    }),
    headers: { type: ['array', 'null'], items: webhookHeaderSchema },
    format: schema.oneOfOrNull(webhookFormats, {
      description:
        'The format of deliveries, chosen when the webhook was created: ANSI X12 315, EDIFACT IFTSTA, or DCSA Track & Trace for the subscriptions under `/dcsa`. Null: the documents of this API.',
    }),
    edi_ids: schema.anyOf([
      schema.object(
        {
          sender: schema.text(),
          receiver: schema.text(),
          sender_qualifier: schema.textOrNull(),
          receiver_qualifier: schema.textOrNull(),
          is_test: { type: 'boolean' },
        },
        { description: 'The names in the envelope of each EDI interchange.' },
      ),
      schema.nothing({ description: 'It has no EDI format.' }),
    ]),
    content_type: schema.oneOfOrNull(webhookContentTypes, {
      description: 'Content-Type of deliveries. Null: the setting of the installation.',
    }),
    signature_header: schema.textOrNull({
      description:
        'Names of the headers, separated by commas, that have the HMAC-SHA256 of the body in hex. Null: the setting of the installation.',
    }),
  },
  relations: {},
  write: ({ webhook: { url, isActive, events, secret, headers, format, ediIds, contentType, signatureHeaders } }) => ({
    url,
    active: isActive,
    events: namesIn(events),
    secret,
    headers,
    format,
    edi_ids:
      ediIds === null
        ? null
        : {
            sender: ediIds.sender,
            receiver: ediIds.receiver,
            sender_qualifier: ediIds.senderQualifier,
            receiver_qualifier: ediIds.receiverQualifier,
            is_test: ediIds.isTest,
          },
    content_type: contentType,
    signature_header: signatureHeaders?.join(', ') ?? null,
  }),
  link: () => ({}),
  meta: {
    properties: {
      disabled_reason: schema.textOrNull({
        description: 'Why Landfall switched it off; null if it did not.',
      }),
      failing_since: schema.instantOrNull({ description: 'Since when all deliveries have failed.' }),
      event_patterns: schema.list(schema.oneOf(eventPatterns), {
        description: 'The patterns with which you subscribed. If you set names instead, the patterns are removed.',
      }),
      content_type: schema.text({
        description: 'The Content-Type that is used, set by the webhook or by the installation.',
      }),
      signature_header: schema.text({
        description: 'The names of the signature headers that are used, set by the webhook or by the installation.',
      }),
    },
    write: ({ webhook: { disabledReason, failingSince, events, deliveryFormat: sentAs } }) => ({
      disabled_reason: disabledReason,
      failing_since: failingSince,
      event_patterns: patternsIn(events),
      content_type: sentAs.contentType,
      signature_header: sentAs.signatureHeaders.join(', '),
    }),
  },
}
