/** What has actually happened on a journey, in the order in which it must have happened. */

import type { Statement } from '../statements/statement.ts'
import { localDateIn } from '../values/time.ts'
import type { Call, Journey } from './journey.ts'
import { rankOfSlot, type Slot } from './slots.ts'

export interface Happening {
  readonly call: Call
  /** Position of the call in the journey. */
  readonly callIndex: number
  readonly slot: Slot
  readonly statement: Statement
  /** The earliest moment, in ms, that agrees with the time given and with all that came before it. */
  readonly at: number
}

/** A time that is only a day is placed as early within that day as the events before it allow. Exact moments stay. */
export function listHappenings(journey: Journey): readonly Happening[] {
  const happenings: Happening[] = []
  let latest = -Infinity
  for (const [callIndex, call] of journey.calls.entries()) {
    for (const { slot, statement } of inOrder(call)) {
      const at =
        statement.until > statement.from
          ? Math.max(statement.from, Math.min(statement.until - 1, latest))
          : statement.from
      latest = Math.max(latest, at)
      happenings.push({ call, callIndex, slot, statement, at })
    }
  }
  return happenings.toSorted((a, b) => a.at - b.at)
}

interface Actual {
  readonly slot: Slot
  readonly statement: Statement
}

/**
 * In order of time. Where a source gave only a day, the events of that day are in the order in which the trade does
 * them.
 */
function inOrder(call: Call): readonly Actual[] {
  const actuals = call.slots.flatMap((slot) => (slot.actual === null ? [] : [{ slot, statement: slot.actual }]))
  if (actuals.length < 2) return actuals
  if (actuals.every(({ statement }) => statement.until === statement.from)) {
    return actuals.toSorted((a, b) => a.statement.from - b.statement.from || rankOfSlot(a.slot) - rankOfSlot(b.slot))
  }
  return actuals
    .map((actual) => ({ ...actual, day: dayOf(actual.statement) }))
    .toSorted(
      (a, b) =>
        (a.day < b.day ? -1 : a.day > b.day ? 1 : 0) ||
        rankOfSlot(a.slot) - rankOfSlot(b.slot) ||
        a.statement.from - b.statement.from,
    )
}

function dayOf({ event }: Statement): string {
  const { time } = event
  if (time.kind === 'day') return time.on
  return time.kind === 'local' ? time.local.slice(0, 10) : localDateIn(time.at, event.place.timeZone)
}
