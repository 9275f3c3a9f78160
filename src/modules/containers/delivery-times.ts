/** The times that a customer may state for a delivery of a container: neither before its journey nor in the future. */

import { assumedUtc, type EventTime, instantOf } from '../../domain/values/time.ts'
import { refusedAt } from '../errors.ts'
import type { ContainerReading } from './list-containers-sql.ts'

/** Where the value is in the body, and its name there. */
interface BodyField {
  readonly pointer: string
  readonly name: string
}

/** Hours from UTC of the zone where a day begins first: UTC+14. */
const firstZoneHours = 14

/** Refuses a delivery in the future. The clocks may differ by a few minutes. */
export function requirePastDelivery(delivered: EventTime, now: string, from: BodyField): void {
  const hours = delivered.kind === 'instant' ? 0 : firstZoneHours
  const latest = Date.parse(now) + (hours * 60 + 5) * 60_000
  if (Date.parse(instantOf(delivered, null).at) <= latest) return
  throw refusedAt(from.pointer, `${from.name} lies ahead: it is ${now} now.`)
}

/** Hours from UTC of the zone where a day ends last: UTC-12. */
const lastZoneHours = 12
const hourMs = 3_600_000

/**
 * Refuses a delivery before the journey began. A time without a zone is refused only when it is too early in every
 * zone.
 */
export function requireDeliveryAfterStart(
  delivered: EventTime,
  { happened }: Pick<ContainerReading, 'happened'>,
  from: BodyField,
): void {
  const hours = { instant: 0, local: lastZoneHours, day: 24 + lastZoneHours }[delivered.kind]
  const latest = Date.parse(instantOf(delivered, null).at) + hours * hourMs
  const knownTimes = happened
    .filter(({ name }) => name !== 'delivered')
    .map(({ name, time, timeZone }) => {
      const { at, zoneUsed } = instantOf(time, timeZone)
      const earliest = Date.parse(at) - (zoneUsed === assumedUtc ? firstZoneHours : 0) * hourMs
      return { name, at, earliest }
    })
  const first = knownTimes.toSorted((a, b) => a.earliest - b.earliest)[0]
  if (first === undefined || latest >= first.earliest) return
  const detail = `${from.name} is before the journey: its first known event is ${first.name} at ${first.at}.`
  throw refusedAt(from.pointer, detail)
}
