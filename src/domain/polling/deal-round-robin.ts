/**
 * Which due items are polled at one channel now: class after class, and within a class account after account, as far as
 * the channel's limits allow.
 */

import { type RequestLimits, type RequestUsage, requestPermit, type Urgency, urgencies } from './request-budget.ts'

/** What is due for one account in one class, longest overdue first. */
export interface AccountQueue<Item> {
  /** The class, 0 the most urgent. */
  readonly urgency: number
  readonly items: readonly Item[]
}

export interface DealInput<Of extends AccountQueue<unknown>> {
  /** Within each class, the account that was served the longest ago comes first. */
  readonly queues: readonly Of[]
  readonly spending: RequestUsage
  readonly limits: RequestLimits
  /** How many items the channel has dealt before. */
  readonly dealt: number
  /** The maximum number of items to deal. */
  readonly capacity: number
  readonly nowMs: number
  /** How many requests the item will probably need. */
  readonly requestsOf: (item: Of['items'][number]) => number
}

export interface DealResult<Of extends AccountQueue<unknown>> {
  readonly picks: readonly {
    readonly item: Of['items'][number]
    readonly queue: Of
    readonly requests: number
  }[]
  readonly spending: RequestUsage
  /** Until when each class waits for the limits, ms since 1970. Only classes that wait are here. */
  readonly waits: ReadonlyMap<Urgency, number>
}

/**
 * One item in this many comes from the calm end, so that calm items are polled too, even when new requests never end.
 */
const calmPickEvery = 8
const calmFirst = urgencies.toReversed()

export function dealRoundRobin<Of extends AccountQueue<unknown>>(of: DealInput<Of>): DealResult<Of> {
  const { queues, limits, dealt, capacity, nowMs, requestsOf } = of
  let { spending: usage } = of
  const picks: DealResult<Of>['picks'][number][] = []
  const waits = new Map<Urgency, number>()
  const lines = new Map(
    urgencies.map((urgency, place) => [
      urgency,
      queues
        .filter((queue) => queue.urgency === place && queue.items.length > 0)
        .map((queue) => ({ turn: queue, next: 0 })),
    ]),
  )
  while (picks.length < capacity) {
    const isCalmPick = (dealt + picks.length) % calmPickEvery === calmPickEvery - 1
    const order = isCalmPick ? calmFirst : urgencies
    const urgency = order.find((each) => !waits.has(each) && (lines.get(each)?.length ?? 0) > 0)
    const line = urgency === undefined ? undefined : lines.get(urgency)
    const place = line?.shift()
    const item = place?.turn.items[place.next]
    if (urgency === undefined || line === undefined || place === undefined || item === undefined) break
    const permit = requestPermit(usage, limits, {
      nowMs,
      requests: requestsOf(item),
      urgency: isCalmPick ? 'new' : urgency,
    })
    if (permit.kind === 'wait') {
      waits.set(urgency, permit.untilMs)
      continue
    }
    usage = permit.usage
    picks.push({ item, queue: place.turn, requests: permit.requests })
    place.next += 1
    if (place.next < place.turn.items.length) line.push(place)
  }
  return { picks, spending: usage, waits }
}
