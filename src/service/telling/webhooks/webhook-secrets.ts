/** The decrypted secrets of webhooks: deliveries are signed with them, and their owners may see them. */

import { listLiveSecrets } from '../../../store/telling/webhook-secrets.ts'
import type { Webhook } from '../../../store/telling/webhooks.ts'
import { type Context, hasPermission } from '../../context.ts'
import { realNow, type Service } from '../../service.ts'
import { type SentAs, sentAs } from './sent-as.ts'
import { openHeaders } from './webhook-headers.ts'

/**
 * The secret and the values of headers are null for a caller that may not manage webhooks, because with them one can
 * forge our requests.
 */
export interface ShownWebhook extends Omit<Webhook, 'headers'> {
  readonly headers: readonly { readonly name: string; readonly value: string | null }[] | null
  readonly secret: string | null
  readonly sentAs: SentAs
}
export type WebhookWithSecret = ShownWebhook & { readonly secret: string }

/** A secret that cannot be decrypted is left out and logged: the fault concerns only its own webhook. */
export function openSecrets(
  service: Service,
  of: { readonly webhookId: string; readonly sealedSecrets: readonly Buffer[] },
): readonly string[] {
  return of.sealedSecrets.flatMap((sealed) => {
    try {
      return [service.vault.open(sealed)]
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
    const sealedSecrets = (byWebhook.get(webhook.id) ?? []).map(({ sealed }) => sealed)
    const secret = openSecrets(service, { webhookId: webhook.id, sealedSecrets }).at(-1) ?? ''
    return showToManager(service, webhook, secret)
  })
}

export async function withSecret(service: Service, webhook: Webhook): Promise<WebhookWithSecret> {
  const [shown] = await withSecrets(service, [webhook])
  return shown ?? showToManager(service, webhook, '')
}

export async function showWebhooks(
  service: Service,
  context: Context,
  webhooks: readonly Webhook[],
): Promise<readonly ShownWebhook[]> {
  if (hasPermission(context, 'webhooks')) return withSecrets(service, webhooks)
  return webhooks.map((webhook) => ({
    ...webhook,
    headers: withoutValues(webhook),
    secret: null,
    sentAs: sentAs(service, webhook),
  }))
}

export function showToManager(service: Service, webhook: Webhook, secret: string): WebhookWithSecret {
  const headers =
    webhook.headers === null
      ? null
      : (openHeaders(service, { webhookId: webhook.id, headers: webhook.headers }) ?? withoutValues(webhook))
  return { ...webhook, headers, secret, sentAs: sentAs(service, webhook) }
}

function withoutValues({ headers }: Webhook): ShownWebhook['headers'] {
  return headers?.map(({ name }) => ({ name, value: null })) ?? null
}
