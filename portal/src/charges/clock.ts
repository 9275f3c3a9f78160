/**
 * The clock of a container on the page of free time: its last free day, and its charges by the terms on record. What is
 * not known stays unknown, with the reason.
 */

import type { Container } from '../../../sdk/typescript/src/description.generated.ts'
import { countDays } from '../../../src/domain/view/day-count.ts'
import type { Gets } from '../api/gets.generated.ts'
import { isoDayIn } from '../parts/time.ts'
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
  /** Who named it, and the other days, the earliest first. */
  readonly named: readonly FreeDay[]
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

type FreeDay = Pick<NonNullable<Container['attributes']['free_until']>, 'on' | 'by' | 'terms_code'>

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
  const free = about?.free_until
  // Of a container that is out, the clocks of its terms say until when it must be back.
  const named = free ? [free, ...free.others] : box === null ? daysOfTerms(terms) : []
  const lastFreeDay = named[0]?.on ?? null
  const today = isoDayIn(now, zone)
  const daysLeft = lastFreeDay === null ? null : countDays(today, lastFreeDay)
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
    named,
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

function daysOfTerms(terms: readonly ChargedTerms[]): readonly FreeDay[] {
  const days = terms.flatMap(({ last_free_day: on, code }): readonly FreeDay[] =>
    on === null ? [] : [{ on, by: 'terms', terms_code: code }],
  )
  return days.toSorted((a, b) => (a.on < b.on ? -1 : 1))
}
