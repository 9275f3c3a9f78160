/** What one source said about one thing: the only shape in which the outside enters the core. */

import type {
  EmptyIndicator,
  EventClassifier,
  EventCode,
  FacilityType,
  TransportMode,
} from '../values/codes.ts'
import type { EventTime } from '../values/time.ts'

export const sourceKinds = ['shipping_line', 'terminal', 'rail', 'ais', 'user'] as const
export type SourceKind = (typeof sourceKinds)[number]

/** Who spoke. `code` is the SCAC of a line, a FIRMS or SMDG code of a terminal, a user's id … */
export interface Source {
  readonly kind: SourceKind
  readonly code: string
}

/** Whether the speaker itself told us, or somebody else who passes its word on. */
export type Hand = 'first' | 'relayed'

/**
 * Where, as far as the source's reader could tell. `unlocode` is canonical (overrides followed) or null;
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
  /** The source's own key of this statement, unique within the subject; a natural key where it gives none. */
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

/** One hold as one statement: what sets it and what releases it bear one key. */
export interface HoldWord extends Omit<Hold, 'status'> {
  readonly status: Hold['status'] | 'released'
}
/** One fee as one statement; `settled`: nothing is owed of it any more. An amount of null is one that was not said. */
export interface FeeWord {
  readonly type: Fee['type']
  readonly status: 'due' | 'settled'
  readonly amount: number | null
  /** ISO 4217; null when it was not said. */
  readonly currencyCode: string | null
  /** The source's own name of it. */
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
  /** An empty list says that there are none; silence says nothing. */
  readonly holds: readonly Hold[]
  readonly fees: readonly Fee[]
  /** One of them, where a source tells of them one at a time. Its key: the name of the hold; type and words of the fee. */
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
  /** A ship is to bring the box there, or to take it from there, at a time that nobody has said: an order, never a time. */
  readonly undated_arrival: ObservedPlace
  readonly undated_departure: ObservedPlace
  readonly bill_of_lading_number: string
  readonly booking_number: string
  readonly booking_cancelled: boolean
  readonly pod_rail_carrier: string
  readonly destination_rail_carrier: string
  /** What the terminal asks of whoever fetches the box: a secret of the cargo's owner. */
  readonly pickup_number: string
  readonly empty_return_place: ObservedPlace
  /** The last day on which it may come back empty without a charge. */
  readonly empty_return_by: EventTime
  /** When customs takes what nobody has cleared (US: general order). */
  readonly general_order_at: EventTime
  /** Of an inbond move: the immediate transportation entry (US). */
  readonly it_number: string
  /** The customer's word; null takes it back. */
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
 * An observation on record for one account: a row of the ledger's reading. Its identity is (subject, source's key,
 * content); `retiredAt` is set when the source withdrew or replaced it, or a mended reader would not make it.
 */
export interface Claim {
  readonly id: string
  readonly source: Source
  readonly observation: Observation
  readonly readAt: string
  readonly recordedAt: string
  /**
   * When it was said last, as far as is known: of an answer the moment of asking, of a message the one at which it says
   * that it was written, else when it came. Of two under one key of one speaker the later counts.
   */
  readonly standsAt: string
  readonly hand: Hand
  /** The sender's own id of the message by which it stands; null where it was asked for, or the sender gives none. */
  readonly deliveryKey: string | null
  readonly retiredAt: string | null
}
