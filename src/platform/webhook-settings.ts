// The settings about how deliveries to webhooks look when the webhook itself does not say; a part of the group
// `network`.
import { parseSignatureHeaders } from './header-names.ts'
import { choice, type Setting } from './setting.ts'

/** Nearly every receiver can read the first; the second is the exact type of the body. */
export const webhookContentTypes = ['application/json', 'application/vnd.api+json'] as const
export type WebhookContentType = (typeof webhookContentTypes)[number]

const signatureHeaders: Setting<readonly string[]> = {
  variable: 'LANDFALL_SIGNATURE_HEADER',
  fallback: ['X-Landfall-Signature'],
  accepts:
    'names of headers, separated by commas, five at most; none of the connection, and no Content-… or Webhook-…',
  about:
    'Under which names webhooks are sent the plain hex HMAC-SHA256, where a webhook has none of its own.',
  parse: (text) => {
    const parsed = parseSignatureHeaders(text)
    return parsed.kind === 'names' ? parsed.names : undefined
  },
}

export const webhookSettings = {
  webhookContentType: choice(
    'LANDFALL_WEBHOOK_CONTENT_TYPE',
    webhookContentTypes,
    'application/json',
    'Content-Type of what webhooks are sent, where a webhook has none of its own.',
  ),
  signatureHeaders,
} as const
