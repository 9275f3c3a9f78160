/** How a webhook is sent its documents: as it says itself, and as the installation says where it is silent. */

import type { Webhook } from '../../../store/webhooks.ts'
import type { Service } from '../../service.ts'

export interface SentAs {
  readonly contentType: string
  /** Under each, the plain signature. */
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
