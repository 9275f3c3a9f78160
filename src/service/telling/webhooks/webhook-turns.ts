/**
 * The turns of webhooks at which something may be due. They are found by a search through all webhooks, a hundred at a time,
 * or are known: an attempt has made another notification due, or has left room for more.
 */

import { inOrderOfAccounts } from '../../../store/ground/by-account.ts'
import type {
  LeasedNotification,
  WebhookKey,
  WebhooksSeen,
} from '../../../store/telling/due-notifications.ts'

/** Webhooks of one account whose turn it is. */
export interface Turn {
  readonly accountId: string
  readonly webhooks: readonly { readonly webhookId: string; readonly underWay: number }[]
}

export interface WebhookTurns {
  /** Begins a search through all webhooks. */
  readonly searchAll: () => void
  readonly isSearching: () => boolean
  /** Looks at the next webhooks, and gives a turn to those with something due. */
  readonly search: (look: (after: WebhookKey) => Promise<WebhooksSeen>) => Promise<void>
  /** Something is due at this webhook. */
  readonly add: (webhook: WebhookKey, isFailing?: boolean) => void
  /** As many webhooks as have room for `room` notifications together, of each account by themselves. */
  readonly next: (room: number) => readonly Turn[]
  /**
   * What was taken of `limit` at most; called before its attempts begin. Those at which more may be due get another turn,
   * when there is room for it.
   */
  readonly ended: (turn: Turn, taken: readonly LeasedNotification[], limit: number) => void
  /** An attempt to this webhook has ended. */
  readonly hasRoom: (webhook: WebhookKey) => void
}

const first: WebhookKey = {
  accountId: '00000000-0000-0000-0000-000000000000',
  webhookId: '00000000-0000-0000-0000-000000000000',
}

/** `underWay`: how many attempts each webhook has, by its id. */
export function openTurns(of: {
  readonly underWay: ReadonlyMap<string, number>
  readonly perWebhookMax: number
  readonly perFailingWebhookMax: number
}): WebhookTurns {
  const waiting = new Map<string, WebhookKey>()
  /** They had no room for all that may be due. */
  const full = new Set<string>()
  let after: WebhookKey | null = null
  const underWay = (webhookId: string): number => of.underWay.get(webhookId) ?? 0
  const maxOf = (isFailing: boolean): number => (isFailing ? of.perFailingWebhookMax : of.perWebhookMax)
  const add = (webhook: WebhookKey, isFailing = false): void => {
    if (underWay(webhook.webhookId) >= maxOf(isFailing)) full.add(webhook.webhookId)
    else waiting.set(webhook.webhookId, webhook)
  }

  function next(room: number): readonly Turn[] {
    const taken: WebhookKey[] = []
    let left = room
    for (const [webhookId, webhook] of waiting) {
      if (left <= 0) break
      waiting.delete(webhookId)
      const free = of.perWebhookMax - underWay(webhookId)
      if (free <= 0) full.add(webhookId)
      else taken.push(webhook)
      left -= Math.max(free, 0)
    }
    return inOrderOfAccounts(taken).map(([accountId, webhooks]) => ({
      accountId,
      webhooks: webhooks.map(({ webhookId }) => ({ webhookId, underWay: underWay(webhookId) })),
    }))
  }

  function ended(turn: Turn, taken: readonly LeasedNotification[], limit: number): void {
    const byWebhook = Map.groupBy(taken, ({ webhookId }) => webhookId)
    const isCutOff = taken.length >= limit
    for (const { webhookId, underWay: before } of turn.webhooks) {
      const got = byWebhook.get(webhookId) ?? []
      const max = maxOf(got.some(({ failingSince }) => failingSince !== null))
      // One that fails, and has no room, looks like one at which nothing is due.
      const isFull = got.length === 0 ? before > 0 && !isCutOff : before + got.length >= max
      // Where an attempt has ended meanwhile, there is room again.
      if (isFull && underWay(webhookId) >= before) full.add(webhookId)
      else if (isFull || isCutOff) waiting.set(webhookId, { accountId: turn.accountId, webhookId })
    }
  }

  return {
    searchAll: () => {
      after = first
    },
    isSearching: () => after !== null,
    search: async (look) => {
      if (after === null) return
      const { due, last } = await look(after)
      for (const webhook of due) add(webhook, webhook.isFailing)
      after = last
    },
    add,
    next,
    ended,
    hasRoom: (webhook) => {
      if (full.delete(webhook.webhookId)) waiting.set(webhook.webhookId, webhook)
    },
  }
}
