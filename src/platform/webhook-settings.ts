// The settings about the form of deliveries to webhooks when the webhook itself does not define it; a part of the group
// `network`.
import { parseSignatureHeaders } from './header-names.ts'
import { choice, type Setting } from './setting.ts'

/** Nearly every receiver can read the first; the second is the exact type of the body. */
export const webhookContentTypes = ['application/json', 'application/vnd.api+json'] as const
export type WebhookContentType = (typeof webhookContentTypes)[number]

const signatureHeaders: Setting<readonly string[]> = {
  variable: 'LANDFALL_SIGNATURE_HEADER',
  fallback: ['X-Landfall-Signature'],
  accepts: 'names of headers, separated by commas, at most five; not those of the connection, Content-… or Webhook-…',
  about: 'Names of the headers that carry the signature (HMAC-SHA256 in hex), for webhooks without names of their own.',
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
    'Content-Type of deliveries, for webhooks without a Content-Type of their own.',
  ),
  signatureHeaders,
} as const
