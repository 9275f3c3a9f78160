/**
 * What a subscription may contain besides names: `*` and `tracking_request.*` mean events of the contract, `landfall.*`
 * ours. A pattern is stored together with the names that it meant when it was written, so that it also means names that
 * are added later.
 */

import { type EventName, eventNames, eventTable, isEventName } from '../../domain/changes/event-table.ts'

/** Every event of the contract. */
export const allOfContract = '*'
const allOfOurs = 'landfall.*'

const patternsByName: ReadonlyMap<string, readonly string[]> = new Map(
  eventNames.map((name) => [name, eventTable[name].isOfContract ? [allOfContract, ...prefixesOf(name)] : [allOfOurs]]),
)

/** All patterns that exist, the widest first. */
export const eventPatterns: readonly string[] = [...new Set([...patternsByName.values()].flat())]

/** `a.b.c` → `a.*`, `a.b.*`. */
function prefixesOf(name: string): readonly string[] {
  const segments = name.split('.')
  return segments.slice(1).map((_, at) => `${segments.slice(0, at + 1).join('.')}.*`)
}

/** The patterns that mean an event of this name. */
export function patternsOf(name: string): readonly string[] {
  return patternsByName.get(name) ?? []
}

export function isSubscribed(events: readonly string[], name: string): boolean {
  return events.includes(name) || patternsOf(name).some((pattern) => events.includes(pattern))
}

/** What is stored for a subscription: its entries as written, each once, and the names that its patterns mean. */
export function toStoredSubscription(written: readonly string[]): readonly string[] {
  return [...new Set([...written, ...expandPatterns(written)])]
}

/** The events that a subscription means, in its order; the events of one pattern are in the order of the catalogue. */
export function expandPatterns(events: readonly string[]): readonly EventName[] {
  const matchedNames = events.flatMap((each) =>
    isEventName(each) ? [each] : eventNames.filter((name) => patternsOf(name).includes(each)),
  )
  return [...new Set(matchedNames)]
}

/** The patterns of a subscription, in its order. */
export function patternsIn(events: readonly string[]): readonly string[] {
  return events.filter((each) => eventPatterns.includes(each))
}
