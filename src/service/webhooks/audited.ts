/** What of a webhook the record of changes holds: where it goes and what it hears of, never what its headers say. */

import type { Webhook } from '../../store/webhooks.ts'

interface AuditedWebhook
  extends Pick<Webhook, 'url' | 'isActive' | 'events' | 'contentType' | 'signatureHeaders'> {
  readonly headerNames: readonly string[]
}

export const auditedFields = [
  'url',
  'isActive',
  'events',
  'headerNames',
  'contentType',
  'signatureHeaders',
] as const

export function audited({ headers, ...webhook }: Webhook): AuditedWebhook {
  return { ...webhook, headerNames: (headers ?? []).map(({ name }) => name) }
}
