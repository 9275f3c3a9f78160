/** What of a webhook the record of changes holds: where it goes and what it hears of, never what its headers say. */

import type { Webhook } from '../../store/webhooks.ts'

interface AuditedWebhook extends Pick<Webhook, 'url' | 'isActive' | 'events' | 'contentType'> {
  readonly headerNames: readonly string[]
}

export const auditedFields = ['url', 'isActive', 'events', 'headerNames', 'contentType'] as const

export function audited({ url, isActive, events, headers, contentType }: Webhook): AuditedWebhook {
  return { url, isActive, events, contentType, headerNames: (headers ?? []).map(({ name }) => name) }
}
