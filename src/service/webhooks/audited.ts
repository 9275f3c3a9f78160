/** What of a webhook the record of changes holds: where it goes and what it hears of, never what its headers say. */

import type { Webhook } from '../../store/webhooks.ts'

interface AuditedWebhook extends Pick<Webhook, 'url' | 'isActive' | 'events'> {
  readonly headerNames: readonly string[]
}

export const auditedFields = ['url', 'isActive', 'events', 'headerNames'] as const

export function audited({ url, isActive, events, headers }: Webhook): AuditedWebhook {
  return { url, isActive, events, headerNames: (headers ?? []).map(({ name }) => name) }
}
