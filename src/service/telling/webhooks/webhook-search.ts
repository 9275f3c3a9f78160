/** When all webhooks are searched for what is due: as it is asked for, with rests. */

import type { WebhookKey, WebhooksSeen } from '../../../store/telling/due-notifications.ts'
import type { WebhookTurns } from './webhook-turns.ts'

/**
 * After a search through all webhooks it rests for each look but the first, about three times as long as a look takes. A
 * search is one look mostly, and 200 where of 20,000 webhooks 1,000 fail. The time that it took would be no measure: a busy
 * machine would rest in addition.
 */
const restMsOfLook = 1

export interface Search {
  /** Looks at the next webhooks, if a search is asked for and does not rest. */
  readonly step: () => Promise<void>
  readonly ask: () => void
  readonly askAtOnce: () => void
}

/** Searches through all webhooks. `again` is called when a search that was asked for while it rested may begin. */
export function openSearch(
  turns: WebhookTurns,
  look: (after: WebhookKey) => Promise<WebhooksSeen>,
  again: () => void,
): Search {
  let isAsked = false
  let restUntilMs = Number.NEGATIVE_INFINITY
  let looks = 0
  let isResting = false
  const rest = (ms: number): void => {
    if (isResting) return
    isResting = true
    setTimeout(() => {
      isResting = false
      again()
    }, ms)
  }
  return {
    async step() {
      if (!turns.isSearching()) {
        if (!isAsked) return
        const leftMs = restUntilMs - performance.now()
        if (leftMs > 0) return rest(leftMs)
        isAsked = false
        looks = 0
        turns.searchAll()
      }
      await turns.search(look)
      looks += 1
      if (!turns.isSearching()) restUntilMs = performance.now() + (looks - 1) * restMsOfLook
    },
    ask: () => {
      isAsked = true
    },
    askAtOnce: () => {
      isAsked = true
      restUntilMs = Number.NEGATIVE_INFINITY
    },
  }
}
