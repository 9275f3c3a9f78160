/**
 * When gates are open and which days count as working days, by the country of the place. In the real world each port
 * has its own hours.
 */
import { DAY, fromLocal, HOUR, MINUTE, offsetMinutes } from './local-time.ts'
import { getPlace } from './places.ts'

export interface GateHours {
  /** The hour of the local day at which the gate opens, and the hour until which trucks may enter. */
  readonly opens: number
  readonly closes: number
  /** Days of the week on which the gate is closed; 0 is Sunday. */
  readonly shut: readonly number[]
}

export type Site = 'port' | 'ramp'

/** Places whose quays work round the clock on all days of the year. */
const neverShut = /^(CN|HK|TW|KR|SG|MY|TH|VN|PH|ID|IN|LK|BD|AE|SA)/

/**
 * Gates are open on weekdays in North America, round the clock in much of Asia, and on long weekdays elsewhere. Ramps
 * are open every day.
 */
export function gateHoursOf(place: string, site: Site): GateHours {
  if (site === 'ramp') return { opens: 5, closes: 22, shut: [] }
  if (neverShut.test(place)) return { opens: 0, closes: 24, shut: [] }
  return isNorthAmerica(place) ? { opens: 7, closes: 17, shut: [0, 6] } : { opens: 6, closes: 21, shut: [0] }
}

export function isNorthAmerica(place: string): boolean {
  return /^(US|CA)/.test(place)
}

/** The place's local time, written as if it were UTC. */
function localOf(place: string, at: number): number {
  return at + offsetMinutes(getPlace(place).zone, at) * MINUTE
}

export function instantAt(place: string, asIfUtc: number): number {
  return fromLocal(getPlace(place).zone, asIfUtc)
}

/** The first full hour from this moment on in which the gate lets trucks in. */
export function gateHourFrom(place: string, site: Site, at: number): number {
  let hour = Math.ceil(localOf(place, at) / HOUR) * HOUR
  while (!isOpen(place, site, hour)) hour += HOUR
  return instantAt(place, hour)
}

/** The last full hour until this moment in which the gate lets trucks in. */
export function gateHourUntil(place: string, site: Site, at: number): number {
  let hour = Math.floor(localOf(place, at) / HOUR) * HOUR
  while (!isOpen(place, site, hour)) hour -= HOUR
  return instantAt(place, hour)
}

/** The full hour in which this moment lies: the slot of an appointment. */
export function hourOf(place: string, at: number): number {
  return instantAt(place, Math.floor(localOf(place, at) / HOUR) * HOUR)
}

function isOpen(place: string, site: Site, local: number): boolean {
  const { opens, closes, shut } = gateHoursOf(place, site)
  const hour = Math.floor(local / HOUR) % 24
  return hour >= opens && hour < closes && !shut.includes(weekdayOf(local)) && !isHoliday(place, local)
}

function weekdayOf(local: number): number {
  return new Date(local).getUTCDay()
}

/**
 * Independence Day and Canada Day, Labor Day, and each country's Thanksgiving. `09 1 1` is the first Monday of
 * September.
 */
function isHoliday(place: string, local: number): boolean {
  const date = writeDate(local).slice(5)
  if (neverShut.test(place)) return false
  if (date === '01-01' || date === '12-25') return true
  if (!isNorthAmerica(place)) return false
  const isAmerican = place.startsWith('US')
  const day = new Date(local)
  const nth = `${date.slice(0, 2)} ${day.getUTCDay()} ${Math.ceil(day.getUTCDate() / 7)}`
  return [isAmerican ? '07-04' : '07-01', '09 1 1', isAmerican ? '11 4 4' : '10 1 2'].some(
    (holiday) => holiday === date || holiday === nth,
  )
}

function writeDate(local: number): string {
  return new Date(local).toISOString().slice(0, 10)
}

/** The last free day, such as `2026-02-07`. The first free day is the day after this moment at the place. */
export function lastOfFreeDays(place: string, of: { from: number; days: number; working: boolean }): string {
  let local = Math.floor(localOf(place, of.from) / DAY) * DAY
  for (let left = of.days; left > 0; ) {
    local += DAY
    const isWorking = weekdayOf(local) !== 0 && weekdayOf(local) !== 6 && !isHoliday(place, local)
    if (!of.working || isWorking) left -= 1
  }
  return writeDate(local)
}

export function laterDay(day: string, days: number): string {
  return writeDate(Date.parse(day) + days * DAY)
}

/** The moment at which this day ends at the place. */
export function endOfDay(place: string, day: string): number {
  return instantAt(place, Date.parse(day) + DAY)
}
