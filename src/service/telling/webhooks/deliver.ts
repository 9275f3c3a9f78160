/**
 * The pump of deliveries: takes what is due, keeps many attempts running, and prevents that a slow receiver delays
 * another.
 */

import { readDeliveryFloor } from '../../../store/telling/delivery-floor.ts'
import {
  type LeasedNotification,
  type NotificationsToTake,
  takeNotifications,
  type WebhookKey,
} from '../../../store/telling/webhook-notifications.ts'
import { leaseToken } from '../../ground/holder.ts'
import type { Service } from '../../service.ts'
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
  /** Takes no more and waits for the running attempts. */
  readonly stop: () => Promise<void>
}

// Attempts mostly wait for their receivers, so many may run at a time. A receiver that hangs counts as failing, and
// then has at most two.
const attemptsAtOnceMax = 256
const perWebhookMax = 8
const perFailingWebhookMax = 2
const pollMs = 1_000
/** An old notification that is made pending again by another process is found this much later. */
const floorForMs = 1_000
/** In addition to the longest attempt: time to write the document and the outcome. */
const leaseMarginMs = 45_000
const beforeAll: WebhookKey = {
  accountId: '00000000-0000-0000-0000-000000000000',
  webhookId: '00000000-0000-0000-0000-000000000000',
}

/**
 * Delivers until nothing is due and no attempt runs; returns the number of attempts. Any number of processes may do it
 * at once.
 */
export async function deliverDue(service: Service, options: DeliveryOptions): Promise<number> {
  const pump = openPump(service, options)
  for (;;) {
    // Both are read before taking: an attempt that ends meanwhile may have made another notification due.
    const changed = pump.changed()
    const wasIdle = pump.underWay() === 0
    const taken = await pump.take()
    if (taken === 0 && wasIdle) return pump.sent()
    if (taken === 0) await changed
  }
}

/** Delivers until `stop` is called. */
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
  /** Takes what is due, as far as there is room, and starts it; returns how many were taken. */
  readonly take: () => Promise<number>
  readonly underWay: () => number
  readonly sent: () => number
  /** Resolves when an attempt has ended or `nudge` was called. */
  readonly changed: () => Promise<void>
  readonly nudge: () => void
}

function openPump(service: Service, options: DeliveryOptions): Pump {
  const atOnceMax = options.attemptsAtOnceMax ?? attemptsAtOnceMax
  let after = beforeAll
  let next = Promise.withResolvers<void>()
  const nudge = () => {
    next.resolve()
    next = Promise.withResolvers()
  }
  const attempts = openAttempts(service, options, nudge)
  let floor = ''
  let floorReadMs = Number.NEGATIVE_INFINITY
  async function readFloor(): Promise<string> {
    if (performance.now() - floorReadMs > floorForMs) {
      floor = await readDeliveryFloor(service.pool)
      floorReadMs = performance.now()
    }
    return floor
  }

  async function take(): Promise<number> {
    const room = atOnceMax - attempts.underWay()
    if (room === 0) return 0
    const lease = newLease(service)
    // Goes round all webhooks: each call continues after the webhook where the last one ran out of room.
    const fromWhere = after
    const taken = await takeNotifications(service.pool, {
      ...lease,
      limit: room,
      after: fromWhere,
      perWebhookMax: options.perWebhookMax ?? perWebhookMax,
      perFailingWebhookMax,
      floor: await readFloor(),
      underWay: attempts.byWebhook,
    })
    after = taken.length < room ? beforeAll : lastWebhook(taken)
    if (taken.length === 0 && fromWhere !== beforeAll) return take()
    for (const notification of taken) {
      void attempts.start({
        notification,
        token: lease.token,
        secrets: openSecrets(service, notification),
        headers: openHeaders(service, notification),
      })
    }
    return taken.length
  }

  const { underWay, sent } = attempts
  return { take, underWay, sent, changed: () => next.promise, nudge }
}

/** Long enough for the longest attempt and for recording its outcome. */
function newLease(service: Service): Pick<NotificationsToTake, 'token' | 'now' | 'until'> {
  const { clock, config } = service
  const nowMs = clock.now()
  return {
    token: leaseToken(service),
    now: new Date(nowMs).toISOString(),
    until: new Date(nowMs + config.network.deliveryTimeoutMs + leaseMarginMs).toISOString(),
  }
}

interface Attempts {
  /** Never rejects: failures are counted. */
  readonly start: (leased: Parameters<typeof attemptDelivery>[1]) => Promise<void>
  readonly underWay: () => number
  /** How many of the running attempts each webhook has. */
  readonly byWebhook: ReadonlyMap<string, number>
  readonly sent: () => number
}

/** Counts the attempts that it starts, and calls `ended` after each. */
function openAttempts(service: Service, options: DeliveryOptions, ended: () => void): Attempts {
  const by = {
    render: options.render,
    random: options.random ?? Math.random,
    book: openAttemptBook(service),
  }
  const byWebhook = new Map<string, number>()
  let underWay = 0
  let sent = 0

  async function start(leased: Parameters<typeof attemptDelivery>[1]): Promise<void> {
    const { id, webhookId } = leased.notification
    underWay += 1
    byWebhook.set(webhookId, (byWebhook.get(webhookId) ?? 0) + 1)
    try {
      if (await attemptDelivery(service, leased, by)) sent += 1
    } catch (error) {
      // The lease runs out and the notification is taken again, here or elsewhere.
      service.metrics.jobFailed({ job: 'delivery', notificationId: id, error })
    } finally {
      underWay -= 1
      const left = (byWebhook.get(webhookId) ?? 1) - 1
      if (left === 0) byWebhook.delete(webhookId)
      else byWebhook.set(webhookId, left)
      ended()
    }
  }

  return { start, underWay: () => underWay, byWebhook, sent: () => sent }
}

function lastWebhook(taken: readonly LeasedNotification[]): WebhookKey {
  return taken.reduce<WebhookKey>((last, { accountId, webhookId }) => {
    return accountId > last.accountId || (accountId === last.accountId && webhookId > last.webhookId)
      ? { accountId, webhookId }
      : last
  }, beforeAll)
}
