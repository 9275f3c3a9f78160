/**
 * Subscriptions of DCSA's standard. Each is a webhook of its own form: it has the same queue, history and limits, and
 * is seen among the webhooks. Before one is stored, its receiver has to answer a signed HEAD, so that nobody can make
 * us send to a machine that did not request it.
 */

import { inTransaction } from '../../db/database.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requirePermission, requireScope } from '../access/context.ts'
import { diffOf, recordChange } from '../audit/record-change.ts'
import { notFound, refusedAt } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { auditedFields, toAuditedWebhook } from './audited-webhook.ts'
import { checkUrl } from './check-webhook.ts'
import { createWebhook } from './create-webhook.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { standardVersion } from './delivery-format.ts'
import { checkStandardSecret, standardHeaders } from './standard-signature.ts'
import { decryptWebhookSecrets } from './webhook-secrets.ts'
import { endSecrets, insertWebhookSecret, listLiveSecrets } from './webhook-secrets-sql.ts'
import {
  findWebhooks,
  listWebhooksOfFormat,
  lockWebhook,
  updateWebhook,
  type Webhook,
  type WebhookMoveFilter,
} from './webhooks-sql.ts'

const format = 'dcsa_2'
const version = standardVersion(format) ?? ''

export type Subscription = Pick<Webhook, 'id' | 'url' | 'narrowing'>

export interface SubscriptionInput {
  readonly url: string
  readonly narrowing: WebhookMoveFilter
}

const what = 'subscription'

export async function createSubscription(
  service: Service,
  context: Context,
  { url, narrowing, secret }: SubscriptionInput & { readonly secret: string },
): Promise<Subscription> {
  requirePermission(context, 'webhooks')
  checkUrl(url, { egress: service.egress, pointer: '/callbackUrl' })
  checkStandardSecret(secret, '/secret')
  const id = uuidV7(service.clock.now())
  await verifyReceiver(service, context, { id, url, secret })
  const { events } = narrowing.filter
  return createWebhook(service, context, { url, events }, { id, secret, format, narrowing })
}

/** The newest first. */
export async function listSubscriptions(service: Service, context: Context): Promise<readonly Subscription[]> {
  requireScope(context, 'read')
  return listWebhooksOfFormat(service.pool, { accountId: context.account.id, format })
}

export async function getSubscription(
  service: Service,
  context: Context,
  of: { readonly id: string },
): Promise<Subscription> {
  requireScope(context, 'read')
  const [found] = await findWebhooks(service.pool, { accountId: context.account.id, ids: [of.id] })
  if (found?.format !== format) throw notFound(what)
  return found
}

/** Replaces the complete earlier request. A new address has to answer first, as at the beginning. */
export async function replaceSubscription(
  service: Service,
  context: Context,
  { id, url, narrowing }: SubscriptionInput & { readonly id: string },
): Promise<Subscription> {
  requirePermission(context, 'webhooks')
  checkUrl(url, { egress: service.egress, pointer: '/callbackUrl' })
  const accountId = context.account.id
  const known = await getSubscription(service, context, { id })
  const now = realNow(service)
  if (url !== known.url) {
    const live = await listLiveSecrets(service.pool, { accountIds: [accountId], webhookIds: [id], now })
    const encryptedSecrets = live.map(({ sealed: encrypted }) => encrypted)
    const secret = decryptWebhookSecrets(service, { webhookId: id, encryptedSecrets }).at(-1)
    if (secret === undefined) throw refusedAt('/callbackUrl', 'Give the subscription a new secret first.')
    await verifyReceiver(service, context, { id, url, secret })
  }
  return inTransaction(service.pool, async (db) => {
    const webhook = await lockWebhook(db, accountId, id)
    if (webhook === null || webhook.format !== format) throw notFound(what)
    const next = { ...webhook, url, events: narrowing.filter.events, narrowing, updatedAt: now }
    await updateWebhook(db, next)
    await recordChange(db, service, context, {
      action: 'webhook.updated',
      target: { type: 'webhook', id },
      diff: diffOf(toAuditedWebhook(webhook), toAuditedWebhook(next), auditedFields),
    })
    return next
  })
}

/** The secret before ends at once. */
export async function replaceSubscriptionSecret(
  service: Service,
  context: Context,
  { id, secret }: { readonly id: string; readonly secret: string },
): Promise<void> {
  requirePermission(context, 'webhooks')
  checkStandardSecret(secret, '/secret')
  const accountId = context.account.id
  const now = realNow(service)
  await inTransaction(service.pool, async (db) => {
    const webhook = await lockWebhook(db, accountId, id)
    if (webhook === null || webhook.format !== format) throw notFound(what)
    await endSecrets(db, { accountId, webhookId: id, at: now })
    await insertWebhookSecret(db, {
      accountId,
      webhookId: id,
      id: uuidV7(service.clock.now()),
      sealed: service.encryption.encrypt(secret),
      createdAt: now,
      expiresAt: null,
    })
    await recordChange(db, service, context, {
      action: 'webhook.secret_rotated',
      target: { type: 'webhook', id },
      diff: null,
    })
  })
}

export async function deleteSubscription(
  service: Service,
  context: Context,
  of: { readonly id: string },
): Promise<void> {
  requirePermission(context, 'webhooks')
  await getSubscription(service, context, of)
  await deleteWebhook(service, context, of)
}

/** The receiver shows that it expects us: it answers a HEAD that is signed with its secret by 2xx. */
async function verifyReceiver(
  service: Service,
  { account }: Context,
  of: { readonly id: string; readonly url: string; readonly secret: string },
): Promise<void> {
  const headers = standardHeaders({
    subscriptionId: of.id,
    body: Buffer.alloc(0),
    secrets: [of.secret],
  })
  const result = await service.egress.request({
    url: of.url,
    method: 'HEAD',
    headers: { 'User-Agent': 'Landfall', 'API-Version': version, ...Object.fromEntries(headers) },
    timeoutMs: service.config.network.deliveryTimeoutMs,
    maxBytes: 1_024,
    isBodyExtra: true,
    tenant: account.id,
  })
  if (result.kind === 'answer' && result.status >= 200 && result.status < 300) return
  const why =
    result.kind === 'answer'
      ? `It answered ${result.status}.`
      : result.kind === 'refused'
        ? result.reason
        : `${result.reason}: ${result.message}.`
  throw refusedAt(
    '/callbackUrl',
    `The receiver has to answer a HEAD request with 204 before it is sent anything. ${why}`,
  )
}
