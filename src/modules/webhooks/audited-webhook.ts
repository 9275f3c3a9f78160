/** What the audit log contains of a webhook: its URL and its events, but never the values of its headers. */

import { namesIn, patternsIn, toStoredSubscription } from './event-patterns.ts'
import type { Webhook } from './webhooks-sql.ts'

interface AuditedWebhook
  extends Pick<
    Webhook,
    'url' | 'isActive' | 'events' | 'contentType' | 'signatureHeaders' | 'format' | 'narrowing' | 'ediIds'
  > {
  readonly headerNames: readonly string[]
}

export const auditedFields = [
  'url',
  'isActive',
  'events',
  'headerNames',
  'contentType',
  'signatureHeaders',
  'format',
  'narrowing',
  'ediIds',
] as const

export function toAuditedWebhook({
  headers,
  events,
  ...webhook
}: Omit<Webhook, 'headers'> & {
  readonly headers: readonly { readonly name: string }[] | null
}): AuditedWebhook {
  const patterns = patternsIn(events)
  const impliedNames = toStoredSubscription(patterns)
  const named = namesIn(events).filter((name) => !impliedNames.includes(name))
  return { ...webhook, events: [...patterns, ...named], headerNames: (headers ?? []).map(({ name }) => name) }
}
