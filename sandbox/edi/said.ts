/**
 * What the writers of messages are given: one statement about one box, in DCSA's codes. The observations of the product have
 * this shape and more, so that tools and tests can have them written too.
 */

export type SaidTime =
  | { readonly kind: 'instant'; readonly at: string }
  | { readonly kind: 'local'; readonly local: string }
  | { readonly kind: 'day'; readonly on: string }

export type SaidMode = 'VESSEL' | 'RAIL' | 'TRUCK' | 'BARGE'

export interface SaidPlace {
  readonly unlocode: string | null
  readonly name: string | null
  readonly facilityCode: string | null
}

export interface SaidEvent {
  readonly kind: 'event'
  readonly classifier: 'ACT' | 'EST' | 'PLN'
  readonly code: string | null
  readonly load: 'EMPTY' | 'LADEN' | null
  readonly mode: SaidMode | null
  readonly time: SaidTime
  readonly place: SaidPlace
  readonly vessel: { readonly imo: string | null; readonly name: string | null } | null
  readonly voyage: string | null
  readonly equipment: string | null
}

export interface SaidHold {
  readonly name: string
  readonly status: string
  readonly description: string | null
}

export interface SaidFee {
  readonly type: string
  readonly status: 'due' | 'settled'
  readonly amount: number | null
  readonly currencyCode: string | null
  readonly description: string | null
}

/** What a message can say besides events. */
export interface SaidValues {
  readonly size_type: string
  readonly weight_kg: number
  readonly seal_number: string
  readonly pickup_lfd_line: SaidTime
  readonly pickup_lfd_terminal: SaidTime
  readonly pickup_lfd_rail: SaidTime
  readonly pickup_appointment: SaidTime
  readonly empty_return_by: SaidTime
  readonly general_order_at: SaidTime
  readonly hold: SaidHold
  readonly fee: SaidFee
  readonly available: boolean
  readonly yard_location: string
  readonly chassis_number: string
  readonly pickup_number: string
  readonly it_number: string
  readonly booking_number: string
  readonly port_of_loading: SaidPlace
  readonly port_of_discharge: SaidPlace
  readonly place_of_delivery: SaidPlace
  readonly empty_return_place: SaidPlace
  /** What no message of these says is left out by each. */
  readonly holds: unknown
  readonly fees: unknown
  readonly pod_terminal: unknown
  readonly undated_arrival: unknown
  readonly undated_departure: unknown
  readonly bill_of_lading_number: unknown
  readonly booking_cancelled: unknown
  readonly pod_rail_carrier: unknown
  readonly destination_rail_carrier: unknown
  readonly delivered: unknown
}
export type SaidName = keyof SaidValues

export interface SaidFactOf<Name extends SaidName> {
  readonly kind: 'fact'
  readonly fact: Name
  readonly value: SaidValues[Name]
  readonly equipment: string | null
}
export type SaidFact = { [Name in SaidName]: SaidFactOf<Name> }[SaidName]

export type Said = SaidEvent | SaidFact

/** As ISO 8601 writes it: with its zone, without one, or the day. */
export function writeTime(time: SaidTime): string {
  if (time.kind === 'instant') return time.at
  return time.kind === 'local' ? time.local : time.on
}
