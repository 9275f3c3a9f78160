/** How documents are sent to a webhook: by the webhook's own settings, else by those of the installation. */

import type { Webhook } from '../../../store/telling/webhooks.ts'
import type { Service } from '../../service.ts'

export interface SentAs {
  readonly contentType: string
  /** Each of these headers carries the plain signature. */
  readonly signatureHeaders: readonly string[]
}

export function sentAs(
  { config: { network } }: Pick<Service, 'config'>,
  webhook: Pick<Webhook, 'contentType' | 'signatureHeaders'>,
): SentAs {
  return {
    contentType: webhook.contentType ?? network.webhookContentType,
    signatureHeaders: webhook.signatureHeaders ?? network.signatureHeaders,
  }
}
