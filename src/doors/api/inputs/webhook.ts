/** What a body says of a new webhook. */

import { Type } from 'typebox'
import { eventNames } from '../../../service/webhooks/event-catalogue.ts'
import type { WebhookInput } from '../../../service/webhooks/webhook-input.ts'
import { readAttributes } from '../body.ts'
import { bodyOf } from '../operation.ts'
import { closed, readOnlyOf } from './attributes.ts'

const header = Type.Object({ name: Type.String(), value: Type.String() }, closed)
const newWebhook = Type.Object(
  {
    url: Type.String({ maxLength: 2_048 }),
    active: Type.Optional(Type.Boolean({ default: true })),
    events: Type.Array(Type.Unsafe<string>({ type: 'string', enum: eventNames }), {
      minItems: 1,
      maxItems: 100,
    }),
    headers: Type.Optional(Type.Unsafe({ type: ['array', 'null'], items: header, maxItems: 20 })),
  },
  closed,
)
export const webhookBody = bodyOf('webhook', newWebhook)
const readOnly = readOnlyOf('webhook', newWebhook)

interface NewWebhook {
  readonly url: string
  readonly active?: boolean
  readonly events: readonly string[]
  readonly headers?: readonly { readonly name: string; readonly value: string }[] | null
}

export function readNewWebhook(body: unknown): WebhookInput {
  const given = readAttributes<NewWebhook>(body, {
    type: 'webhook',
    id: null,
    attributes: newWebhook,
    readOnly,
  })
  return {
    url: given.url,
    isActive: given.active ?? true,
    events: given.events,
    headers: given.headers ?? null,
  }
}
