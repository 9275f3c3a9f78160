/**
 * Numbers that a new user can track at once. They come from the sandbox, and only for accounts that are simulated by
 * it.
 */

import { join } from 'node:path'
import { membersOf } from '../../domain/values/json-value.ts'
import type { Context } from '../../modules/access/context.ts'
import { isSandboxOn, sandboxPort } from '../../modules/derived-settings.ts'
import type { Service } from '../../modules/service.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'

export interface Suggestion {
  readonly request_type: string
  readonly request_number: string
  readonly scac: string
  readonly line_name: string
  readonly from: string
  readonly to: string
  /** Why this one is interesting. */
  readonly about: string
}

interface ListedJourney {
  readonly scac: string
  readonly kind: string
  readonly number: string
  readonly scenario: string
  readonly stage?: string
  readonly from: string
  readonly to: string
  /** The journey began a moment ago and advances by one day each second. */
  readonly lively?: boolean
}

/** The interesting scenarios, in the order in which they are offered. */
const worthWatching: ReadonlyMap<string, string> = new Map([
  ['rail_interchange', 'inland by rail, over an interchange'],
  ['corrected', 'the line corrects itself'],
  ['transshipment', 'changes ships on the way'],
  ['eta_slips', 'the ETA slips'],
  ['retracted', 'the line withdraws an event'],
  ['rolled', 'rolled to another ship'],
])
const requestTypes: ReadonlyMap<string, string> = new Map([
  ['bill_of_lading', 'bill_of_lading'],
  ['booking', 'booking_number'],
  ['container', 'container'],
])
const livelyMax = 3
/** With those that are worth watching: enough to see every stage of a journey. */
const offeredMax = 12
const stagesAshore = [
  ['discharged', 'discharged: free time runs'],
  ['gated_out', 'out of the gate'],
  ['at_transshipment', 'waits for the next ship'],
  ['sailing', 'on the water'],
  ['empty_returned', 'the empty box is back'],
] as const
const ofEachStage = 2
const kinds = [...requestTypes.keys()]
const listedMax = 400

export async function suggestNumbers(
  { config, carrierEgress }: Service,
  { account }: Context,
): Promise<readonly Suggestion[]> {
  if (!account.isSandbox || !isSandboxOn(config, join(config.data.folder, 'carriers.json'))) return []
  const url = `http://127.0.0.1:${sandboxPort(config)}/sandbox/numbers?limit=${listedMax}`
  const answer = await carrierEgress(true).request({ url, timeoutMs: 5_000, maxBytes: 500_000 })
  // A sandbox that does not answer suggests nothing. Tracking itself will show what is wrong with the sandbox.
  if (answer.kind !== 'answer' || answer.status !== 200 || answer.truncated) return []
  return chooseSuggestions(readListed(answer.body))
}

/**
 * First some journeys that advance while the reader watches, then one for each interesting scenario, with alternating
 * kinds of number.
 */
function chooseSuggestions(listed: readonly ListedJourney[]): readonly Suggestion[] {
  const lively = listed.filter((each) => each.lively === true)
  const going = kinds.slice(0, livelyMax).flatMap((kind) => {
    const found = lively.find((each) => each.kind === kind)
    return found === undefined ? [] : [toSuggestion(found, 'has just begun: one day per second, for a minute')]
  })
  const rest = listed.filter((each) => each.lively !== true)
  const offered = [...going, ...chooseScenarios(rest)]
  return [...offered, ...otherStages(rest, offered)].slice(0, offeredMax)
}

/** Journeys at other stages, the furthest first, so that some are ashore with their last free day. */
function otherStages(listed: readonly ListedJourney[], offered: readonly Suggestion[]): readonly Suggestion[] {
  const used = new Set(offered.map(({ request_number: number }) => number))
  return stagesAshore.flatMap(([stage, about]) =>
    listed
      .filter((each) => each.stage === stage && !used.has(each.number))
      .slice(0, ofEachStage)
      .map((each) => toSuggestion(each, about)),
  )
}

function chooseScenarios(listed: readonly ListedJourney[]): readonly Suggestion[] {
  return [...worthWatching].flatMap(([scenario, about], index) => {
    const all = listed.filter((each) => each.scenario === scenario)
    const found = all.find(({ kind }) => kind === kinds[index % kinds.length]) ?? all[0]
    return found === undefined ? [] : [toSuggestion(found, about)]
  })
}

function toSuggestion({ scac, kind, number, from, to }: ListedJourney, about: string): Suggestion {
  return {
    request_type: requestTypes.get(kind) ?? kind,
    request_number: number,
    scac,
    line_name: findShippingLine(scac)?.name ?? scac,
    from: findPlaceByCode(from)?.name ?? from,
    to: findPlaceByCode(to)?.name ?? to,
    about,
  }
}

function readListed(body: Buffer): readonly ListedJourney[] {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return Array.isArray(value) ? value.filter(isListed) : []
  } catch {
    // The program that answers at this port is no sandbox, so there are no suggestions.
    return []
  }
}

function isListed(value: unknown): value is ListedJourney {
  const fields = membersOf(value)
  return ['scac', 'kind', 'number', 'scenario', 'from', 'to'].every((name) => typeof fields[name] === 'string')
}
