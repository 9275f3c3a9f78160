/**
 * Holds what the API serves of a number against the sandbox. What happened must have been said or have a reason not to
 * be; what was said must be served; what is served must have been said. The reasons follow from what the line leaves out
 * by nature.
 */

import { findShippingLine } from '../../src/reference/shipping-lines.ts'
import type { Asked, Box, Fact, Truth, Word } from './truth.ts'

/** A valid actual event as the service shows it: `vessel_loaded`, `CNNGB`, a time. */
export interface Served {
  readonly box: string
  readonly name: string
  readonly unlocode: string | null
  readonly at: string | null
  readonly source: string
}

export interface Comparison {
  readonly problems: readonly string[]
  readonly facts: number
  readonly served: number
  /** Calls at which the box only stayed on its ship: the line reports them, and they make no milestone. */
  readonly passed: number
  /** Facts that the line has not stated, by reason. */
  readonly untold: Readonly<Record<string, number>>
}

const gates: Readonly<Record<string, string>> = {
  'GTOT EMPTY': 'empty_out',
  'GTOT LADEN': 'full_out',
  'GTIN LADEN': 'full_in',
  'GTIN EMPTY': 'empty_in',
}
const carried: Readonly<Record<string, RegExp>> = {
  LOAD: /_loaded$/,
  DISC: /_(discharged|unloaded)$/,
  DEPA: /_departed$/,
  ARRI: /(_arrived|^arrived_at_inland_destination)$/,
}

function isServedAs(name: string, code: string, load: string | null): boolean {
  return carried[code]?.test(name) ?? gates[`${code} ${load ?? ''}`] === name
}

export interface Moment {
  /** The sandbox's time of the truth. */
  readonly now: string
  /** What the line may have said at another moment of the look, in addition. */
  readonly allowed?: readonly Word[]
  /** What had happened when any of the shipment's numbers was last looked at. */
  readonly happened?: Truth
  /** The bill or booking that the shipment was first asked for by: the other trips of its boxes are not its own. */
  readonly trackedAs?: string | null
}

export function compareJourney(
  asked: Asked,
  truth: Truth,
  served: readonly Served[],
  moment: Moment,
): Comparison {
  const problems: string[] = []
  const untold: Record<string, number> = {}
  const said = [...truth.words, ...(moment.allowed ?? [])]
  const { trackedAs = null } = moment
  const last = truth.journeys.findLast(
    ({ booking, bill_of_lading: bill }) => trackedAs === null || trackedAs === booking || trackedAs === bill,
  )
  let facts = 0
  let checked = 0
  let passed = 0
  for (const { number: box, events } of last?.containers ?? []) {
    const words = truth.words.filter(
      (word) => word.box === box && (word.booking === null || word.booking === last?.booking),
    )
    const own = served.filter((event) => event.box === box)
    const everHappened = [...truth.journeys, ...(moment.happened?.journeys ?? [])]
      .flatMap(({ containers }) => containers)
      .filter(({ number }) => number === box)
    // If they are asked by container number, most lines report only the latest trip.
    const isLatest = last === truth.journeys.at(-1)
    for (const fact of isLatest ? events : []) {
      facts += 1
      if (words.some((word) => word.code === fact.event && word.place === fact.place && isLoad(word, fact)))
        continue
      const reason = whyUntold(asked, fact, words, moment.now)
      if (reason === null)
        problems.push(
          `${write(asked, box)}: ${fact.event} ${fact.place} ${fact.at} was never told by the line`,
        )
      else untold[reason] = (untold[reason] ?? 0) + 1
    }
    for (const word of words) {
      if (own.some((event) => isTold(event, word) || isMended(event, word, events))) continue
      if (word.place === null) continue
      if (isPassedOnly(word, words, events)) {
        passed += 1
        continue
      }
      problems.push(
        `${write(asked, box)}: ${word.code} ${word.load ?? '-'} ${word.place} ${word.at} was said and is not served`,
      )
    }
    for (const event of own) {
      checked += 1
      if (said.some((word) => word.box === box && isTold(event, word))) continue
      const happened = everHappened.some((truly) =>
        truly.events.some(
          (fact) =>
            fact.place === event.unlocode &&
            isServedAs(event.name, fact.event, fact.load) &&
            (fact.at === event.at || (event.source === 'ais' && wasSeenLying(event, fact))),
        ),
      )
      if (!happened && !everHappened.some((truly) => isAvailability(event, truly)))
        problems.push(
          `${write(asked, box)}: ${event.name} ${event.unlocode} ${event.at} is served and nobody said so`,
        )
    }
  }
  return { problems, facts, served: checked, passed, untold }
}

