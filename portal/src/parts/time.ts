/** Times in the local time of the place, with the zone. When the zone is unknown, the text says so. */

import { journeyNow } from '../api/journey-clock.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options)
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(key, format)
  return format
}

function isKnownZone(zone: string | null | undefined): zone is string {
  if (zone === null || zone === undefined) return false
  try {
    return formatOf('en-GB', { timeZone: zone }) !== null
  } catch {
    return false
  }
}

export interface LocalParts {
  readonly day: string
  readonly hour: string
  /** Null: the zone of the place is not known, and the time is as the source wrote it. */
  readonly zone: string | null
}

/** `2026-08-30T17:43:00Z` in Los Angeles: "30 Aug 2026", "10:43", "PDT". */
export function localParts(at: string, zone: string | null | undefined): LocalParts {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return { day: at, hour: '', zone: null }
  const known = isKnownZone(zone)
  const timeZone = known ? zone : 'UTC'
  const day = formatOf('en-GB', { day: '2-digit', month: 'short', year: 'numeric', timeZone }).format(date)
  const hour = formatOf('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(date)
  const name = formatOf('en-US', { timeZone, timeZoneName: 'short' })
    .formatToParts(date)
    .find(({ type }) => type === 'timeZoneName')
  return { day, hour, zone: known ? (name?.value ?? timeZone) : null }
}

/** The calendar day at a place as `YYYY-MM-DD`; in UTC where the zone is not known. */
export function isoDayIn(at: string | number, zone: string | null | undefined): string {
  return formatOf('sv-SE', { timeZone: isKnownZone(zone) ? zone : 'UTC' }).format(new Date(at))
}

/** The present day at a place, on the clock of the account's journeys. */
export function todayIn(zone: string | null | undefined): string {
  return isoDayIn(journeyNow(), zone)
}

/** Hours that `at` is later than `original`; null when one is missing or they differ by less than an hour. */
export function slipHours(at: string | null | undefined, original: string | null | undefined): number | null {
  if (!at || !original) return null
  const hours = Math.round((Date.parse(at) - Date.parse(original)) / 3_600_000)
  return Number.isNaN(hours) || hours === 0 ? null : hours
}

/** "3 d later than first said". */
export function slipWords(hours: number): string {
  const size = Math.abs(hours)
  const amount = size < 48 ? `${size} h` : `${Math.round(size / 24)} d`
  return `${amount} ${hours > 0 ? 'later' : 'earlier'} than first said`
}

/** "in 3 d", "5 h ago". */
export function fromNow(at: string, now: number): string {
  const minutes = Math.round((Date.parse(at) - now) / 60_000)
  const size = Math.abs(minutes)
  const amount =
    size < 60 ? `${size} min` : size < 2_880 ? `${Math.round(size / 60)} h` : `${Math.round(size / 1_440)} d`
  return minutes >= 0 ? `in ${amount}` : `${amount} ago`
}
