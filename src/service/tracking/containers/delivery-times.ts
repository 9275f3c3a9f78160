/** When a customer may say that a box was delivered: neither before its journey nor in the future. */

import { assumedUtc, type EventTime, instantOf } from '../../../core/time.ts'
import type { ContainerReading } from '../../../store/read/containers.ts'
import { refusedAt } from '../../errors.ts'

/** Where the body has it, and what it is called there. */
interface Named {
  readonly pointer: string
  readonly name: string
}

/** Where a day and a wall clock come first: UTC+14. */
const firstZoneHours = 14

/** What has not happened yet was not delivered. A few minutes may lie between the clocks. */
export function requirePast(delivered: EventTime, now: string, from: Named): void {
  const hours = delivered.kind === 'instant' ? 0 : firstZoneHours
  const latest = Date.parse(now) + (hours * 60 + 5) * 60_000
  if (Date.parse(instantOf(delivered, null).at) <= latest) return
  throw refusedAt(from.pointer, `${from.name} lies ahead: it is ${now} now.`)
}

/** Where a day and a wall clock end last: UTC-12. */
const lastZoneHours = 12
const hourMs = 3_600_000

/** A box is not delivered before its journey has begun; of a time without a zone only what cannot be is refused. */
export function requireBegun(
  delivered: EventTime,
  { happened }: Pick<ContainerReading, 'happened'>,
  from: Named,
): void {
  const hours = { instant: 0, local: lastZoneHours, day: 24 + lastZoneHours }[delivered.kind]
  const latest = Date.parse(instantOf(delivered, null).at) + hours * hourMs
  const told = happened
    .filter(({ name }) => name !== 'delivered')
    .map(({ name, time, timeZone }) => {
      const { at, zoneUsed } = instantOf(time, timeZone)
      const earliest = Date.parse(at) - (zoneUsed === assumedUtc ? firstZoneHours : 0) * hourMs
      return { name, at, earliest }
    })
  const first = told.toSorted((a, b) => a.earliest - b.earliest)[0]
  if (first === undefined || latest >= first.earliest) return
  const detail = `${from.name} lies before the journey: the first that is known of it is ${first.name} at ${first.at}.`
  throw refusedAt(from.pointer, detail)
}
