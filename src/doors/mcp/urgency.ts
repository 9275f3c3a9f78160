/**
 * How near the last free day is, counted in days of the place of pick-up; and when nothing may be said about it, because
 * what is known is old, was never asked, or is not asked for any more.
 */

import { earliestLfd } from '../../core/free-time.ts'
import { localDateIn, msBetween } from '../../core/time.ts'
import type { ContainerReading } from '../../store/read/containers.ts'
import type { ShipmentReading } from '../../store/read/shipments.ts'
import { inlandMomentsOf } from '../container-moments.ts'

export const urgencies = ['none', 'ok', 'soon', 'today', 'overdue'] as const

export interface Urgency {
  readonly urgency: (typeof urgencies)[number] | null
  readonly urgency_suppressed: boolean
  readonly urgency_reason: string
  readonly days_until_lfd: number | null
}

const dayMs = 86_400_000
/** What a source said longer ago than this may have changed. */
export const staleAfterDays = 7
const soonDays = 3

export function readUrgency(
  { projection, happened }: ContainerReading,
  shipment: Pick<ShipmentReading, 'lastSucceededAt' | 'trackingStoppedAt'>,
  now: string,
): Urgency {
  const first = findEarliestLfd({ projection, happened })
  if (happened.some(({ name }) => name === 'full_out'))
    return said('none', null, 'Picked up: free time at the terminal no longer runs.')
  if (first === null) return said('none', null, 'No source has given a last free day.')
  const doubt = doubtAbout(shipment, now)
  if (doubt !== null)
    return { urgency: null, urgency_suppressed: true, urgency_reason: doubt, days_until_lfd: null }
  const zone = projection.pickupTimeZone
  const { day, by } = first
  const whose = `last free day by the ${givers[by]}`
  const days = Math.round((Date.parse(day) - Date.parse(localDateIn(now, zone))) / dayMs)
  const where = zone === null ? 'in UTC, for the zone of the place is unknown' : `in ${zone}`
  if (days < 0) return said('overdue', days, `The ${whose}, ${day}, is over (${where}).`)
  if (days === 0) return said('today', days, `Today is the ${whose} (${where}); it is free until it ends.`)
  const many = `${days} ${days === 1 ? 'day' : 'days'} until the ${whose}, ${day} (${where}).`
  return said(days <= soonDays ? 'soon' : 'ok', days, many)
}

/** The day that ends first counts, whoever gave it: the box has to be gone by then. */
export function findEarliestLfd(reading: Pick<ContainerReading, 'projection' | 'happened'>) {
  const { freeTime, pickupTimeZone } = reading.projection
  const { loaded, departed } = inlandMomentsOf(reading)
  const isOnRail = (loaded ?? departed) !== undefined
  return earliestLfd(freeTime, { pickupTimeZone, isOnRail })
}

const givers = { line: 'line', terminal: 'terminal', rail: 'railway' } as const

function said(urgency: Urgency['urgency'], days: number | null, reason: string): Urgency {
  return { urgency, urgency_suppressed: false, urgency_reason: reason, days_until_lfd: days }
}

function doubtAbout(
  { lastSucceededAt, trackingStoppedAt }: Pick<ShipmentReading, 'lastSucceededAt' | 'trackingStoppedAt'>,
  now: string,
): string | null {
  if (trackingStoppedAt !== null) return 'Tracking has stopped: what is known may be out of date.'
  if (lastSucceededAt === null) return 'No source has answered yet.'
  const days = Math.floor(msBetween({ from: lastSucceededAt, to: now }) / dayMs)
  if (days <= staleAfterDays) return null
  return `The sources last answered ${days} days ago: what they said may be out of date.`
}
