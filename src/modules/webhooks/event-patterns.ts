/**
 * What a subscription may contain besides names: `*` and `tracking_request.*` mean events of the contract, `landfall.*`
 * ours. A pattern is stored together with the names that it meant when it was written, so that it also means names that
 * are added later. Of an event with two names, only the stored names count: they say which name the pattern meant then.
 */

import {
  type EventName,
  eventTable,
  feedNameOf,
  isWebhookEventName,
  type WebhookEventName,
  webhookEventNames,
  webhookNames,
} from '../../domain/changes/event-table.ts'

/** Every event of the contract, by its newest name. */
export const allOfContract = '*'
const allOfOurs = 'landfall.*'

const patternsByName: ReadonlyMap<string, readonly string[]> = new Map(
  webhookEventNames.map((name) => [name, patternsFor(name)]),
)

/** All patterns that exist, the widest first. */
export const eventPatterns: readonly string[] = [...new Set([...patternsByName.values()].flat())]

function patternsFor(name: WebhookEventName): readonly string[] {
  if (!eventTable[feedNameOf(name)].isOfContract) return [allOfOurs]
  return webhookNames[feedNameOf(name)][0] === name ? [allOfContract, ...prefixesOf(name)] : prefixesOf(name)
}

/** `a.b.c` → `a.*`, `a.b.*`. */
function prefixesOf(name: string): readonly string[] {
  const segments = name.split('.')
  return segments.slice(1).map((_, at) => `${segments.slice(0, at + 1).join('.')}.*`)
}

/** The entries of a subscription that mean the event. */
export function entriesFor(name: EventName): readonly string[] {
  const names = webhookNames[name]
  return names.length > 1 ? names : [name, ...(patternsByName.get(name) ?? [])]
}

/** The name by which a webhook with these stored events gets the event, of two the newer one. Null: it does not get it. */
export function sentName(events: readonly string[], name: EventName): WebhookEventName | null {
  const named = webhookNames[name].find((each) => events.includes(each))
  if (named !== undefined) return named
  return entriesFor(name).some((entry) => events.includes(entry)) ? name : null
}

/**
 * What is stored for a subscription: its entries as written, each once, and the names that its patterns mean. A name
 * that is written counts before the other name of its event, which a pattern means.
 */
export function toStoredSubscription(written: readonly string[]): readonly string[] {
  const matched = written.flatMap((entry) =>
    webhookEventNames.filter(
      (name) =>
        patternsByName.get(name)?.includes(entry) === true &&
        !webhookNames[feedNameOf(name)].some((each) => written.includes(each)),
    ),
  )
  return [...new Set([...written, ...matched])]
}

/** The names of stored events, in their order; the names of one pattern are in the order of the catalogue. */
export function namesIn(events: readonly string[]): readonly WebhookEventName[] {
  const names = events.flatMap((entry) =>
    isWebhookEventName(entry)
      ? [entry]
      : webhookEventNames.filter((name) => entriesFor(feedNameOf(name)).includes(entry)),
  )
  return [...new Set(names)]
}

/** The patterns of a subscription, in its order. */
export function patternsIn(events: readonly string[]): readonly string[] {
  return events.filter((each) => eventPatterns.includes(each))
}
