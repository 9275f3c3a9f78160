/** `webhook`: the URL that gets an account's events, and the secret with which its owner checks signatures. */

import { webhookContentTypes } from '../../../../platform/webhook-settings.ts'
import { eventNames } from '../../../../service/telling/webhooks/event-catalogue.ts'
import { eventPatterns, namesOf, patternsIn } from '../../../../service/telling/webhooks/event-patterns.ts'
import type { ShownWebhook } from '../../../../service/telling/webhooks/webhook-secrets.ts'
import type { Identified, ResourceKind } from '../../shape/resource.ts'
import * as schema from '../../shape/schema.ts'

export interface WebhookReading extends Identified {
  readonly type: 'webhook'
  readonly webhook: ShownWebhook
}

export function readWebhook(webhook: ShownWebhook): WebhookReading {
  return { type: 'webhook', id: webhook.id, webhook }
}

const webhookHeaderSchema = schema.object({ name: schema.text(), value: schema.textOrNull() })

export const webhook: ResourceKind<WebhookReading> = {
  type: 'webhook',
  attributes: {
    url: schema.text({ format: 'uri' }),
    active: { type: 'boolean' },
    events: schema.list(schema.oneOf(eventNames), {
      description:
        'Every event that it is told of, also where a pattern was written: see `meta.event_patterns`.',
    }),
    secret: schema.textOrNull({
      description:
        'Signs every delivery; check the signature with it. Null, like the values of `headers`, for whoever may not manage webhooks.',
    }),
    headers: { type: ['array', 'null'], items: webhookHeaderSchema },
    content_type: schema.oneOfOrNull(webhookContentTypes, {
      description: "Content-Type of what is sent; null for the installation's.",
    }),
    signature_header: schema.textOrNull({
      description:
        "Names of headers, with commas between them, that bear the hex HMAC-SHA256 of the body; null for the installation's.",
    }),
  },
  relations: {},
  write: ({ webhook: { url, isActive, events, secret, headers, contentType, signatureHeaders } }) => ({
    url,
    active: isActive,
    events: namesOf(events),
    secret,
    headers,
    content_type: contentType,
    signature_header: signatureHeaders?.join(', ') ?? null,
  }),
  link: () => ({}),
  meta: {
    properties: {
      disabled_reason: schema.textOrNull({
        description: 'Why the service switched it off; null when it did not.',
      }),
      failing_since: schema.instantOrNull({ description: 'Since when nothing but failures has come back.' }),
      event_patterns: schema.list(schema.oneOf(eventPatterns), {
        description: 'The patterns that it was subscribed with. Writing names in their place ends them.',
      }),
      content_type: schema.text({ description: 'As what it is sent, whoever says so.' }),
      signature_header: schema.text({ description: 'Under which names it is signed for, whoever says so.' }),
    },
    write: ({ webhook: { disabledReason, failingSince, events, sentAs } }) => ({
      disabled_reason: disabledReason,
      failing_since: failingSince,
      event_patterns: patternsIn(events),
      content_type: sentAs.contentType,
      signature_header: sentAs.signatureHeaders.join(', '),
    }),
  },
}
