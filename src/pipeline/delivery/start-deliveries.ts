/**
 * Runs deliveries: leases what is due, has many attempts under way at a time, and prevents that a slow receiver delays
 * another.
 */

import { realNow, type Service } from '../../modules/service.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import { readDeliveryFloor } from './delivery-floor-sql.ts'
import {
  type CheckedWebhooks,
  findDueWebhooks,
  leaseNotifications,
  type NotificationsToTake,
  type WebhookKey,
} from './due-notifications-sql.ts'
import { type LeasedDelivery, newLease, toLeasedDelivery } from './leases.ts'
import { openPayloads, type RenderNotification } from './payloads.ts'
import { openRecorder } from './record-attempt.ts'
import { openRoundRobin, openSearch, type WebhookBatch, type WebhookRoundRobin } from './webhook-round-robin.ts'

export interface DeliveryOptions {
  readonly render: RenderNotification
  /** From 0 to 1, for the jitter of retries. */
  readonly random?: () => number
  readonly attemptsAtOnceMax?: number
  readonly perWebhookMax?: number
}

export interface Deliveries {
  /** Searches for due notifications now instead of after the poll interval. */
  readonly wake: () => void
  /** Starts no more and waits for the running attempts. */
  readonly stop: () => Promise<void>
}

// Attempts mostly wait for their receivers, so many may run at a time. A receiver that hangs counts as failing, and
// then has at most two.
const attemptsAtOnceMax = 512
const perWebhookMax = 16
const perFailingWebhookMax = 2
const pollMs = 1_000
/** An old notification that is made pending again by another process is found this much later. */
const floorForMs = 1_000
/**
 * Delivers until nothing is due and no attempt runs; returns the number of attempts. Any number of processes may do it
 * at once.
 */
export async function deliverDue(service: Service, options: DeliveryOptions): Promise<number> {
  const pump = openPump(service, options)
  for (;;) {
    // Both are read before leasing: an attempt that ends meanwhile may have made another notification due.
    const changed = pump.changed()
    const wasIdle = pump.underWay() === 0
    if (wasIdle) pump.search()
    const acquired = await pump.acquireDeliveries()
    if (acquired === 0 && wasIdle) return pump.sentCount()
    if (acquired === 0) await changed
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
      const acquired = await pump.acquireDeliveries().catch((error: unknown) => {
        service.metrics.jobFailed({ job: 'deliveries', error })
        return 0
      })
      if (acquired === 0) await changed
    }
    while (pump.underWay() > 0) await pump.changed()
  })()
  return {
    wake: pump.wake,
    async stop() {
      isStopping = true
      pump.endLanes()
      clearInterval(poll)
      pump.wake()
      await running
    },
  }
}

interface DeliveryPump {
  /**
   * Leases what is due, as far as there is capacity, and starts it; returns how many were leased, 0 when nothing is
   * due.
   */
  readonly acquireDeliveries: () => Promise<number>
  readonly underWay: () => number
  readonly sentCount: () => number
  /** From now on the end of an attempt does not begin that of the next in its lane. */
  readonly endLanes: () => void
  /** Resolves when an attempt has ended or `wake` was called. */
  readonly changed: () => Promise<void>
  /** Searches all webhooks for what is due; soon, but never so often that searching is most of the work. */
  readonly wake: () => void
  /** The same, by the next `acquireDeliveries`. */
  readonly search: () => void
}

function openPump(service: Service, options: DeliveryOptions): DeliveryPump {
  const atOnceMax = options.attemptsAtOnceMax ?? attemptsAtOnceMax
  const limits = { perWebhookMax: options.perWebhookMax ?? perWebhookMax, perFailingWebhookMax }
  let next = Promise.withResolvers<void>()
  const nudge = () => {
    next.resolve()
    next = Promise.withResolvers()
  }
  const attempts = openAttempts(service, options, {
    released: (webhook) => roundRobin.add(webhook),
    ended: (webhook) => {
      roundRobin.releaseCapacity(webhook)
      nudge()
    },
  })
  const roundRobin = openRoundRobin({ ...limits, underWay: attempts.byWebhook })
  const capacity = () => atOnceMax - attempts.underWay()
  const taking = createNotificationLeaser(service, roundRobin, limits)
  const search = openSearch(roundRobin, taking.findDue, nudge)

  async function acquireDeliveries(): Promise<number> {
    const leased: LeasedDelivery[] = []
    try {
      do {
        if (capacity() <= 0) return 0
        await search.step()
        await taking.acquireAll(roundRobin.next(capacity()), capacity(), leased)
      } while (leased.length === 0 && roundRobin.isSearching())
    } finally {
      // They start together: attempts that begin together are written together. Also when another account could not be
      // queried: their leases would have to run out.
      for (const each of leased) void attempts.start(each)
    }
    return leased.length
  }

  const { underWay, sentCount, endLanes } = attempts
  return {
    acquireDeliveries,
    underWay,
    sentCount,
    endLanes,
    changed: () => next.promise,
    wake: () => {
      search.ask()
      nudge()
    },
    search: search.askAtOnce,
  }
}

