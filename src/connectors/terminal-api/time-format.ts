/**
 * Formats of times as facilities write them: `yyyy`, `MM`, `dd`, `HH`, `hh`, `mm`, `ss` and `a` (am or pm) with their
 * usual meaning, `M`, `d`, `H`, `h` for one or two digits, `z` for the name of a zone. All other characters are
 * literal. Example: `MM/dd/yyyy HH:mm`.
 */

import { type EventTime, parseEventTime } from '../../domain/values/time.ts'

export interface WrittenTime {
  readonly time: EventTime
  /** The zone name after the time; null where there is none. */
  readonly zoneName: string | null
}

const tokens: Readonly<Record<string, string>> = {
  yyyy: '(?<year>\\d{4})',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  dd: '(?<day>\\d{2})',
  d: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{2})',
  H: '(?<hour>\\d{1,2})',
  hh: '(?<hour>\\d{2})',
  h: '(?<hour>\\d{1,2})',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})',
  a: '(?<half>[AaPp])\\.?[Mm]\\.?',
  z: '(?<zone>[A-Za-z]{1,5})',
}
const tokenPattern = /yyyy|MM|M|dd|d|HH|H|hh|h|mm|ss|a|z|[^A-Za-z]|T/g

/** What is wrong with a format. Null for a valid format, and for null. */
export function findFormatFault(format: string | null): string | null {
  if (format === null) return null
  const parts = format.match(tokenPattern) ?? []
  if (parts.join('') !== format) return 'has unknown letters: use yyyy, MM, M, dd, d, HH, H, hh, h, mm, ss, a and z'
  const has = (name: string) => parts.some((part) => tokens[part]?.includes(`<${name}>`))
  if (!has('year') || !has('month') || !has('day')) return 'must have year, month and day'
  const names = parts.flatMap((part) => /<(\w+)>/.exec(tokens[part] ?? '')?.[1] ?? [])
  return new Set(names).size === names.length ? null : 'has the same part of a time twice'
}

const patterns = new Map<string, RegExp>()

function patternOf(format: string): RegExp {
  const known = patterns.get(format)
  if (known !== undefined) return known
  const parts = format.match(tokenPattern) ?? []
  const source = parts.map((part) => tokens[part] ?? part.replace(/[^A-Za-z0-9]/g, '\\$&')).join('')
  const pattern = new RegExp(`^${source}$`)
  if (patterns.size > 500) patterns.clear()
  patterns.set(format, pattern)
  return pattern
}

/**
 * Reads a time by its format, or as ISO 8601 where the format is null; the name of a zone may follow it. Null for
 * anything else.
 */
export function parseWrittenTime(text: string, format: string | null): WrittenTime | null {
  if (text.length > 60) return null
  if (format === null) {
    const [, plain = text, zoneName = null] = /^(.*\d)\s+([A-Z]{1,5})$/.exec(text) ?? []
    const time = parseEventTime(plain)
    return time === null ? null : { time, zoneName }
  }
  const groups = patternOf(format).exec(text)?.groups
  if (groups === undefined) return null
  const { year, month = '', day = '', hour, minute = '00', second = '00', half, zone = null } = groups
  const on = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = hour === undefined ? '' : `T${hourOf(hour, half)}:${minute}:${second}`
  const time = parseEventTime(on + at)
  return time === null ? null : { time, zoneName: zone }
}

/** 12 am is midnight, 12 pm noon. */
function hourOf(hour: string, half: string | undefined): string {
  if (half === undefined) return hour.padStart(2, '0')
  const isAfternoon = half.toLowerCase() === 'p'
  const of = Number(hour) % 12
  return String(of + (isAfternoon ? 12 : 0)).padStart(2, '0')
}
