/**
 * When gates are open and which days count: by the country of a place. Holidays are left out but for two; a port of the real
 * world has its own list.
 */
import { DAY, fromLocal, HOUR, MINUTE, offsetMinutes } from './local-time.ts'
import { getPlace } from './places.ts'

export interface GateHours {
  /** Hours of the local day: from, and until when a truck is let in. */
  readonly opens: number
  readonly closes: number
  /** Days of the week without a gate; 0 is Sunday. */
  readonly shut: readonly number[]
}

export type Site = 'port' | 'ramp'

/** Weekday gates in North America, long weekdays elsewhere; ramps work every day. */
export function gateHoursOf(place: string, site: Site): GateHours {
  if (site === 'ramp') return { opens: 5, closes: 22, shut: [] }
  return isNorthAmerica(place) ? { opens: 7, closes: 17, shut: [0, 6] } : { opens: 6, closes: 21, shut: [0] }
}

export function isNorthAmerica(place: string): boolean {
  return /^(US|CA)/.test(place)
}

/** Its clock as if it were UTC. */
function localOf(place: string, at: number): number {
  return at + offsetMinutes(getPlace(place).zone, at) * MINUTE
}

export function instantAt(place: string, asIfUtc: number): number {
  return fromLocal(getPlace(place).zone, asIfUtc)
}

/** The full hour in which a gate lets trucks in, this one or the next. */
export function gateHourFrom(place: string, site: Site, at: number): number {
  const gate = gateHoursOf(place, site)
  let hour = Math.ceil(localOf(place, at) / HOUR) * HOUR
  while (!isOpen(gate, hour)) hour += HOUR
  return instantAt(place, hour)
}

/** The hour of the gate in which this moment lies: the slot of an appointment. */
export function hourOf(place: string, at: number): number {
  return instantAt(place, Math.floor(localOf(place, at) / HOUR) * HOUR)
}

function isOpen({ opens, closes, shut }: GateHours, local: number): boolean {
  const hour = Math.floor(local / HOUR) % 24
  return hour >= opens && hour < closes && !shut.includes(weekdayOf(local)) && !isHoliday(local)
}

function weekdayOf(local: number): number {
  return new Date(local).getUTCDay()
}

function isHoliday(local: number): boolean {
  return /-(01-01|12-25)$/.test(writeDate(local))
}

function writeDate(local: number): string {
  return new Date(local).toISOString().slice(0, 10)
}

/** `2026-02-07`: the last of so many free days, of which the first is the day after this moment at the place. */
export function lastOfFreeDays(place: string, of: { from: number; days: number; working: boolean }): string {
  let local = Math.floor(localOf(place, of.from) / DAY) * DAY
  for (let left = of.days; left > 0; ) {
    local += DAY
    const isWorking = weekdayOf(local) !== 0 && weekdayOf(local) !== 6 && !isHoliday(local)
    if (!of.working || isWorking) left -= 1
  }
  return writeDate(local)
}

export function laterDay(day: string, days: number): string {
  return writeDate(Date.parse(day) + days * DAY)
}

/** The moment at which this day is over at the place. */
export function endOfDay(place: string, day: string): number {
  return instantAt(place, Date.parse(day) + DAY)
}