interface NotificationLeaser {
  /** Searches for due notifications at the next webhooks. */
  readonly findDue: (after: WebhookKey) => Promise<CheckedWebhooks>
  /**
   * Leases what is due at the webhooks of these batches, at most `limit` together, and adds it to `leased`. Rejects when a
   * batch could not be leased, after the others were.
   */
  readonly acquireAll: (batches: readonly WebhookBatch[], limit: number, leased: LeasedDelivery[]) => Promise<void>
}

function createNotificationLeaser(
  service: Service,
  roundRobin: WebhookRoundRobin,
  limits: Pick<NotificationsToTake, 'perWebhookMax' | 'perFailingWebhookMax'>,
): NotificationLeaser {
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
    findDue: async (after) => findDueWebhooks(service.pool, { after, now: realNow(service), floor: await readFloor() }),
    async acquireAll(batches, limit, leased) {
      const floor = await readFloor()
      let remaining = limit
      const leases = batches.map(async (batch) => {
        const free = batch.webhooks.reduce((sum, { underWay }) => sum + limits.perWebhookMax - underWay, 0)
        const most = Math.min(free, remaining)
        remaining -= most
        leased.push(...(await acquireBatch(batch, most, floor)))
      })
      const failed = (await Promise.allSettled(leases)).find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
    },
  }

  async function acquireBatch(batch: WebhookBatch, limit: number, floor: string): Promise<readonly LeasedDelivery[]> {
    const lease = newLease(service)
    const acquired =
      limit <= 0 ? [] : await leaseNotifications(service.pool, { ...lease, ...batch, ...limits, limit, floor })
    roundRobin.recordBatchEnd(batch, acquired, limit)
    return acquired.map((notification) => toLeasedDelivery(service, notification, { ...lease, followed: 0 }))
  }
}

interface RunningAttempts {
  /** Never rejects: failures are counted. */
  readonly start: (leased: LeasedDelivery) => Promise<void>
  readonly underWay: () => number
  /** How many of the running attempts each webhook has. */
  readonly byWebhook: ReadonlyMap<string, number>
  readonly sentCount: () => number
  readonly endLanes: () => void
}

/** Counts the attempts that it starts, and reports their ends. */
function openAttempts(
  service: Service,
  options: DeliveryOptions,
  callbacks: {
    /** The end of an attempt has made another notification of the webhook due. */
    readonly released: (webhook: WebhookKey) => void
    readonly ended: (webhook: WebhookKey) => void
  },
): RunningAttempts {
  const by = {
    findPayload: openPayloads(service, options.render),
    random: options.random ?? Math.random,
    record: openRecorder(service, { released: callbacks.released, leased: (next) => void start(next) }),
    mayContinue: () => !isStopping,
  }
  const byWebhook = new Map<string, number>()
  let underWay = 0
  let sentCount = 0
  let isStopping = false

  async function start(leased: LeasedDelivery): Promise<void> {
    const { id, webhookId } = leased.notification
    underWay += 1
    byWebhook.set(webhookId, (byWebhook.get(webhookId) ?? 0) + 1)
    try {
      if (await attemptDelivery(service, leased, by)) sentCount += 1
    } catch (error) {
      // The lease runs out and the notification is leased again, here or elsewhere.
      service.metrics.jobFailed({ job: 'delivery', notificationId: id, error })
    } finally {
      underWay -= 1
      const remaining = (byWebhook.get(webhookId) ?? 1) - 1
      if (remaining === 0) byWebhook.delete(webhookId)
      else byWebhook.set(webhookId, remaining)
      callbacks.ended(leased.notification)
    }
  }

  const endLanes = (): void => {
    isStopping = true
  }
  return { start, underWay: () => underWay, byWebhook, sentCount: () => sentCount, endLanes }
}
