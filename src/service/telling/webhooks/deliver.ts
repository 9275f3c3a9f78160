/**
 * The pump of deliveries: takes what is due, keeps many attempts running, and prevents that a slow receiver delays
 * another.
 */

import { readDeliveryFloor } from '../../../store/telling/delivery-floor.ts'
import {
  findDueWebhooks,
  type NotificationsToTake,
  takeNotifications,
  type WebhookKey,
  type WebhooksSeen,
} from '../../../store/telling/due-notifications.ts'
import { leaseToken } from '../../ground/holder.ts'
import { realNow, type Service } from '../../service.ts'
import { attemptDelivery, type LeasedDelivery, type RenderNotification } from './attempt-delivery.ts'
import { openAttemptBook } from './record-attempt.ts'
import { openHeaders } from './webhook-headers.ts'
import { openSearch } from './webhook-search.ts'
import { openSecrets } from './webhook-secrets.ts'
import { openTurns, type Turn, type WebhookTurns } from './webhook-turns.ts'

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
    if (wasIdle) pump.search()
    const taken = await pump.take()
    if (taken === 0 && wasIdle) return pump.sent()
    if (taken === 0) await changed
  }
}

/** Delivers until `stop` is called. */
export function startDeliveries(service: Service, options: DeliveryOptions): Deliveries {
  const pump = openPump(service, options)
  let isStopping = false
  const poll = setInterval(pump.wake, pollMs)
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
    wake: pump.wake,
    async stop() {
      isStopping = true
      clearInterval(poll)
      pump.wake()
      await running
    },
  }
}

interface Pump {
  /** Takes what is due, as far as there is room, and starts it; returns how many were taken, 0 when nothing is due. */
  readonly take: () => Promise<number>
  readonly underWay: () => number
  readonly sent: () => number
  /** Resolves when an attempt has ended or `wake` was called. */
  readonly changed: () => Promise<void>
  /** Has all webhooks searched for what is due; soon, but never so often that searching is most of what it does. */
  readonly wake: () => void
  /** The same, by the next `take`. */
  readonly search: () => void
}

function openPump(service: Service, options: DeliveryOptions): Pump {
  const atOnceMax = options.attemptsAtOnceMax ?? attemptsAtOnceMax
  const limits = { perWebhookMax: options.perWebhookMax ?? perWebhookMax, perFailingWebhookMax }
  let next = Promise.withResolvers<void>()
  const nudge = () => {
    next.resolve()
    next = Promise.withResolvers()
  }
  const attempts = openAttempts(service, options, {
    released: (webhook) => turns.add(webhook),
    ended: (webhook) => {
      turns.hasRoom(webhook)
      nudge()
    },
  })
  const turns = openTurns({ ...limits, underWay: attempts.byWebhook })
  const room = () => atOnceMax - attempts.underWay()
  const taking = openTaking(service, turns, limits)
  const search = openSearch(turns, taking.look, nudge)

  async function take(): Promise<number> {
    const leased: LeasedDelivery[] = []
    try {
      do {
        if (room() <= 0) return 0
        await search.step()
        for (const turn of turns.next(room()))
          leased.push(...(await taking.takeTurn(turn, room() - leased.length)))
      } while (leased.length === 0 && turns.isSearching())
    } finally {
      // Together, though they were taken one account after the other: what begins together is written together. Also when
      // another account could not be asked: their leases would have to run out.
      for (const each of leased) void attempts.start(each)
    }
    return leased.length
  }

  const { underWay, sent } = attempts
  return {
    take,
    underWay,
    sent,
    changed: () => next.promise,
    wake: () => {
      search.ask()
      nudge()
    },
    search: search.askAtOnce,
  }
}

interface Taking {
  /** Looks for due notifications at the next webhooks. */
  readonly look: (after: WebhookKey) => Promise<WebhooksSeen>
  /** Leases what is due at the webhooks of a turn, at most `limit`. */
  readonly takeTurn: (turn: Turn, limit: number) => Promise<readonly LeasedDelivery[]>
}

function openTaking(
  service: Service,
  turns: WebhookTurns,
  limits: Pick<NotificationsToTake, 'perWebhookMax' | 'perFailingWebhookMax'>,
): Taking {
  let floor = ''
  let floorReadMs = Number.NEGATIVE_INFINITY
  async function readFloor(): Promise<string> {
    if (performance.now() - floorReadMs > floorForMs) {
      floor = await readDeliveryFloor(service.pool)
      floorReadMs = performance.now()
    }
    return floor
  }

  return {
    look: async (after) =>
      findDueWebhooks(service.pool, { after, now: realNow(service), floor: await readFloor() }),
    async takeTurn(turn, limit) {
      const lease = newLease(service)
      const asked = { ...lease, ...turn, ...limits, limit, floor: await readFloor() }
      const taken = limit <= 0 ? [] : await takeNotifications(service.pool, asked)
      turns.ended(turn, taken, limit)
      return taken.map((notification) => ({
        notification,
        token: lease.token,
        secrets: openSecrets(service, notification),
        headers: openHeaders(service, notification),
      }))
    },
  }
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
  readonly start: (leased: LeasedDelivery) => Promise<void>
  readonly underWay: () => number
  /** How many of the running attempts each webhook has. */
  readonly byWebhook: ReadonlyMap<string, number>
  readonly sent: () => number
}

/** Counts the attempts that it starts, and tells of their ends. */
function openAttempts(
  service: Service,
  options: DeliveryOptions,
  tell: {
    /** The end of an attempt has made another notification of the webhook due. */
    readonly released: (webhook: WebhookKey) => void
    readonly ended: (webhook: WebhookKey) => void
  },
): Attempts {
  const by = {
    render: options.render,
    random: options.random ?? Math.random,
    book: openAttemptBook(service, tell.released),
  }
  const byWebhook = new Map<string, number>()
  let underWay = 0
  let sent = 0

  async function start(leased: LeasedDelivery): Promise<void> {
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
      tell.ended(leased.notification)
    }
  }

  return { start, underWay: () => underWay, byWebhook, sent: () => sent }
}
