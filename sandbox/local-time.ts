/** Local time of a place: offsets from the IANA zone, cached per day, and the written forms that carriers use. */

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const formats = new Map<string, Intl.DateTimeFormat>()
const offsets = new Map<string, Map<number, number | null>>()

/** Minutes east of UTC in this zone at this moment. */
export function offsetMinutes(zone: string, at: number): number {
  const days = offsets.get(zone) ?? new Map<number, number | null>()
  offsets.set(zone, days)
  const day = Math.floor(at / DAY)
  const known = days.get(day)
  if (known !== undefined) return known ?? askIntl(zone, at)
  const start = askIntl(zone, day * DAY)
  const end = askIntl(zone, (day + 1) * DAY)
  // null marks a day on which the clocks change; for such a day Intl is asked each time.
  days.set(day, start === end ? start : null)
  return start === end ? start : askIntl(zone, at)
}

/** `2026-01-06T14:30:00+08:00` */
export function writeZoned(zone: string, at: number): string {
  const minutes = offsetMinutes(zone, at)
  const sign = minutes < 0 ? '-' : '+'
  const hours = String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0')
  return `${writeLocal(zone, at)}${sign}${hours}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`
}

/** `2026-01-06T14:30:00`: without a zone, as some carriers send it. */
export function writeLocal(zone: string, at: number): string {
  return new Date(at + offsetMinutes(zone, at) * MINUTE).toISOString().slice(0, 19)
}

/** `2026-01-06`: the day at the place. */
export function writeDay(zone: string, at: number): string {
  return writeLocal(zone, at).slice(0, 10)
}

/** The moment at which the clocks of this zone show a local time. The local time is given as if it were UTC. */
export function fromLocal(zone: string, asIfUtc: number): number {
  const guess = asIfUtc - offsetMinutes(zone, asIfUtc) * MINUTE
  return asIfUtc - offsetMinutes(zone, guess) * MINUTE
}

function askIntl(zone: string, at: number): number {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    formats.set(zone, format)
  }
  const text = format.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT'
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(text)
  if (match === null) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]))
}
