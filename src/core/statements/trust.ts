/** Which source is believed for what: one table, so that "who wins?" has one answer. The losers stay on record. */

import type { Claim, EventObservation, FactName, FactObservation, SourceKind } from './observation.ts'

/** From the most to the least believed. A kind that is not listed is not believed at all on that matter. */
type Ranking = readonly SourceKind[]

/**
 * For a ship's calls: the line knows its own ship and its own port; a terminal sees the berth; AIS sees only a hull in
 * a box on the map and comes last, but a moment seen by AIS refines a mere day (see `journey/slots.ts`).
 */
const aShipsCall: Ranking = orAPapers(['shipping_line', 'terminal', 'ais'])
/** A waypoint between two calls. A train passes waypoints too, and its railway need not say that it is a train. */
const aPassing: Ranking = ['shipping_line', 'terminal', 'ais', 'rail']
const theLinesWord: Ranking = ['shipping_line', 'terminal', 'rail']
const theTerminalsWord: Ranking = ['terminal', 'shipping_line', 'rail']
const theRailwaysWord: Ranking = ['rail', 'terminal', 'shipping_line']
/**
 * Fees that are owed where the box waits or is picked up. A line's charges are its own, and never the terminal's. They
 * stay on record, and an explanation shows them among the statements that are not believed.
 */
const theCashiersWord: Ranking = ['terminal', 'rail']

/**
 * Adds a person, who may state the fact from paper or by telephone. A person's statement counts where the sources whose
 * matter it is say nothing, and never overrules them. So it comes last.
 */
function orAPersons(ranking: Ranking): Ranking {
  return [...ranking, 'user']
}

/**
 * Adds a document that somebody sent. A program has read it from paper, and it may be old: it counts only if no other
 * source says anything, also no person. So it comes after all others.
 */
function orAPapers(ranking: Ranking): Ranking {
  return [...ranking, 'document']
}

export const factTrust: Readonly<Record<FactName, Ranking>> = {
  size_type: orAPapers(theLinesWord),
  weight_kg: orAPapers(orAPersons(theLinesWord)),
  seal_number: orAPapers(orAPersons(theLinesWord)),
  pickup_lfd_line: orAPapers(orAPersons(theLinesWord)),
  pickup_lfd_terminal: orAPapers(orAPersons(theTerminalsWord)),
  pickup_lfd_rail: orAPersons(theRailwaysWord),
  pickup_appointment: orAPersons(theTerminalsWord),
  holds: orAPersons(theTerminalsWord),
  fees: orAPersons(theCashiersWord),
  hold: orAPapers(orAPersons(theTerminalsWord)),
  fee: orAPersons(theCashiersWord),
  available: orAPersons(theTerminalsWord),
  yard_location: orAPersons(theTerminalsWord),
  chassis_number: orAPersons(theTerminalsWord),
  pod_terminal: orAPapers(theTerminalsWord),
  port_of_loading: orAPapers(theLinesWord),
  port_of_discharge: orAPapers(theLinesWord),
  place_of_delivery: orAPapers(theLinesWord),
  undated_arrival: theLinesWord,
  undated_departure: theLinesWord,
  bill_of_lading_number: orAPapers(theLinesWord),
  booking_number: orAPapers(theLinesWord),
  booking_cancelled: theLinesWord,
  pod_rail_carrier: theRailwaysWord,
  destination_rail_carrier: theRailwaysWord,
  pickup_number: orAPapers(orAPersons(theTerminalsWord)),
  empty_return_place: orAPersons(theLinesWord),
  empty_return_by: orAPapers(orAPersons(theLinesWord)),
  general_order_at: orAPapers(orAPersons(theLinesWord)),
  it_number: orAPapers(orAPersons(theLinesWord)),
  vgm_cut_off: orAPapers(theLinesWord),
  documentation_cut_off: orAPapers(theLinesWord),
  cargo_cut_off: orAPapers(theLinesWord),
  /** Only the customer's statement counts. */
  delivered: ['user'],
}

/** The facts that a person may state. */
export const personsFacts = (Object.keys(factTrust) as FactName[]).filter((name) =>
  factTrust[name].includes('user'),
)

/**
 * Which sources are believed on an event: by its code, except that the railway is believed first on all that moves by
 * rail.
 */
export function eventTrust(event: Pick<EventObservation, 'code' | 'mode'>): Ranking {
  if (event.mode === 'RAIL') return theRailwaysWord
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
      return theTerminalsWord
    default:
      return theLinesWord
  }
}

/** Whether this kind of source is believed on this fact at all. If not, it is not believed even when it is alone. */
export function isListed({
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
