/** When gates are open and which days count: by the country of a place. A port of the real world has a list of its own. */
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

/** The quays of these work round the clock, all days of the year. */
const neverShut = /^(CN|HK|TW|KR|SG|MY|TH|VN|PH|ID|IN|LK|BD|AE|SA)/

/** Weekday gates in North America, round the clock in much of Asia, long weekdays elsewhere; ramps work every day. */
export function gateHoursOf(place: string, site: Site): GateHours {
  if (site === 'ramp') return { opens: 5, closes: 22, shut: [] }
  if (neverShut.test(place)) return { opens: 0, closes: 24, shut: [] }
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
  let hour = Math.ceil(localOf(place, at) / HOUR) * HOUR
  while (!isOpen(place, site, hour)) hour += HOUR
  return instantAt(place, hour)
}

/** As above, this one or the one before. */
export function gateHourUntil(place: string, site: Site, at: number): number {
  let hour = Math.floor(localOf(place, at) / HOUR) * HOUR
  while (!isOpen(place, site, hour)) hour -= HOUR
  return instantAt(place, hour)
}

/** The hour of the gate in which this moment lies: the slot of an appointment. */
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

/** Independence and Canada Day, Labor Day, each country's Thanksgiving: `09 1 1` is the first Monday of September. */
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

/** `2026-02-07`: the last of so many free days, of which the first is the day after this moment at the place. */
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

/** The moment at which this day is over at the place. */
export function endOfDay(place: string, day: string): number {
  return instantAt(place, Date.parse(day) + DAY)
}
