/**
 * The input of the writers of messages: one statement about one box, in DCSA's codes. The product's observations have
 * at least these members, so tools and tests can write messages from them too.
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

/** Facts that a message can carry besides events. */
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
  /** These facts are carried by no message here. Each writer leaves them out. */
  readonly verified_gross_mass_kg: unknown
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
  readonly picked_up: unknown
  readonly vgm_cut_off: unknown
  readonly documentation_cut_off: unknown
  readonly cargo_cut_off: unknown
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

/** In the form of ISO 8601: with its zone, without one, or the day only. */
export function writeTime(time: SaidTime): string {
  if (time.kind === 'instant') return time.at
  return time.kind === 'local' ? time.local : time.on
}
