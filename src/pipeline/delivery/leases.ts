/** Leases of notifications: one attempt each, long enough for it and for recording its outcome. */

import type { Service } from '../../modules/service.ts'
import { decryptHeaders } from '../../modules/webhooks/webhook-headers.ts'
import { decryptWebhookSecrets } from '../../modules/webhooks/webhook-secrets.ts'
import type { WebhookHeader } from '../../modules/webhooks/webhooks-sql.ts'
import { leaseToken } from '../jobs/holder.ts'
import type { LeasedNotification } from './due-notifications-sql.ts'

export interface Lease {
  readonly token: string
  readonly now: string
  readonly until: string
}

/** In addition to the longest attempt: time to write the document and the outcome. */
const marginMs = 45_000

export function newLease(service: Service): Lease {
  const { clock, config } = service
  const nowMs = clock.now()
  return {
    token: leaseToken(service),
    now: new Date(nowMs).toISOString(),
    until: new Date(nowMs + config.network.deliveryTimeoutMs + marginMs).toISOString(),
  }
}

/** A notification that is to be attempted. */
export interface LeasedDelivery {
  readonly notification: LeasedNotification
  readonly token: string
  /** Before it the attempt has to begin, so that it ends before others lease the notification. */
  readonly beginsBeforeMs: number
  /** The webhook's valid secrets, oldest first. */
  readonly secrets: readonly string[]
  /** The headers that the webhook's owner has set; null when they cannot be decrypted. */
  readonly headers: readonly WebhookHeader[] | null
  /** How many notifications of its lane were attempted right before it, one after the other. */
  readonly followed: number
}

export function toLeasedDelivery(
  service: Service,
  notification: LeasedNotification,
  of: Lease & Pick<LeasedDelivery, 'followed'>,
): LeasedDelivery {
  return {
    notification,
    token: of.token,
    beginsBeforeMs: Date.parse(of.until) - service.config.network.deliveryTimeoutMs,
    secrets: decryptWebhookSecrets(service, notification),
    headers: decryptHeaders(service, notification),
    followed: of.followed,
  }
}
