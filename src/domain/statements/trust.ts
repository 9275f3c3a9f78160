/** Which source is believed for what: one table, so that "who wins?" has one answer. The losers stay on record. */

import { type FactRow, factNames, factTable } from './facts.ts'
import type { Claim, EventObservation, FactName, FactObservation, SourceKind } from './observation.ts'

/** From the most to the least believed. A kind that is not listed is not believed at all on that matter. */
type Ranking = readonly SourceKind[]

/**
 * For a ship's calls: the line knows its own ship and its own port; a terminal sees the berth. AIS sees only a hull in
 * a rectangle on the map and comes last, but a moment seen by AIS refines a mere day (see `journey/slots.ts`).
 */
const aShipsCall: Ranking = ['shipping_line', 'terminal', 'ais', 'document']
/** A waypoint between two calls. A train passes waypoints too, and its railway may omit that it is a train. */
const aPassing: Ranking = ['shipping_line', 'terminal', 'ais', 'rail']
const lineRanking: Ranking = ['shipping_line', 'terminal', 'rail']
const terminalRanking: Ranking = ['terminal', 'shipping_line', 'rail']
const railwayRanking: Ranking = ['rail', 'terminal', 'shipping_line']

const rankings = {
  line: lineRanking,
  terminal: terminalRanking,
  railway: railwayRanking,
  /**
   * Fees that are owed where the container waits or is picked up. A line's charges are its own, and never the
   * terminal's. They stay on record, and an explanation shows them among the statements that are not believed.
   */
  cashier: ['terminal', 'rail'],
  /** Only the customer's statement counts. */
  customer: ['user'],
} satisfies Readonly<Record<FactRow['ranking'], Ranking>>

const person: Ranking = ['user']
const paper: Ranking = ['document']

/**
 * A person's statement counts where the responsible sources state nothing, and never overrules them. A program has read
 * a document from paper, and it may be old: it counts only if no other source states anything, also no person. So it
 * comes after all others.
 */
function rankingOf({ ranking, byPerson, byDocument }: FactRow): Ranking {
  return [...rankings[ranking], ...(byPerson ? person : []), ...(byDocument ? paper : [])]
}

export const factTrust = Object.fromEntries(factNames.map((name) => [name, rankingOf(factTable[name])])) as Readonly<
  Record<FactName, Ranking>
>

/** The facts that a person may state. */
export const personsFacts = factNames.filter((name) => factTrust[name].includes('user'))

/**
 * Which sources are believed on an event: by its code, except that the railway is believed first on all that moves by
 * rail.
 */
export function eventTrust(event: Pick<EventObservation, 'code' | 'mode'>): Ranking {
  if (event.mode === 'RAIL') return railwayRanking
  switch (event.code) {
    case 'ARRI':
    case 'DEPA':
      return aShipsCall
    case 'WAYP':
      return aPassing
    case 'DISC':
    case 'GTIN':
    case 'GTOT':
    case 'AVPU':
    case 'AVDO':
    case 'PICK':
    case 'DROP':
      return terminalRanking
    default:
      return lineRanking
  }
}

/** Whether this kind of source is believed on this fact at all. If not, it is not believed even when it is alone. */
export function isBelievableFact({
  source,
  observation,
}: Pick<Claim, 'source'> & { readonly observation: Pick<FactObservation, 'fact'> }): boolean {
  return factTrust[observation.fact].includes(source.kind)
}

/**
 * 0 is the most believed. A kind that is not in the list comes after all others, and is not believed even when alone.
 */
export function rankIn(ranking: Ranking, kind: SourceKind): number {
  const rank = ranking.indexOf(kind)
  return rank < 0 ? ranking.length : rank
}
