/**
 * The order of the webhooks at which something may be due. A search through all webhooks, a hundred at a time, finds
 * them, or they are known: an attempt has made another notification due, or has left capacity for more.
 */

import { inOrderOfAccounts } from '../../db/distributed/acquire-per-account.ts'
import type { CheckedWebhooks, LeasedNotification, WebhookKey } from './due-notifications-sql.ts'

/** Webhooks of one account that are next. */
export interface WebhookBatch {
  readonly accountId: string
  readonly webhooks: readonly { readonly webhookId: string; readonly underWay: number }[]
}

export interface WebhookRoundRobin {
  /** Begins a search through all webhooks. */
  readonly searchAll: () => void
  readonly isSearching: () => boolean
  /** Checks the next webhooks, and queues those with something due. */
  readonly search: (findDue: (after: WebhookKey) => Promise<CheckedWebhooks>) => Promise<void>
  /** Something is due at this webhook. */
  readonly add: (webhook: WebhookKey, isFailing?: boolean) => void
  /** As many webhooks as have capacity for `capacity` notifications together, of each account by themselves. */
  readonly next: (capacity: number) => readonly WebhookBatch[]
  /**
   * Records the leased notifications, at most `limit`; called before their attempts begin. Webhooks at which more may
   * be due are queued again, when they have capacity for it.
   */
  readonly recordBatchEnd: (batch: WebhookBatch, acquired: readonly LeasedNotification[], limit: number) => void
  /** An attempt to this webhook has ended. */
  readonly releaseCapacity: (webhook: WebhookKey) => void
}

const first: WebhookKey = {
  accountId: '00000000-0000-0000-0000-000000000000',
  webhookId: '00000000-0000-0000-0000-000000000000',
}

/** `underWay`: how many attempts each webhook has, by its id. */
export function openRoundRobin(of: {
  readonly underWay: ReadonlyMap<string, number>
  readonly perWebhookMax: number
  readonly perFailingWebhookMax: number
}): WebhookRoundRobin {
  const waiting = new Map<string, WebhookKey>()
  /** They had no capacity for all that may be due. */
  const full = new Set<string>()
  let after: WebhookKey | null = null
  const underWay = (webhookId: string): number => of.underWay.get(webhookId) ?? 0
  const maxOf = (isFailing: boolean): number => (isFailing ? of.perFailingWebhookMax : of.perWebhookMax)
  const add = (webhook: WebhookKey, isFailing = false): void => {
    if (underWay(webhook.webhookId) >= maxOf(isFailing)) full.add(webhook.webhookId)
    else waiting.set(webhook.webhookId, webhook)
  }

  function next(capacity: number): readonly WebhookBatch[] {
    const picked: WebhookKey[] = []
    let remaining = capacity
    for (const [webhookId, webhook] of waiting) {
      if (remaining <= 0) break
      waiting.delete(webhookId)
      const free = of.perWebhookMax - underWay(webhookId)
      if (free <= 0) full.add(webhookId)
      else picked.push(webhook)
      remaining -= Math.max(free, 0)
    }
    return inOrderOfAccounts(picked).map(([accountId, webhooks]) => ({
      accountId,
      webhooks: webhooks.map(({ webhookId }) => ({ webhookId, underWay: underWay(webhookId) })),
    }))
  }

  function recordBatchEnd(batch: WebhookBatch, acquired: readonly LeasedNotification[], limit: number): void {
    const byWebhook = Map.groupBy(acquired, ({ webhookId }) => webhookId)
    const isCutOff = acquired.length >= limit
    for (const { webhookId, underWay: before } of batch.webhooks) {
      const got = byWebhook.get(webhookId) ?? []
      const max = maxOf(got.some(({ failingSince }) => failingSince !== null))
      // One that fails, and has no capacity, cannot be distinguished from one at which nothing is due.
      const isFull = got.length === 0 ? before > 0 && !isCutOff : before + got.length >= max
      // Where an attempt has ended meanwhile, there is capacity again.
      if (isFull && underWay(webhookId) >= before) full.add(webhookId)
      else if (isFull || isCutOff) waiting.set(webhookId, { accountId: batch.accountId, webhookId })
    }
  }

  return {
    searchAll: () => {
      after = first
    },
    isSearching: () => after !== null,
    search: async (findDue) => {
      if (after === null) return
      const { due, last } = await findDue(after)
      for (const webhook of due) add(webhook, webhook.isFailing)
      after = last
    },
    add,
    next,
    recordBatchEnd,
    releaseCapacity: (webhook) => {
      if (full.delete(webhook.webhookId)) waiting.set(webhook.webhookId, webhook)
    },
  }
}

/**
 * After a search through all webhooks it pauses for each step but the first, about three times as long as a step takes.
 * Mostly a search is one step; it is 200 steps where of 20,000 webhooks 1,000 fail. The measured time of the search
 * would be no good basis: a busy machine would pause in addition.
 */
const pauseMsOfStep = 1

export interface PausableWebhookSearch {
  /** Checks the next webhooks, if a search is requested and is not paused. */
  readonly step: () => Promise<void>
  readonly ask: () => void
  readonly askAtOnce: () => void
}

/** Searches through all webhooks. `again` is called when a search that was requested during the pause may begin. */
export function openSearch(
  roundRobin: WebhookRoundRobin,
  findDue: (after: WebhookKey) => Promise<CheckedWebhooks>,
  again: () => void,
): PausableWebhookSearch {
  let isRequested = false
  let pauseUntilMs = Number.NEGATIVE_INFINITY
  let stepCount = 0
  let isResting = false
  const pauseFor = (ms: number): void => {
    if (isResting) return
    isResting = true
    setTimeout(() => {
      isResting = false
      again()
    }, ms)
  }
  return {
    async step() {
      if (!roundRobin.isSearching()) {
        if (!isRequested) return
        const remainingMs = pauseUntilMs - performance.now()
        if (remainingMs > 0) return pauseFor(remainingMs)
        isRequested = false
        stepCount = 0
        roundRobin.searchAll()
      }
      await roundRobin.search(findDue)
      stepCount += 1
      if (!roundRobin.isSearching()) pauseUntilMs = performance.now() + (stepCount - 1) * pauseMsOfStep
    },
    ask: () => {
      isRequested = true
    },
    askAtOnce: () => {
      isRequested = true
      pauseUntilMs = Number.NEGATIVE_INFINITY
    },
  }
}
