/** Finds the statements about one thing at a transport call, by the key of its slot: `DISC LADEN VESSEL`. */

import type { Statement } from '../statements/statement.ts'
import type { Call, Journey } from './journey.ts'
import type { Slot } from './slots.ts'

export function callAt({ calls }: Journey, index: number | null): Call | null {
  return index === null ? null : (calls[index] ?? null)
}

export function findSlot(call: Call, key: string): Slot | null {
  return call.slots.find((slot) => slot.key === key) ?? null
}

export function hasSlot(call: Call, ...keys: readonly string[]): boolean {
  return call.slots.some((slot) => keys.includes(slot.key) && (slot.actual !== null || slot.estimate !== null))
}

export function actualOf(call: Call, key: string): Statement | null {
  return findSlot(call, key)?.actual ?? null
}

export function estimateOf(call: Call, key: string): Statement | null {
  return findSlot(call, key)?.estimate ?? null
}

/**
 * Whether a feeder brings the container to this call and no feeder carries it on. Some lines write FEEDER for a
 * seagoing ship, and we read FEEDER as BARGE. So where documents or the terminal make this place the port of discharge,
 * the container came by ship.
 */
export function isReachedByFeeder(call: Call): boolean {
  return hasSlot(call, 'ARRI BARGE', 'DISC LADEN BARGE') && !hasSlot(call, 'LOAD LADEN BARGE')
}

/** What happened, else what is expected. */
export function statementAt(call: Call, key: string): Statement | null {
  const slot = findSlot(call, key)
  return slot?.actual ?? slot?.estimate ?? null
}
