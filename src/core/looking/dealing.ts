/**
 * What one channel is asked now, of all that is due there: class after class, and within a class account after account,
 * as far as the channel's limits allow.
 */

import { askLeave, type RequestLimits, type Spending, type Urgency, urgencies } from './request-budget.ts'

/** What is due for one account in one class, longest overdue first. */
export interface Turn<Item> {
  /** The class, 0 the most urgent. */
  readonly urgency: number
  readonly items: readonly Item[]
}

export interface Dealing<Of extends Turn<unknown>> {
  /** Within each class, the account whose turn was the longest ago comes first. */
  readonly turns: readonly Of[]
  readonly spending: Spending
  readonly limits: RequestLimits
  /** How many items the channel has dealt before. */
  readonly dealt: number
  /** The maximum number of items to deal. */
  readonly room: number
  readonly nowMs: number
  /** How many requests the item will probably take. */
  readonly requestsOf: (item: Of['items'][number]) => number
}

export interface Dealt<Of extends Turn<unknown>> {
  readonly picks: readonly {
    readonly item: Of['items'][number]
    readonly turn: Of
    readonly requests: number
  }[]
  readonly spending: Spending
  /** Until when each class waits for the limits, ms since 1970. Only classes that wait are here. */
  readonly waits: ReadonlyMap<Urgency, number>
}

/**
 * One item in this many is taken from the calm end, so that calm items are asked too, even when new requests never end.
 */
const calmTurnEvery = 8
const calmFirst = urgencies.toReversed()

export function deal<Of extends Turn<unknown>>(of: Dealing<Of>): Dealt<Of> {
  const { turns, limits, dealt, room, nowMs, requestsOf } = of
  let { spending } = of
  const picks: Dealt<Of>['picks'][number][] = []
  const waits = new Map<Urgency, number>()
  const lines = new Map(
    urgencies.map((urgency, place) => [
      urgency,
      turns
        .filter((turn) => turn.urgency === place && turn.items.length > 0)
        .map((turn) => ({ turn, next: 0 })),
    ]),
  )
  while (picks.length < room) {
    const isCalmTurn = (dealt + picks.length) % calmTurnEvery === calmTurnEvery - 1
    const order = isCalmTurn ? calmFirst : urgencies
    const urgency = order.find((each) => !waits.has(each) && (lines.get(each)?.length ?? 0) > 0)
    const line = urgency === undefined ? undefined : lines.get(urgency)
    const place = line?.shift()
    const item = place?.turn.items[place.next]
    if (urgency === undefined || line === undefined || place === undefined || item === undefined) break
    const leave = askLeave(spending, limits, {
      nowMs,
      requests: requestsOf(item),
      urgency: isCalmTurn ? 'new' : urgency,
    })
    if (leave.kind === 'wait') {
      waits.set(urgency, leave.untilMs)
      continue
    }
    spending = leave.spending
    picks.push({ item, turn: place.turn, requests: leave.requests })
    place.next += 1
    if (place.next < place.turn.items.length) line.push(place)
  }
  return { picks, spending, waits }
}
