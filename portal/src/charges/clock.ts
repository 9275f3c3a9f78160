/**
 * The clock of a container on the page of free time: made of the last free day that was reported, and of the charges by
 * the terms on record. What is not known stays unknown, with the reason.
 */

import type { Container } from '../../../sdk/typescript/src/description.generated.ts'
import type { Gets } from '../api/gets.generated.ts'
import { daysBetween, isoDayIn, zoneOfMidnight } from '../parts/time.ts'
import type { Money } from './charges-document.ts'

export type ChargedRow = Gets['/v2/charges']['data'][number]
type ChargedTerms = ChargedRow['attributes']['terms'][number]

/** Most urgent first. */
export const clockStates = ['charged', 'ended', 'ends', 'free', 'unknown'] as const
export type ClockState = (typeof clockStates)[number]

export interface Clock {
  readonly boxId: string
  readonly number: string
  readonly shipmentId: string | null
  readonly status: string | null
  readonly state: ClockState
  /** The present day at the place, by the clock of the account's journeys. */
  readonly today: string
  /** `YYYY-MM-DD` at the place. */
  readonly lastFreeDay: string | null
  /** Whether the day was reported by a source or calculated by terms. */
  readonly dayIs: 'reported' | 'calculated' | null
  /** The other day, where both are known and differ. */
  readonly otherDay: string | null
  /** 0: it is today. Negative: so many days ago. */
  readonly daysLeft: number | null
  /** The first day that the bar shows as free; null when the start of the clock is not known here. */
  readonly startedOn: string | null
  readonly owed: readonly Money[]
  readonly forecast: readonly Money[]
  readonly avoidable: readonly Money[]
  readonly unpricedDays: number
  /** Kinds of charges whose clocks run. */
  readonly kinds: readonly string[]
  /** Reasons why something is not known. */
  readonly unknown: readonly string[]
}

const endsWithinDays = 2

export function clockOf(
  { box, charged }: { readonly box: Container | null; readonly charged: ChargedRow | null },
  now: number,
): Clock | null {
  const boxId = box?.id ?? charged?.id
  if (boxId === undefined) return null
  const about = box?.attributes
  const zone = about?.final_destination_timezone ?? about?.pod_timezone ?? null
  const terms = (charged?.attributes.terms ?? []).filter(({ missing, phase }) => isRunning(missing, phase))
  const calculated = earliest(terms.map(({ last_free_day: day }) => day))
  const reported = reportedDay(about)
  const lastFreeDay = earliest([calculated, reported])
  const today = isoDayIn(now, zone)
  const daysLeft = lastFreeDay === null ? null : daysBetween(today, lastFreeDay)
  const isCharged = terms.some(({ phase }) => phase === 'charged')
  const { owed, forecast, avoidable, number, shipment_id: shipmentId, unknown = [] } = charged?.attributes ?? {}
  return {
    boxId,
    number: about?.number ?? number ?? '',
    shipmentId: box?.relationships?.shipment?.data?.id ?? shipmentId ?? null,
    status: about?.current_status ?? null,
    state: stateOf(isCharged, daysLeft),
    today,
    lastFreeDay,
    dayIs: lastFreeDay === null ? null : lastFreeDay === reported ? 'reported' : 'calculated',
    otherDay: calculated !== null && reported !== null && calculated !== reported ? later(calculated, reported) : null,
    daysLeft,
    startedOn: about?.pod_discharged_at ? isoDayIn(about.pod_discharged_at, about.pod_timezone) : null,
    owed: owed?.totals ?? [],
    forecast: forecast?.totals ?? [],
    avoidable: (avoidable ?? []).filter(({ minor }) => minor > 0),
    unpricedDays: owed?.unpriced_days ?? 0,
    kinds: [...new Set(terms.map(({ kind }) => kind))],
    unknown,
  }
}

/** Charged first, then by the last free day, soonest first; the unknown last. */
export function compareClocks(a: Clock, b: Clock): number {
  const [dayA, dayB] = [a.lastFreeDay ?? '9999', b.lastFreeDay ?? '9999']
  return (
    Number(b.state === 'charged') - Number(a.state === 'charged') ||
    (dayA < dayB ? -1 : dayA > dayB ? 1 : 0) ||
    (a.number < b.number ? -1 : 1)
  )
}

function isRunning(missing: ChargedTerms['missing'], phase: ChargedTerms['phase']): boolean {
  return missing === null && phase !== 'stopped'
}

function stateOf(isCharged: boolean, daysLeft: number | null): ClockState {
  if (isCharged) return 'charged'
  if (daysLeft === null) return 'unknown'
  if (daysLeft < 0) return 'ended'
  return daysLeft < endsWithinDays ? 'ends' : 'free'
}

/** The earliest that anybody reported, as in the attention list. The terminal's does not count on a train. */
function reportedDay(box: Container['attributes'] | undefined): string | null {
  if (box === undefined) return null
  const { pickup_lfd: lfd, import_deadlines: said, current_status: status } = box
  const days = [
    lfd,
    said?.pickup_lfd_line,
    said?.pickup_lfd_rail,
    status === 'on_rail' ? null : said?.pickup_lfd_terminal,
  ]
  const zones = [box.final_destination_timezone, box.pod_timezone]
  return earliest(days.map((at) => (at ? isoDayIn(at, zoneOfMidnight(at, zones)) : null)))
}

function earliest(days: readonly (string | null | undefined)[]): string | null {
  return days.filter((day): day is string => Boolean(day)).toSorted()[0] ?? null
}

function later(a: string, b: string): string {
  return a > b ? a : b
}
