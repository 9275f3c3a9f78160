/**
 * The statement for one day of one container under one version of terms: counted or not, why, the cost, and the claims
 * behind it.
 */

import type { Hold } from '../statements/observation.ts'
import { unreachable } from '../values/unreachable.ts'
import type { DayOff, Weekday } from './calendar.ts'
import { type Money, writeMoney } from './money.ts'
import type { ClockEvent } from './terms.ts'

/** The closed list of reasons. Each has one sentence. */
export type DayReason =
  | { readonly kind: 'before_first_day'; readonly event: ClockEvent; readonly firstDay: string }
  | { readonly kind: 'free_day'; readonly number: number; readonly of: number }
  | { readonly kind: 'free_hours'; readonly until: string }
  | DayOff
  | { readonly kind: 'hold'; readonly hold: Hold['name'] }
  | { readonly kind: 'not_available' }
  | {
      readonly kind: 'tier'
      readonly tier: number
      readonly dayNumber: number
      readonly rate: Money | null
    }
  | { readonly kind: 'stop_day'; readonly event: ClockEvent }
  | { readonly kind: 'hour_of_stop_unknown'; readonly until: string }

export const dayReasons = [
  'before_first_day',
  'free_day',
  'free_hours',
  'weekend',
  'holiday',
  'closure',
  'gate_closed',
  'hold',
  'not_available',
  'tier',
  'stop_day',
  'hour_of_stop_unknown',
] as const satisfies readonly DayReason['kind'][]

export const dayOutcomes = ['free', 'charged', 'not_counted', 'unknown'] as const

export interface VersionReference {
  readonly code: string
  readonly version: number
}

export interface DayStatement {
  readonly on: string
  readonly outcome: (typeof dayOutcomes)[number]
  readonly reason: DayReason
  /** Null for a day that is not charged, and for one whose rate nobody has given us. */
  readonly amount: Money | null
  readonly terms: VersionReference
  readonly calendar: VersionReference | null
  /** The claims that started the clock, and the other claims behind this day. */
  readonly claimIds: readonly string[]
  /** The day has not begun yet: it is what will be if nothing happens. */
  readonly isAhead: boolean
}

/** The reason as one sentence. */
export function describeReason({ reason, terms, calendar, claimIds }: DayStatement): string {
  const by = calendar === null ? '' : ` by calendar ${calendar.code} version ${calendar.version}`
  const claim = claimIds.at(-1) ?? ''
  switch (reason.kind) {
    case 'before_first_day':
      return `The terms count from ${reason.firstDay}, after ${eventLabels[reason.event]}.`
    case 'free_day':
      return `Free day ${reason.number} of ${reason.of}.`
    case 'free_hours':
      return `Free until ${reason.until}.`
    case 'weekend':
      return `${weekdayNames[reason.weekday]} is no working day${by}.`
    case 'holiday':
      return `${reason.name} is a holiday${by}.`
    case 'closure':
      return `Closed (${reason.closure}): ${reason.name}${by}.`
    case 'gate_closed':
      return `The gate is closed on ${weekdayNames[reason.weekday]}${by}.`
    case 'hold':
      return `The clock stands still for the hold ${reason.hold}, by claim ${claim}.`
    case 'not_available':
      return `The clock stands still while the box is not available, by claim ${claim}.`
    case 'tier': {
      const rate = reason.rate === null ? 'at a rate that is not known' : `at ${writeMoney(reason.rate)}`
      return `Day ${reason.dayNumber}, tier ${reason.tier} of terms ${terms.code} version ${terms.version}, ${rate}.`
    }
    case 'stop_day':
      return `The day of ${eventLabels[reason.event]} does not count.`
    case 'hour_of_stop_unknown':
      return `Free until ${reason.until}, and nobody has said at what hour of this day the box went.`
    default:
      return unreachable(reason)
  }
}

export const eventLabels: Readonly<Record<ClockEvent, string>> = {
  vessel_discharged: 'the discharge',
  available_at_port: 'the availability at the port',
  rail_loaded: 'the loading on a train',
  rail_departed: 'the departure of the train',
  rail_unloaded: 'the unloading from the train',
  available_at_ramp: 'the availability at the ramp',
  full_out: 'the gate-out of the full box',
  empty_in: 'the return of the empty box',
  empty_out: 'the gate-out of the empty box',
  full_in: 'the gate-in of the full box',
}

const weekdayNames: Readonly<Record<Weekday, string>> = {
  sun: 'Sunday',
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
}
