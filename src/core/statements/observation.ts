/** What one source said about one thing: the only shape in which data from outside enters the core. */

import type {
  EmptyIndicator,
  EventClassifier,
  EventCode,
  FacilityType,
  TransportMode,
} from '../values/codes.ts'
import type { EventTime } from '../values/time.ts'

export const sourceKinds = ['shipping_line', 'terminal', 'rail', 'ais', 'user', 'document'] as const
export type SourceKind = (typeof sourceKinds)[number]

/** Who said it. `code` is the SCAC of a line, a FIRMS or SMDG code of a terminal, a user's id … */
export interface Source {
  readonly kind: SourceKind
  readonly code: string
}

/** `first`: the source itself said it to us. `relayed`: somebody else passed it on. */
export type Hand = 'first' | 'relayed'

/**
 * A place, as far as the source's reader could identify it. `unlocode` is canonical (overrides followed) or null;
 * `name` is the source's own text and always kept; `timeZone` is the IANA zone of the resolved place.
 */
export interface ObservedPlace {
  readonly unlocode: string | null
  readonly terminalId: string | null
  readonly facilityCode: string | null
  readonly facilityType: FacilityType | null
  readonly name: string | null
  readonly timeZone: string | null
}

export const nowhere: ObservedPlace = {
  unlocode: null,
  terminalId: null,
  facilityCode: null,
  facilityType: null,
  name: null,
  timeZone: null,
}

export interface ObservedVessel {
  readonly imo: string | null
  readonly name: string | null
}

interface Stated {
  /** The source's own key of this statement, unique within the subject; a natural key when the source gives none. */
  readonly key: string
  /** ISO 6346 number the statement is about; null when it is about the whole shipment. */
  readonly equipment: string | null
  /** When the source says it made this statement (DCSA eventCreatedDateTime); null when it does not say. */
  readonly statedAt: string | null
  /** True when the source itself takes the statement of this key back (DCSA 3 isRetracted). */
  readonly isRetracted: boolean
}

/** Something happened or will happen (DCSA: an event with its classifier). */
export interface EventObservation extends Stated {
  readonly kind: 'event'
  readonly classifier: EventClassifier
  /** Null when the source's wording has no mapping; `original` keeps it. */
  readonly code: EventCode | null
  readonly load: EmptyIndicator | null
  readonly mode: TransportMode | null
  readonly time: EventTime
  readonly place: ObservedPlace
  readonly vessel: ObservedVessel | null
  readonly voyage: string | null
  /** The source's own id of the transport call (DCSA transportCallID) and its sequence number. */
  readonly callId: string | null
  readonly callSequence: number | null
  /** The source's own words or code, verbatim. */
  readonly original: string | null
}

export const holdNames = ['freight', 'customs', 'USDA', 'VACIS', 'TMF', 'other'] as const
export interface Hold {
  readonly name: (typeof holdNames)[number]
  readonly status: 'hold' | 'pending'
  readonly description: string | null
}
export const feeTypes = ['demurrage', 'extended_dwell_time', 'exam', 'total', 'other'] as const
export interface Fee {
  readonly type: (typeof feeTypes)[number]
  readonly amount: number
  readonly currencyCode: string
}

/** One hold as one statement. The statement that sets a hold and the one that releases it have the same key. */
export interface HoldWord extends Omit<Hold, 'status'> {
  readonly status: Hold['status'] | 'released'
}
/** One fee as one statement. `settled`: nothing of it is owed any more. `amount` is null when nobody said it. */
export interface FeeWord {
  readonly type: Fee['type']
  readonly status: 'due' | 'settled'
  readonly amount: number | null
  /** ISO 4217; null when it was not said. */
  readonly currencyCode: string | null
  /** The source's own name of the fee. */
  readonly description: string | null
}

/** What can be said about a container or a shipment besides events, and the shape of each value. */
export interface FactValues {
  /** ISO 6346 size-type code, as sent. */
  readonly size_type: string
  readonly weight_kg: number
  readonly seal_number: string
  readonly pickup_lfd_line: EventTime
  readonly pickup_lfd_terminal: EventTime
  readonly pickup_lfd_rail: EventTime
  readonly pickup_appointment: EventTime
  /** An empty list says that there are none. A source that sends no list says nothing. */
  readonly holds: readonly Hold[]
  readonly fees: readonly Fee[]
  /**
   * One hold or fee, for sources that report them one at a time. Its key: the hold's name, or the fee's type and text.
   */
  readonly hold: HoldWord
  readonly fee: FeeWord
  readonly available: boolean
  readonly yard_location: string
  readonly chassis_number: string
  /** The terminal where the source expects discharge, before or after it happened. */
  readonly pod_terminal: ObservedPlace
  readonly port_of_loading: ObservedPlace
  readonly port_of_discharge: ObservedPlace
  readonly place_of_delivery: ObservedPlace
  /**
   * A ship is to bring the box to this place, or to take it from there, at a time that nobody has said. Such a fact
   * gives the order of places, never a time.
   */
  readonly undated_arrival: ObservedPlace
  readonly undated_departure: ObservedPlace
  readonly bill_of_lading_number: string
  readonly booking_number: string
  readonly booking_cancelled: boolean
  readonly pod_rail_carrier: string
  readonly destination_rail_carrier: string
  /** The number that the terminal asks for when the box is picked up. It is a secret of the cargo's owner. */
  readonly pickup_number: string
  readonly empty_return_place: ObservedPlace
  /** The last day on which the box may come back empty without a charge. */
  readonly empty_return_by: EventTime
  /** When customs takes cargo that nobody has cleared (US: general order). */
  readonly general_order_at: EventTime
  /** The number of the immediate transportation entry of an in-bond move (US). */
  readonly it_number: string
  /** Until when the line takes the verified gross mass (SOLAS), the shipping instructions, and the laden box. */
  readonly vgm_cut_off: EventTime
  readonly documentation_cut_off: EventTime
  readonly cargo_cut_off: EventTime
  /** When the container was delivered, as the customer says. Null takes the statement back. */
  readonly delivered: EventTime | null
}
export type FactName = keyof FactValues

interface FactOf<Name extends FactName> extends Stated {
  readonly kind: 'fact'
  readonly fact: Name
  readonly value: FactValues[Name]
}
export type FactObservation = { [Name in FactName]: FactOf<Name> }[FactName]

export type Observation = EventObservation | FactObservation

/**
 * An observation on record for one account. Its identity is (subject, source's key, content). `retiredAt` is set when
 * the source withdrew or replaced it, or when a corrected reader would not make it any more.
 */
export interface Claim {
  readonly id: string
  readonly source: Source
  readonly observation: Observation
  readonly readAt: string
  readonly recordedAt: string
  /**
   * When it was said last, as far as is known. For an answer: the moment of asking. For a message: when the message
   * says that it was written, else when it came. Of two claims under one key of one speaker the later counts.
   */
  readonly standsAt: string
  readonly hand: Hand
  /**
   * The sender's own id of the message by which the claim stands. Null when we asked, or when the sender gives no id.
   */
  readonly deliveryKey: string | null
  readonly retiredAt: string | null
}
