/** The decrypted secrets of webhooks: deliveries are signed with them, and their owners may see them. */

import { type Context, hasPermission } from '../access/context.ts'
import { realNow, type Service } from '../service.ts'
import { type DeliveryFormat, deliveryFormatOf } from './delivery-format.ts'
import { decryptHeaders } from './webhook-headers.ts'
import { listLiveSecrets } from './webhook-secrets-sql.ts'
import type { Webhook } from './webhooks-sql.ts'

/**
 * The secret and the values of headers are null for a caller that may not manage webhooks, because with them one can
 * forge our requests.
 */
export interface WebhookView extends Omit<Webhook, 'headers'> {
  readonly headers: readonly { readonly name: string; readonly value: string | null }[] | null
  readonly secret: string | null
  readonly deliveryFormat: DeliveryFormat
}
export type WebhookWithSecret = WebhookView & { readonly secret: string }

/** A secret that cannot be decrypted is left out and logged: the fault concerns only its own webhook. */
export function decryptWebhookSecrets(
  service: Service,
  of: { readonly webhookId: string; readonly encryptedSecrets: readonly Buffer[] },
): readonly string[] {
  return of.encryptedSecrets.flatMap((encrypted) => {
    try {
      return [service.encryption.decrypt(encrypted)]
    } catch (error) {
      service.log.error('credential.unusable', { webhookId: of.webhookId, error })
      return []
    }
  })
}

/** While secrets overlap, the newest is shown: receivers should check with it from now on. */
export async function withSecrets(
  service: Service,
  webhooks: readonly Webhook[],
): Promise<readonly WebhookWithSecret[]> {
  if (webhooks.length === 0) return []
  const live = await listLiveSecrets(service.pool, {
    accountIds: [...new Set(webhooks.map(({ accountId }) => accountId))],
    webhookIds: webhooks.map(({ id }) => id),
    now: realNow(service),
  })
  const byWebhook = Map.groupBy(live, ({ webhookId }) => webhookId)
  return webhooks.map((webhook) => {
    const encryptedSecrets = (byWebhook.get(webhook.id) ?? []).map(({ sealed: encrypted }) => encrypted)
    const secret = decryptWebhookSecrets(service, { webhookId: webhook.id, encryptedSecrets }).at(-1) ?? ''
    return showToManager(service, webhook, secret)
  })
}

export async function withSecret(service: Service, webhook: Webhook): Promise<WebhookWithSecret> {
  const [view] = await withSecrets(service, [webhook])
  return view ?? showToManager(service, webhook, '')
}

export async function showWebhooks(
  service: Service,
  context: Context,
  webhooks: readonly Webhook[],
): Promise<readonly WebhookView[]> {
  if (hasPermission(context, 'webhooks')) return withSecrets(service, webhooks)
  return webhooks.map((webhook) => ({
    ...webhook,
    headers: withoutValues(webhook),
    secret: null,
    deliveryFormat: deliveryFormatOf(service, webhook),
  }))
}

export function showToManager(service: Service, webhook: Webhook, secret: string): WebhookWithSecret {
  const headers =
    webhook.headers === null
      ? null
      : (decryptHeaders(service, { webhookId: webhook.id, headers: webhook.headers }) ?? withoutValues(webhook))
  return { ...webhook, headers, secret, deliveryFormat: deliveryFormatOf(service, webhook) }
}

function withoutValues({ headers }: Webhook): WebhookView['headers'] {
  return headers?.map(({ name }) => ({ name, value: null })) ?? null
}
