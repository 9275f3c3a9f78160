/** How documents are sent to a webhook: by its form, by the webhook's own settings, else by those of the installation. */

import type { Service } from '../service.ts'
import type { Webhook, WebhookFormat } from './webhooks-sql.ts'

export interface DeliveryFormat {
  readonly contentType: string
  /** Each of these headers carries the plain signature. */
  readonly signatureHeaders: readonly string[]
}

/** EDI: RFC 1767. */
const contentTypes: Readonly<Record<WebhookFormat, string>> = {
  dcsa_2: 'application/json',
  dcsa_3: 'application/json',
  x12_315: 'application/edi-x12',
  iftsta: 'application/edifact',
}

/** Made by its own subscription, which gives the secret, and changed there only. */
export function isSubscription(format: WebhookFormat | null): boolean {
  return format === 'dcsa_2'
}

/** The version of the standard that `API-Version` names; null for a form that is none of DCSA's. */
export function standardVersion(format: WebhookFormat | null): string | null {
  return format === 'dcsa_2' ? '2.2.0' : format === 'dcsa_3' ? '3.0.0' : null
}

export function deliveryFormatOf(
  { config: { network } }: Pick<Service, 'config'>,
  { format, contentType, signatureHeaders }: Pick<Webhook, 'format' | 'contentType' | 'signatureHeaders'>,
): DeliveryFormat {
  return {
    contentType: format === null ? (contentType ?? network.webhookContentType) : contentTypes[format],
    signatureHeaders: isSubscription(format) ? [] : (signatureHeaders ?? network.signatureHeaders),
  }
}
