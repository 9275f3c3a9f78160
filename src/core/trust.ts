/** Which source is believed for what: one table, so that "who wins?" has one answer. The losers stay on record. */

import type { EventObservation, FactName, SourceKind } from './observation.ts'

/** From the most to the least believed. A kind that is not listed is not believed at all on that matter. */
type Ranking = readonly SourceKind[]

/**
 * A ship's calls: the line knows its own ship and its own port; a terminal sees the berth; AIS sees a hull in a
 * box on the map and comes last, but a moment seen by AIS refines a mere day (see `slots.ts`).
 */
const aShipsCall: Ranking = ['shipping_line', 'terminal', 'ais']
const theLinesWord: Ranking = ['shipping_line', 'terminal', 'rail']
const theTerminalsWord: Ranking = ['terminal', 'shipping_line', 'rail']
const theRailwaysWord: Ranking = ['rail', 'terminal', 'shipping_line']

export const factTrust: Readonly<Record<FactName, Ranking>> = {
  size_type: theLinesWord,
  weight_kg: theLinesWord,
  seal_number: theLinesWord,
  pickup_lfd_line: theLinesWord,
  pickup_lfd_terminal: theTerminalsWord,
  pickup_lfd_rail: theRailwaysWord,
  pickup_appointment: theTerminalsWord,
  holds: theTerminalsWord,
  fees: theTerminalsWord,
  hold: theTerminalsWord,
  fee: theTerminalsWord,
  available: theTerminalsWord,
  yard_location: theTerminalsWord,
  chassis_number: theTerminalsWord,
  pod_terminal: theTerminalsWord,
  port_of_loading: theLinesWord,
  port_of_discharge: theLinesWord,
  place_of_delivery: theLinesWord,
  undated_arrival: theLinesWord,
  undated_departure: theLinesWord,
  bill_of_lading_number: theLinesWord,
  booking_number: theLinesWord,
  booking_cancelled: theLinesWord,
  pod_rail_carrier: theRailwaysWord,
  destination_rail_carrier: theRailwaysWord,
  pickup_number: theTerminalsWord,
  empty_return_place: theLinesWord,
  empty_return_by: theLinesWord,
  general_order_at: theLinesWord,
  it_number: theLinesWord,
  /** The customer's word and nobody else's. */
  delivered: ['user'],
}

/** Whom to believe on an event: by its code, save that whatever moves by rail is the railway's. */
export function eventTrust(event: Pick<EventObservation, 'code' | 'mode'>): Ranking {
  if (event.mode === 'RAIL') return theRailwaysWord
  switch (event.code) {
    case 'ARRI':
    case 'DEPA':
    case 'WAYP':
      return aShipsCall
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

/** 0 is the most believed; a kind that the table does not list comes after all others. */
export function rankIn(ranking: Ranking, kind: SourceKind): number {
  const rank = ranking.indexOf(kind)
  return rank < 0 ? ranking.length : rank
}
