// How deliveries to webhooks look where the webhook itself says nothing: the settings of `network` that are about that.
import { choice, header } from './setting.ts'

/** Nearly every receiver reads the first; the second is what the body is. */
export const webhookContentTypes = ['application/json', 'application/vnd.api+json'] as const
export type WebhookContentType = (typeof webhookContentTypes)[number]

export const webhookSettings = {
  webhookContentType: choice(
    'LANDFALL_WEBHOOK_CONTENT_TYPE',
    webhookContentTypes,
    'application/json',
    'Content-Type of what webhooks are sent, where a webhook has none of its own.',
  ),
  signatureHeader: header(
    'LANDFALL_SIGNATURE_HEADER',
    'X-Landfall-Signature',
    'Header of the plain hex HMAC-SHA256 signature of a webhook.',
  ),
} as const
