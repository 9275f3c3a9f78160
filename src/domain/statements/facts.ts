/**
 * What can be stated about a container or a shipment besides events: one row for each fact. The types of observations,
 * the journey notation, the statements that partners and people send, and the ranking of sources follow from it.
 * `docs/adding.md` walks through one.
 */

/** The kinds of values. `FactValueTypes` in observation.ts has the type of each. */
export type FactValueKind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'time'
  | 'timeOrNull'
  | 'place'
  | 'hold'
  | 'holds'
  | 'fee'
  | 'fees'

export interface FactRow {
  readonly value: FactValueKind
  /** The ranking of sources that are believed on it (`rankings` in trust.ts). */
  readonly ranking: 'line' | 'terminal' | 'railway' | 'cashier' | 'customer'
  /** A person may state it, from paper or by telephone. */
  readonly byPerson?: true
  /** A document may state it. */
  readonly byDocument?: true
  /**
   * Set for a fact of one container that is believed as it is stated; `saidBy` of its projection names who stated it.
   * `itself`: a statement about a whole bill counts only if no other container is under the bill. `pickup`: the
   * statements of the port's terminal no longer count once the container has gone on by rail or barge.
   */
  readonly containerScope?: 'any' | 'itself' | 'pickup'
}

const byBoth = { byPerson: true, byDocument: true } as const

/** The order is that of lists which people see, such as the facts that a person may state. */
export const factTable = {
  /** ISO 6346 size-type code, as sent. */
  size_type: { value: 'text', ranking: 'line', byDocument: true, containerScope: 'itself' },
  weight_kg: { value: 'number', ranking: 'line', ...byBoth, containerScope: 'itself' },
  /** Of the container with its cargo, as the shipper has verified it (SOLAS). */
  verified_gross_mass_kg: { value: 'number', ranking: 'line', containerScope: 'itself' },
  seal_number: { value: 'text', ranking: 'line', ...byBoth, containerScope: 'itself' },
  pickup_lfd_line: { value: 'time', ranking: 'line', ...byBoth, containerScope: 'any' },
  pickup_lfd_terminal: { value: 'time', ranking: 'terminal', ...byBoth, containerScope: 'any' },
  pickup_lfd_rail: { value: 'time', ranking: 'railway', byPerson: true, containerScope: 'any' },
  pickup_appointment: { value: 'time', ranking: 'terminal', byPerson: true, containerScope: 'pickup' },
  /** An empty list states that there are none. A source that sends no list states nothing. */
  holds: { value: 'holds', ranking: 'terminal', byPerson: true },
  fees: { value: 'fees', ranking: 'cashier', byPerson: true },
  /** One hold or fee, for sources that report them one at a time. Its key: the hold's name, or the fee's type and text. */
  hold: { value: 'hold', ranking: 'terminal', ...byBoth },
  fee: { value: 'fee', ranking: 'cashier', byPerson: true },
  available: { value: 'boolean', ranking: 'terminal', byPerson: true },
  yard_location: { value: 'text', ranking: 'terminal', byPerson: true, containerScope: 'pickup' },
  chassis_number: { value: 'text', ranking: 'terminal', byPerson: true, containerScope: 'any' },
  /** The terminal where the source expects discharge, before or after it happened. */
  pod_terminal: { value: 'place', ranking: 'terminal', byDocument: true },
  port_of_loading: { value: 'place', ranking: 'line', byDocument: true },
  port_of_discharge: { value: 'place', ranking: 'line', byDocument: true },
  place_of_delivery: { value: 'place', ranking: 'line', byDocument: true },
  /**
   * A ship is to bring the container to this place, or to carry it from there, at a time that nobody has stated. Such a
   * fact gives the order of places, never a time.
   */
  undated_arrival: { value: 'place', ranking: 'line' },
  undated_departure: { value: 'place', ranking: 'line' },
  bill_of_lading_number: { value: 'text', ranking: 'line', byDocument: true },
  booking_number: { value: 'text', ranking: 'line', byDocument: true },
  booking_cancelled: { value: 'boolean', ranking: 'line' },
  pod_rail_carrier: { value: 'text', ranking: 'railway' },
  destination_rail_carrier: { value: 'text', ranking: 'railway' },
  /** The number that the terminal requires when the container is picked up. It is a secret of the cargo's owner. */
  pickup_number: { value: 'text', ranking: 'terminal', ...byBoth },
  empty_return_place: { value: 'place', ranking: 'line', byPerson: true },
  /** The last day on which the container may come back empty without a charge. */
  empty_return_by: { value: 'time', ranking: 'line', ...byBoth },
  /** When customs seizes cargo that nobody has cleared (US: general order). */
  general_order_at: { value: 'time', ranking: 'line', ...byBoth },
  /** The number of the immediate transportation entry of an in-bond move (US). */
  it_number: { value: 'text', ranking: 'line', ...byBoth },
  /**
   * Until when the line accepts the verified gross mass (SOLAS), the shipping instructions, and the laden container.
   */
  vgm_cut_off: { value: 'time', ranking: 'line', byDocument: true },
  documentation_cut_off: { value: 'time', ranking: 'line', byDocument: true },
  cargo_cut_off: { value: 'time', ranking: 'line', byDocument: true },
  /** When the container was delivered, as the customer states. Null withdraws the statement. */
  delivered: { value: 'timeOrNull', ranking: 'customer', containerScope: 'any' },
  /**
   * When the container was picked up full, as the customer states. It counts until a source reports the gate-out or a later
   * move, and changes only the status: a clock of charges needs the gate-out itself.
   */
  picked_up: { value: 'time', ranking: 'customer', containerScope: 'any' },
} as const satisfies Readonly<Record<string, FactRow>>

export const factNames = Object.keys(factTable) as readonly (keyof typeof factTable)[]
