/**
 * How far a zone's clocks are from UTC at a moment. The runtime's own zone database (Intl) is queried once per zone and
 * UTC day, and the result is remembered, because every event of every journey needs it.
 */

const dayMs = 86_400_000
/** How many days are remembered for each zone (about 14 years). When there are more, the zone's memory is cleared. */
const daysRememberedMax = 5_000

/** A UTC day in a zone: the offset at its start and, when the clocks change within it, when and to what. */
interface DayOffsets {
  readonly first: number
  readonly last: number
  readonly changesAtMs: number
}

interface Zone {
  readonly format: Intl.DateTimeFormat
  readonly days: Map<number, DayOffsets>
}

const zones = new Map<string, Zone | null>()

/** Milliseconds to add to UTC for the zone's wall clock; null for a zone that the runtime does not know. */
export function offsetMsAt(timeZone: string, ms: number): number | null {
  const zone = findZone(timeZone)
  if (zone === null) return null
  const dayNumber = Math.floor(ms / dayMs)
  let day = zone.days.get(dayNumber)
  if (day === undefined) {
    if (zone.days.size >= daysRememberedMax) zone.days.clear()
    day = readDay(zone, dayNumber * dayMs)
    zone.days.set(dayNumber, day)
  }
  return ms < day.changesAtMs ? day.first : day.last
}

/** The same at each of the moments, remembering nothing; null throughout for a zone that the runtime does not know. */
export function offsetsWithoutCache(timeZone: string, moments: readonly number[]): readonly (number | null)[] {
  const zone = openZone(timeZone)
  return moments.map((ms) => (zone === null ? null : readOffset(zone, ms)))
}

/** ISO 8601 to the second with the zone's offset, such as `2026-02-01T11:30:00-08:00`; in UTC when the zone is unknown. */
export function writeWithOffset(at: string, timeZone: string | null): string {
  const ms = Date.parse(at)
  const offsetMs = timeZone === null ? null : offsetMsAt(timeZone, ms)
  if (offsetMs === null) return `${new Date(ms).toISOString().slice(0, 19)}Z`
  const minutes = Math.round(Math.abs(offsetMs) / 60_000)
  const two = (value: number): string => String(value).padStart(2, '0')
  const offset = `${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
  return `${new Date(ms + offsetMs).toISOString().slice(0, 19)}${offset}`
}

export function isTimeZone(timeZone: string): boolean {
  return findZone(timeZone) !== null
}

function findZone(timeZone: string): Zone | null {
  const known = zones.get(timeZone)
  if (known !== undefined) return known
  const opened = openZone(timeZone)
  // Names come from outside as well: a flood of unknown ones must not fill the memory.
  if (opened !== null || zones.size < 1_000) zones.set(timeZone, opened)
  return opened
}

function openZone(timeZone: string): Zone | null {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    return { format, days: new Map() }
  } catch {
    // Intl throws a RangeError for a zone that it does not know. Here the result is null.
    return null
  }
}

/** No zone has ever changed its clocks twice within one UTC day, so equal ends mean no change. */
function readDay(zone: Zone, startMs: number): DayOffsets {
  const first = readOffset(zone, startMs)
  const last = readOffset(zone, startMs + dayMs)
  if (first === last) return { first, last, changesAtMs: startMs }
  let before = startMs
  let after = startMs + dayMs
  while (after - before > 1_000) {
    const middle = before + Math.floor((after - before) / 2_000) * 1_000
    if (readOffset(zone, middle) === first) before = middle
    else after = middle
  }
  return { first, last, changesAtMs: after }
}

/** The formatter's text ends in `GMT`, `GMT+05:45` or, before 1972 in Liberia, `GMT-00:44:30`. */
function readOffset(zone: Zone, ms: number): number {
  const text = zone.format.format(ms)
  const parts = /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(text)
  if (parts === null) return 0
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = parts
  const size = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000
  return sign === '-' ? -size : size
}
