/** The pump of deliveries: takes what is due, keeps many attempts under way, and lets no slow receiver hold up another. */

import { randomUUID } from 'node:crypto'
import { type ClaimedNotification, claimDue, type WebhookKey } from '../../store/webhook-notifications.ts'
import type { Service } from '../service.ts'
import { attemptDelivery, type RenderNotification } from './attempt-delivery.ts'
import { openAttemptBook } from './record-attempt.ts'
import { openHeaders } from './webhook-headers.ts'
import { openSecrets } from './webhook-secrets.ts'

export interface DeliveryOptions {
  readonly render: RenderNotification
  /** From 0 to 1, for the jitter of retries. */
  readonly random?: () => number
  readonly attemptsAtOnceMax?: number
  readonly perWebhookMax?: number
}

export interface Deliveries {
  /** Looks for due notifications now instead of at the next poll. */
  readonly wake: () => void
  /** Takes no more and waits for what is under way. */
  readonly stop: () => Promise<void>
}

// Attempts mostly wait for their receivers, so many may be under way. A receiver that hangs is failing and holds two.
const attemptsAtOnceMax = 256
const perWebhookMax = 8
const perFailingWebhookMax = 2
const pollMs = 1_000
/** On top of the longest attempt: writing the document and the outcome. */
const leaseMarginMs = 45_000
const beforeAll: WebhookKey = {
  accountId: '00000000-0000-0000-0000-000000000000',
  webhookId: '00000000-0000-0000-0000-000000000000',
}

/** Delivers until nothing is due and nothing under way; returns the number of attempts. Any number may run at once. */
export async function deliverDue(service: Service, options: DeliveryOptions): Promise<number> {
  const pump = openPump(service, options)
  for (;;) {
    // Both asked before taking: what ends meanwhile may have let a next one go.
    const changed = pump.changed()
    const wasIdle = pump.underWay() === 0
    const taken = await pump.take()
    if (taken === 0 && wasIdle) return pump.sent()
    if (taken === 0) await changed
  }
}

/** Delivers for as long as the process lives. */
export function startDeliveries(service: Service, options: DeliveryOptions): Deliveries {
  const pump = openPump(service, options)
  let isStopping = false
  const poll = setInterval(pump.nudge, pollMs)
  const running = (async () => {
    while (!isStopping) {
      const changed = pump.changed()
      const taken = await pump.take().catch((error: unknown) => {
        service.metrics.jobFailed({ job: 'deliveries', error })
        return 0
      })
      if (taken === 0) await changed
    }
    while (pump.underWay() > 0) await pump.changed()
  })()
  return {
    wake: pump.nudge,
    async stop() {
      isStopping = true
      clearInterval(poll)
      pump.nudge()
      await running
    },
  }
}

interface Pump {
  /** Takes what is due, as far as there is room, and starts it; returns how many. */
  readonly take: () => Promise<number>
  readonly underWay: () => number
  readonly sent: () => number
  /** Settles when an attempt has ended or somebody nudged. */
  readonly changed: () => Promise<void>
  readonly nudge: () => void
}

function openPump(service: Service, options: DeliveryOptions): Pump {
  const atOnceMax = options.attemptsAtOnceMax ?? attemptsAtOnceMax
  const by = {
    render: options.render,
    random: options.random ?? Math.random,
    book: openAttemptBook(service),
  }
  const underWay = new Map<string, number>()
  let total = 0
  let sent = 0
  let after = beforeAll
  let next = Promise.withResolvers<void>()
  const nudge = () => {
    next.resolve()
    next = Promise.withResolvers()
  }

  async function take(): Promise<number> {
    const room = atOnceMax - total
    if (room === 0) return 0
    const token = randomUUID()
    const nowMs = service.clock.now()
    const claimAfter = (from: WebhookKey) =>
      claimDue(service.pool, {
        token,
        now: new Date(nowMs).toISOString(),
        until: new Date(nowMs + service.config.network.deliveryTimeoutMs + leaseMarginMs).toISOString(),
        limit: room,
        after: from,
        perWebhookMax: options.perWebhookMax ?? perWebhookMax,
        perFailingWebhookMax,
        underWay,
      })
    // Round and round: each time it goes on after the webhook where the last round ran out of room.
    const fromWhere = after
    const claimed = await claimAfter(fromWhere)
    after = claimed.length < room ? beforeAll : lastWebhook(claimed)
    if (claimed.length === 0 && fromWhere !== beforeAll) return take()
    for (const notification of claimed) {
      void start({
        notification,
        token,
        secrets: openSecrets(service, notification),
        headers: openHeaders(service, notification),
      })
    }
    return claimed.length
  }

  async function start(claim: Parameters<typeof attemptDelivery>[1]): Promise<void> {
    const { id, webhookId } = claim.notification
    total += 1
    underWay.set(webhookId, (underWay.get(webhookId) ?? 0) + 1)
    try {
      if (await attemptDelivery(service, claim, by)) sent += 1
    } catch (error) {
      // The lease runs out and the notification is taken again, here or elsewhere.
      service.metrics.jobFailed({ job: 'delivery', notificationId: id, error })
    } finally {
      total -= 1
      const left = (underWay.get(webhookId) ?? 1) - 1
      if (left === 0) underWay.delete(webhookId)
      else underWay.set(webhookId, left)
      nudge()
    }
  }

  return { take, underWay: () => total, sent: () => sent, changed: () => next.promise, nudge }
}

function lastWebhook(claimed: readonly ClaimedNotification[]): WebhookKey {
  return claimed.reduce<WebhookKey>((last, { accountId, webhookId }) => {
    return accountId > last.accountId || (accountId === last.accountId && webhookId > last.webhookId)
      ? { accountId, webhookId }
      : last
  }, beforeAll)
}
