/**
 * The evidence of the start and the stop of a clock: gate moves, discharge and availability of the container itself,
 * each with its claim. Estimates and positions of ships are no evidence.
 */

import type { FactClaim } from '../journey/trip.ts'
import { placeKeyOf } from '../statements/statement.ts'
import { type EventTime, instantOf, localDateIn } from '../values/time.ts'
import type { ContainerProjection, Milestone, MilestoneName } from '../view/projection.ts'
import type { ClockEvent, TermsContent } from './terms.ts'

/** A container with what its charges depend on besides its projection. */
export interface ChargedContainer {
  readonly container: ContainerProjection
  readonly scac: string
  readonly bill: string | null
  /** Every statement about holds of the container that was ever on record, retired ones too. */
  readonly holdClaims: readonly FactClaim[]
  /** The active statements about the container, among them the reported last free days. */
  readonly facts: readonly FactClaim[]
}

export interface ClockMoment {
  readonly event: ClockEvent
  readonly time: EventTime
  /** The day on which it happened, by the zone of the calendar. */
  readonly day: string
  /** Null when only the day is known. */
  readonly atMs: number | null
  /** The zone by which the day was found. */
  readonly zone: string | null
  readonly claimId: string
}

/** Why a clock cannot be counted. */
export const missingReasons = ['start', 'zone', 'calendar', 'hour_of_start', 'working_day'] as const
export type MissingReason = (typeof missingReasons)[number]

const milestoneOfEvent: Readonly<Record<ClockEvent, MilestoneName>> = {
  vessel_discharged: 'vessel_discharged',
  available_at_port: 'available',
  available_at_ramp: 'available',
  rail_loaded: 'rail_loaded',
  rail_departed: 'rail_departed',
  rail_unloaded: 'rail_unloaded',
  full_out: 'full_out',
  empty_in: 'empty_in',
  empty_out: 'empty_out',
  full_in: 'full_in',
}

/** Null: no source that counts has stated that it happened. `isFirst`: of several the first, else the last. */
export function findMilestone(container: ContainerProjection, event: ClockEvent, isFirst: boolean): Milestone | null {
  const matchesEvent = (milestone: Milestone) =>
    milestone.kind === 'actual' &&
    milestone.source !== 'ais' &&
    milestone.name === milestoneOfEvent[event] &&
    isAtPlace(container, event, milestone)
  const found = isFirst ? container.milestones.find(matchesEvent) : container.milestones.findLast(matchesEvent)
  return found ?? null
}

function isAtPlace(container: ContainerProjection, event: ClockEvent, { callKey }: Milestone): boolean {
  if (event !== 'available_at_port' && event !== 'available_at_ramp') return true
  return isAtPort(container, callKey) === (event === 'available_at_port')
}

function isAtPort(container: ContainerProjection, callKey: string): boolean {
  const { place } = container.portOfDischarge
  return place !== null && callKey.startsWith(`${placeKeyOf(place)}#`)
}

/** For a container that is discharged again the last discharge counts; for all else the first event. */
export function findStartMilestone(container: ContainerProjection, event: ClockEvent): Milestone | null {
  return findMilestone(container, event, event !== 'vessel_discharged' && event !== 'rail_unloaded')
}

/** The first event after the start that stops the clock. */
export function findStopMilestone(
  container: ContainerProjection,
  terms: TermsContent,
  start: Milestone,
): { readonly event: ClockEvent; readonly milestone: Milestone } | null {
  const after = container.milestones.slice(container.milestones.indexOf(start) + 1)
  const remainder = { ...container, milestones: after }
  const found = terms.stop.flatMap((event) => {
    const milestone = findMilestone(remainder, event, true)
    return milestone === null ? [] : [{ event, milestone }]
  })
  return found.toSorted((a, b) => after.indexOf(a.milestone) - after.indexOf(b.milestone))[0] ?? null
}

/** `zone`: that of the calendar, null for that of the place. Null when the day is unknown without a zone. */
export function momentOf(event: ClockEvent, milestone: Milestone, zone: string | null): ClockMoment | null {
  const { time, place, claimId } = milestone
  const here = zone ?? place.timeZone
  const base = { event, time, zone: here, claimId }
  if (time.kind === 'day') return { ...base, day: time.on, atMs: null }
  if (here === null && time.kind === 'instant') return null
  const atMs = here === null ? null : Date.parse(instantOf(time, place.timeZone ?? here).at)
  // A wall clock without zone is that of the place, so its day is a day there.
  if (time.kind === 'local') return { ...base, day: time.local.slice(0, 10), atMs }
  return { ...base, day: localDateIn(time.at, here), atMs }
}

/** Whether the clock runs at the ramp and not at the port. */
export function isAtRamp({ start }: Pick<TermsContent, 'start'>): boolean {
  return start.event === 'rail_unloaded' || start.event === 'available_at_ramp'
}

/** The statements about availability at the place where the clock runs, in order. */
export function availabilityAt(container: ContainerProjection, terms: TermsContent): readonly Milestone[] {
  return container.milestones.filter(
    ({ name, callKey }) =>
      (name === 'available' || name === 'not_available') && isAtPort(container, callKey) !== isAtRamp(terms),
  )
}
