/** What one source stated about one thing: the only shape in which data from outside enters the domain. */

import type { EmptyIndicator, EventClassifier, EventCode, FacilityType, TransportMode } from '../values/codes.ts'
import type { EventTime } from '../values/time.ts'
import type { factTable } from './facts.ts'

export const sourceKinds = ['shipping_line', 'terminal', 'rail', 'ais', 'user', 'document'] as const
export type SourceKind = (typeof sourceKinds)[number]

/** Who stated it. `code` is the SCAC of a line, a FIRMS or SMDG code of a terminal, a user's id … */
export interface Source {
  readonly kind: SourceKind
  readonly code: string
}

/** `first`: the source itself stated it to us. `relayed`: somebody else passed it on. */
export type Hand = 'first' | 'relayed'

/**
 * A place, as far as the source's reader could identify it. `unlocode` is canonical (overrides followed) or null;
 * `name` is the source's own text and always stored; `timeZone` is the IANA zone of the resolved place.
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

interface ObservationBase {
  /**
   * The source's own key of this statement, unique within the poll target; a natural key when the source gives none.
   */
  readonly key: string
  /** ISO 6346 number the statement is about; null when it is about the whole shipment. */
  readonly equipment: string | null
  /** When the source made this statement, as it states (DCSA eventCreatedDateTime); null when it does not state it. */
  readonly statedAt: string | null
  /** True when the source itself withdraws the statement of this key (DCSA 3 isRetracted). */
  readonly isRetracted: boolean
}

/** Something happened or will happen (DCSA: an event with its classifier). */
export interface EventObservation extends ObservationBase {
  readonly kind: 'event'
  readonly classifier: EventClassifier
  /** Null when the source's text has no mapping; `original` contains it. */
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
  /** The source's own text or code, verbatim. */
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
export interface HoldStatement extends Omit<Hold, 'status'> {
  readonly status: Hold['status'] | 'released'
}
/** One fee as one statement. `settled`: nothing of it is owed any more. `amount` is null when nobody stated it. */
export interface FeeStatement {
  readonly type: Fee['type']
  readonly status: 'due' | 'settled'
  readonly amount: number | null
  /** ISO 4217; null when it was not stated. */
  readonly currencyCode: string | null
  /** The source's own name of the fee. */
  readonly description: string | null
}

/** The type of each kind of value that a fact may have. */
export interface FactValueTypes {
  readonly text: string
  readonly number: number
  readonly boolean: boolean
  readonly time: EventTime
  readonly timeOrNull: EventTime | null
  readonly place: ObservedPlace
  readonly hold: HoldStatement
  readonly holds: readonly Hold[]
  readonly fee: FeeStatement
  readonly fees: readonly Fee[]
}

export type FactName = keyof typeof factTable
export type FactValues = { readonly [Name in FactName]: FactValueTypes[(typeof factTable)[Name]['value']] }

interface FactOf<Name extends FactName> extends ObservationBase {
  readonly kind: 'fact'
  readonly fact: Name
  readonly value: FactValues[Name]
}
export type FactObservation = { [Name in FactName]: FactOf<Name> }[FactName]

export type Observation = EventObservation | FactObservation

/**
 * An observation on record for one account. Its identity is (poll target, source's key, content). `retiredAt` is set
 * when the source withdrew or replaced it, or when a corrected reader would not make it any more.
 */
export interface Claim {
  readonly id: string
  readonly source: Source
  readonly observation: Observation
  readonly readAt: string
  readonly recordedAt: string
  /**
   * When it was stated last, as far as is known. For an answer: the moment of the poll. For a message: when it was
   * written, if the message states it, else when it came. Of two claims under one key of one speaker the later counts.
   */
  readonly standsAt: string
  readonly hand: Hand
  /**
   * The sender's own id of the message that made the claim active. Null when we polled, or when the sender gives no id.
   */
  readonly deliveryKey: string | null
  readonly retiredAt: string | null
}