function isLoad(word: Word, fact: Fact): boolean {
  return word.load === null || word.load === fact.load
}

/** AIS sees a ship when it speaks: some time after it came in, and before it sails again. */
function wasSeenLying(event: Served, fact: Fact): boolean {
  const afterMs = Date.parse(event.at ?? '') - Date.parse(fact.at)
  return fact.event === 'ARRI' && afterMs >= 0 && afterMs <= portStayMs
}

const portStayMs = 20 * 3_600_000

function isTold(event: Served, word: Word): boolean {
  const isBerthing = word.code === 'ARRI' && word.atBerth && event.name === 'vessel_berthed'
  if (event.unlocode !== word.place) return false
  if (!isBerthing && !isServedAs(event.name, word.code, word.load)) return false
  return event.at === word.at || isRefined(event, word)
}

/** Whether a box may be had its terminal or ramp says, and no line; that it is so then is for `ashore.test.ts`. */
function isAvailability({ name, source, unlocode }: Served, { at_port: port, at_ramp: ramp }: Box): boolean {
  if (source !== 'terminal' && source !== 'rail') return false
  return /^(not_)?available$/.test(name) && [port?.place, ramp?.place].includes(unlocode ?? '')
}

/** The line said it otherwise than it was, and the terminal or railway that is believed said when it was. */
function isMended(event: Served, word: Word, facts: readonly Fact[]): boolean {
  if (event.source !== 'terminal' && event.source !== 'rail') return false
  if (event.unlocode !== word.place || !isServedAs(event.name, word.code, word.load)) return false
  return facts.some(
    ({ event: code, place, at }) => code === word.code && place === word.place && at === event.at,
  )
}

/** The line named a day, and AIS saw the ship arrive on that day: one arrival with a more exact time. */
function isRefined(event: Served, word: Word): boolean {
  if (event.source !== 'ais' || word.code !== 'ARRI' || word.dayEnds === null || event.at === null)
    return false
  return event.at >= word.at && event.at < word.dayEnds
}

/**
 * The ship called there with the box on board: neither loaded nor discharged, so no milestone of the box. A port may be
 * called at twice, so what was loaded and discharged there must all have been told of another call.
 */
function isPassedOnly(word: Word, words: readonly Word[], facts: readonly Fact[]): boolean {
  if (word.code !== 'DEPA' && word.code !== 'ARRI') return false
  const isLift = (code: string): boolean => code === 'LOAD' || code === 'DISC'
  const lifts = words.filter(({ code, place }) => isLift(code) && place === word.place)
  const lifted = facts.filter(({ event, place }) => isLift(event) && place === word.place)
  return lifts.every(({ call }) => call !== word.call) && lifts.length >= lifted.length
}

/** The slowest line reports an event within a day and a half. */
const slowestTellingMs = 36 * 3_600_000

function whyUntold(asked: Asked, fact: Fact, words: readonly Word[], now: string): string | null {
  const gaps = findShippingLine(asked.scac)?.dataGaps
  const isCall = fact.event === 'DEPA' || fact.event === 'ARRI'
  if (Date.parse(now) - Date.parse(fact.at) < slowestTellingMs) return 'the line tells of it later'
  if (isCall && gaps?.noDeparturesArrivals === true) return 'the line tells of no departures and arrivals'
  if (isCall && gaps?.departuresArrivalsNotAlways === true)
    return 'the line leaves out departures before the bill'
  if (isCall && words.some((word) => word.code === fact.event && word.place === null))
    return 'the line did not say where'
  if (!words.some(({ load }) => load !== null)) return 'the line has not named the box yet'
  return null
}

function write({ scac, number }: Asked, box: string): string {
  return number === box ? `${scac} ${box}` : `${scac} ${number} ${box}`
}
