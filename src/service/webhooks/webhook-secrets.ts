/** The secrets of webhooks, opened: what deliveries are signed with and what their owners are shown. */

import { listLiveSecrets, type Webhook } from '../../store/webhooks.ts'
import { realNow, type Service } from '../service.ts'

export type WebhookWithSecret = Webhook & { readonly secret: string }

/** By webhook id, the oldest live one first. One that cannot be opened is left out and logged: it harms its own webhook alone. */
export async function openSecrets(
  service: Service,
  webhooks: readonly { readonly accountId: string; readonly webhookId: string }[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (webhooks.length === 0) return new Map()
  const sealed = await listLiveSecrets(service.pool, {
    accountIds: [...new Set(webhooks.map(({ accountId }) => accountId))],
    webhookIds: [...new Set(webhooks.map(({ webhookId }) => webhookId))],
    now: realNow(service),
  })
  const opened = new Map<string, string[]>()
  for (const { webhookId, sealed: bytes } of sealed) {
    try {
      opened.set(webhookId, [...(opened.get(webhookId) ?? []), service.vault.open(bytes)])
    } catch (error) {
      service.log.error('credential.unusable', { webhookId, error })
    }
  }
  return opened
}

/** While secrets overlap, the newest is shown: the one to check with from now on. */
export async function withSecrets(
  service: Service,
  webhooks: readonly Webhook[],
): Promise<readonly WebhookWithSecret[]> {
  const secrets = await openSecrets(
    service,
    webhooks.map(({ accountId, id }) => ({ accountId, webhookId: id })),
  )
  return webhooks.map((webhook) => ({ ...webhook, secret: secrets.get(webhook.id)?.at(-1) ?? '' }))
}

export async function withSecret(service: Service, webhook: Webhook): Promise<WebhookWithSecret> {
  const [shown] = await withSecrets(service, [webhook])
  return shown ?? { ...webhook, secret: '' }
}
