/** Starts searches through all webhooks for what is due: on request, with pauses. */

import type { CheckedWebhooks, WebhookKey } from './due-notifications-sql.ts'
import type { WebhookRoundRobin } from './webhook-round-robin.ts'

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
