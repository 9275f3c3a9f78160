/**
 * Terms of free time: who charges which containers, from which event to which, and the cost of a day. Terms are data
 * that an account sends. A new version never changes an older one.
 */

import type { Equipment } from '../view/projection.ts'
import type { Money } from './money.ts'

export const chargeKinds = ['demurrage', 'detention', 'storage', 'per_diem', 'combined'] as const
export type ChargeKind = (typeof chargeKinds)[number]

export const chargers = ['line', 'terminal', 'railway', 'chassis_pool'] as const
export type Charger = (typeof chargers)[number]

/** From the most to the least binding: the own contract, what a notice stated for this bill, the public tariff. */
export const termsOrigins = ['contract', 'stated', 'tariff'] as const
export type TermsOrigin = (typeof termsOrigins)[number]

/**
 * The events that start or stop a clock: gates, discharge and availability, each of the container itself. A train that
 * carries the container away counts as its gate. The position of a ship never starts or stops a clock.
 */
export const clockEvents = [
  'vessel_discharged',
  'available_at_port',
  'rail_loaded',
  'rail_departed',
  'rail_unloaded',
  'available_at_ramp',
  'full_out',
  'empty_in',
  'empty_out',
  'full_in',
] as const
export type ClockEvent = (typeof clockEvents)[number]

/** Which date decides what version of the terms, and so which rate, counts. `each_day`: the rate of each day. */
export const lockDates = ['clock_start', 'vessel_departed', 'full_in', 'vessel_discharged', 'each_day'] as const
export type LockDate = (typeof lockDates)[number]

export const freeUnits = ['calendar_days', 'working_days', 'hours'] as const
export const chargedUnits = ['calendar_days', 'working_days'] as const

/** What stops the clock: a hold of a name, any hold, the statement that the container is not available, a closure. */
export const clockStops = [
  'any_hold',
  'hold:freight',
  'hold:customs',
  'hold:USDA',
  'hold:VACIS',
  'hold:TMF',
  'hold:other',
  'not_available',
  'closure',
] as const
export type ClockStop = (typeof clockStops)[number]

export interface Tier {
  /** Number of the first and the last day of this rate. The last tier has no end. */
  readonly from: number
  readonly to: number | null
  /** For each day. Null: nobody has given us the rate, so the day is charged and its amount is unknown. */
  readonly rate: Money | null
}

export interface TermsContent {
  readonly origin: TermsOrigin
  readonly kind: ChargeKind
  readonly chargedBy: Charger
  /** SCAC of a line or railway, code of a terminal, name of a pool; null for any. */
  readonly chargerCode: string | null
  /** Empty lists mean all. */
  readonly bills: readonly string[]
  readonly equipment: readonly string[]
  readonly haulage: 'carrier' | 'merchant' | null
  /** UN/LOCODEs of ports of discharge, and of the inland place where the container is picked up. */
  readonly ports: readonly string[]
  readonly destinations: readonly string[]
  /** Days, both included; null for no limit. */
  readonly validFrom: string | null
  readonly validTo: string | null
  readonly lockedBy: LockDate
  readonly currency: string
  /** Code of a calendar; null: every day is a working day, in the zone of the place. */
  readonly calendar: string | null
  readonly start: ClockStart
  /** The first of these after the start stops the clock. */
  readonly stop: readonly ClockEvent[]
  /** Whether the day of the stop still counts. */
  readonly isStopDayCounted: boolean
  readonly free: number
  readonly freeUnit: (typeof freeUnits)[number]
  readonly chargedUnit: (typeof chargedUnits)[number]
  readonly tiers: readonly Tier[]
  /** `charged`: tiers number the charged days from 1. `all`: they number the free days as well. */
  readonly tiersCount: 'charged' | 'all'
  readonly stopsFor: readonly ClockStop[]
  /** A hold excludes a day that it touches, or only a day that it fills. */
  readonly stoppedDay: 'touched' | 'whole'
  /** Where the terms and their prices come from. */
  readonly source: string | null
  /** True: these terms do not apply any more within their dates. */
  readonly isWithdrawn: boolean
}

export interface ClockStart {
  readonly event: ClockEvent
  /** So many days later; in `working_days` only working days are counted. */
  readonly offset: number
  readonly offsetUnit: (typeof chargedUnits)[number]
  /** True: the day of the event does not count, the first full day after it does. */
  readonly isFirstFullDay: boolean
  /** True: the first day that counts is a working day. */
  readonly isOnWorkingDay: boolean
  /** True: an event after the gate has closed counts as one of the next day. */
  readonly isGateCutOff: boolean
}

/** A type of container, or a type with its length in feet: `reefer`, `dry_40`. */
export const equipmentKinds: readonly string[] = ['dry', 'reefer', 'open_top', 'flat_rack', 'bulk', 'tank'].flatMap(
  (type) => [type, `${type}_20`, `${type}_40`, `${type}_45`],
)

export function equipmentKindsOf({ type, lengthFeet }: Equipment): readonly string[] {
  const kind = type.replace(' ', '_')
  return [kind, `${kind}_${lengthFeet}`]
}

export interface ChargeTerms extends TermsContent {
  /** The account's own name of the terms: `acme-hlcu-import`. */
  readonly code: string
  readonly version: number
  readonly recordedAt: string
}
