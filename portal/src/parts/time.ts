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

export const readerZone = new Intl.DateTimeFormat().resolvedOptions().timeZone
const choiceName = 'landfall-times'

/** Where times with an hour are shown, as the reader chose in this browser. A day without an hour is that of the place. */
export const TimesOf = {
  isReader: (): boolean => localStorage.getItem(choiceName) === 'reader',
  change: (): void => localStorage.setItem(choiceName, TimesOf.isReader() ? 'place' : 'reader'),
}

/**
 * The zone in which a time is shown: the reader's, if it is of Landfall itself (`reader`) or if they chose so. `isDay`: it
 * has no hour. Where the zone of the place is not known, a time stays as the source wrote it.
 */
export function shownZone(place: string | null | undefined, isDay = false): string | null | undefined {
  return place === 'reader' || (!isDay && isKnownZone(place) && TimesOf.isReader()) ? readerZone : place
}

/** The present day at a place, on the clock of the account's journeys. */
export function todayIn(zone: string | null | undefined): string {
  return isoDayIn(journeyNow(), zone)
}
