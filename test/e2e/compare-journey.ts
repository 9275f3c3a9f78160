/**
 * Compares what the API serves for a number with the sandbox. What happened must be stated or have a reason not to
 * be; what is stated must be served; what is served must be stated. The reasons are the omissions that the line is
 * documented to have.
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
  /** Calls at which the container stayed on its vessel: the line reports them, and they are no milestones. */
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
  /** What the line may have stated at another moment of the poll, in addition. */
  readonly allowed?: readonly Word[]
  /** What had happened when any of the shipment's numbers was last polled. */
  readonly happened?: Truth
  /** The bill or booking that was tracked first: the other trips of its containers are not part of the shipment. */
  readonly trackedAs?: string | null
}

export function compareJourney(asked: Asked, truth: Truth, served: readonly Served[], moment: Moment): Comparison {
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
    // For a container number, most lines report only the latest trip.
    const isLatest = last === truth.journeys.at(-1)
    for (const fact of isLatest ? events : []) {
      facts += 1
      if (words.some((word) => word.code === fact.event && word.place === fact.place && isLoad(word, fact))) continue
      const reason = whyUnstated(asked, fact, words, moment.now)
      if (reason === null)
        problems.push(`${write(asked, box)}: ${fact.event} ${fact.place} ${fact.at} was never told by the line`)
      else untold[reason] = (untold[reason] ?? 0) + 1
    }
    for (const word of words) {
      if (own.some((event) => isStated(event, word) || isCorrected(event, word, events))) continue
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
      if (said.some((word) => word.box === box && isStated(event, word))) continue
      const happened = everHappened.some((truly) =>
        truly.events.some(
          (fact) =>
            fact.place === event.unlocode &&
            isServedAs(event.name, fact.event, fact.load) &&
            (fact.at === event.at || (event.source === 'ais' && wasSeenLying(event, fact))),
        ),
      )
      if (!happened && !everHappened.some((truly) => isAvailability(event, truly)))
        problems.push(`${write(asked, box)}: ${event.name} ${event.unlocode} ${event.at} is served and nobody said so`)
    }
  }
  return { problems, facts, served: checked, passed, untold }
}

function isLoad(word: Word, fact: Fact): boolean {
  return word.load === null || word.load === fact.load
}

/** AIS reports a vessel with a delay: some time after it came in, and before it sails again. */
function wasSeenLying(event: Served, fact: Fact): boolean {
  const afterMs = Date.parse(event.at ?? '') - Date.parse(fact.at)
  return fact.event === 'ARRI' && afterMs >= 0 && afterMs <= portStayMs
}

const portStayMs = 20 * 3_600_000

function isStated(event: Served, word: Word): boolean {
  const isBerthing = word.code === 'ARRI' && word.atBerth && event.name === 'vessel_berthed'
  if (event.unlocode !== word.place) return false
  if (!isBerthing && !isServedAs(event.name, word.code, word.load)) return false
  return event.at === word.at || isRefined(event, word)
}

/** Availability is stated by the terminal or ramp, and not by the line; `ashore.test.ts` checks it. */
function isAvailability({ name, source, unlocode }: Served, { at_port: port, at_ramp: ramp }: Box): boolean {
  if (source !== 'terminal' && source !== 'rail') return false
  return /^(not_)?available$/.test(name) && [port?.place, ramp?.place].includes(unlocode ?? '')
}

/** The line stated another time than the true one, and the trusted terminal or railway stated the true one. */
function isCorrected(event: Served, word: Word, facts: readonly Fact[]): boolean {
  if (event.source !== 'terminal' && event.source !== 'rail') return false
  if (event.unlocode !== word.place || !isServedAs(event.name, word.code, word.load)) return false
  return facts.some(({ event: code, place, at }) => code === word.code && place === word.place && at === event.at)
}

/** The line stated a day, and AIS reported the arrival on that day: one arrival with a more exact time. */
function isRefined(event: Served, word: Word): boolean {
  if (event.source !== 'ais' || word.code !== 'ARRI' || word.dayEnds === null || event.at === null) return false
  return event.at >= word.at && event.at < word.dayEnds
}

/**
 * The vessel called there with the container on board: neither loaded nor discharged, so no milestone. A port may be
 * called at twice, so all loading and discharge there must belong to another call.
 */
function isPassedOnly(word: Word, words: readonly Word[], facts: readonly Fact[]): boolean {
  if (word.code !== 'DEPA' && word.code !== 'ARRI') return false
  const isLift = (code: string): boolean => code === 'LOAD' || code === 'DISC'
  const lifts = words.filter(({ code, place }) => isLift(code) && place === word.place)
  const lifted = facts.filter(({ event, place }) => isLift(event) && place === word.place)
  return lifts.every(({ call }) => call !== word.call) && lifts.length >= lifted.length
}

/** The slowest line reports an event within a day and a half. */
const slowestStatementMs = 36 * 3_600_000

function whyUnstated(asked: Asked, fact: Fact, words: readonly Word[], now: string): string | null {
  const gaps = findShippingLine(asked.scac)?.dataGaps
  const isCall = fact.event === 'DEPA' || fact.event === 'ARRI'
  if (Date.parse(now) - Date.parse(fact.at) < slowestStatementMs) return 'the line tells of it later'
  if (isCall && gaps?.noDeparturesArrivals === true) return 'the line tells of no departures and arrivals'
  if (isCall && gaps?.departuresArrivalsNotAlways === true) return 'the line leaves out departures before the bill'
  if (isCall && words.some((word) => word.code === fact.event && word.place === null))
    return 'the line did not say where'
  if (!words.some(({ load }) => load !== null)) return 'the line has not named the box yet'
  return null
}

function write({ scac, number }: Asked, box: string): string {
  return number === box ? `${scac} ${box}` : `${scac} ${number} ${box}`
}
