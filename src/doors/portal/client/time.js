/** Times in the local time of the place, with the zone. When the zone is unknown, the text says so. */
import { h } from './dom.js'

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map()

/**
 * @param {string} locale
 * @param {Intl.DateTimeFormatOptions} options
 */
function formatOf(locale, options) {
  const key = locale + JSON.stringify(options)
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(key, format)
  return format
}

/** @type {Intl.DateTimeFormatOptions} */
const day = { day: '2-digit', month: 'short', year: 'numeric' }
/** @type {Intl.DateTimeFormatOptions} */
const hour = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }

/** @param {string | null} zone */
function isKnownZone(zone) {
  try {
    return zone !== null && formatOf('en-GB', { timeZone: zone }) !== null
  } catch {
    return false
  }
}

/**
 * @param {Date} date
 * @param {string} timeZone
 */
function dayIn(date, timeZone) {
  const parts = formatOf('en-US', { ...day, timeZone }).formatToParts(date)
  return ['day', 'month', 'year'].map((name) => parts.find(({ type }) => type === name)?.value).join(' ')
}

/**
 * `2026-08-30T17:43:00Z` in Los Angeles: "30 Aug 2026", "10:43", "PDT". When the place has no known zone, the API sends
 * a source's local time as if it were UTC; then it is shown as the source wrote it.
 * @param {string} at
 * @param {string | null} zone
 */
export function localParts(at, zone) {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return { day: at, hour: '', zone: '' }
  const known = isKnownZone(zone)
  const timeZone = known && zone !== null ? zone : 'UTC'
  const name = formatOf('en-US', { timeZone, timeZoneName: 'short' })
    .formatToParts(date)
    .find(({ type }) => type === 'timeZoneName')
  return {
    day: dayIn(date, timeZone),
    hour: formatOf('en-GB', { ...hour, timeZone }).format(date),
    zone: known ? (name?.value ?? timeZone) : 'zone unknown',
  }
}

/**
 * @param {string} at
 * @param {string | null} zone
 * @param {{readonly isDay?: boolean}} [options] `isDay`: only the day was said
 */
export function localTime(at, zone, { isDay = false } = {}) {
  const parts = localParts(at, zone)
  const title = isDay ? 'Only the day was said.' : `${at} (UTC)${zone === null ? '' : `, shown in ${zone}`}`
  return h(
    'time',
    { datetime: at, title },
    h('span', { class: 'day' }, parts.day),
    !isDay && [' ', h('span', { class: 'hour' }, parts.hour), ' ', h('span', { class: 'zone' }, parts.zone)],
  )
}

/**
 * A time of our own action (read, refreshed, stopped), in UTC.
 * @param {string} at
 */
export function ourTime(at) {
  return localTime(at, 'UTC')
}

/**
 * The day of a free-time limit. The API sends it as midnight at the place, so the first zone is used in which it is
 * midnight.
 * @param {string} at
 * @param {readonly (string | null)[]} zones
 */
export function dayOfMidnight(at, zones) {
  const zone = zones.find((each) => isKnownZone(each) && localParts(at, each).hour === '00:00') ?? 'UTC'
  return localTime(at, zone, { isDay: true })
}

/**
 * "3 d later than first said", or null when it moved by less than an hour.
 * @param {string | null} at
 * @param {string | null} original
 */
export function slipOf(at, original) {
  if (at === null || original === null) return null
  const hours = Math.round((Date.parse(at) - Date.parse(original)) / 3_600_000)
  if (Number.isNaN(hours) || hours === 0) return null
  const size = Math.abs(hours)
  const amount = size < 48 ? `${size} h` : `${Math.round(size / 24)} d`
  return `${amount} ${hours > 0 ? 'later' : 'earlier'} than first said`
}
