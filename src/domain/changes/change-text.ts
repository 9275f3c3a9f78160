/** Changes in words, one sentence each, such as "Arrival at Los Angeles moved from Thu 3 to Sun 6 Dec, says ONE". */

import type { Fee, Hold } from '../statements/observation.ts'

export interface WordedChange {
  /** As `listChanges` names it: an attribute of the API, or an event without its prefix. */
  readonly attribute: string
  readonly before: unknown
  readonly after: unknown
  /** When it became known. A day of another year gets its year. */
  readonly at: string
  readonly timeZone: string | null
  /** Names. */
  readonly place: string | null
  readonly by: string | null
}

/**
 * `expected`: a time that is ahead. `day`: a day that is a limit. `happened`: a time that has passed. `sentence`: nothing
 * but the words.
 */
type Row = readonly [kind: 'expected' | 'day' | 'happened' | 'value' | 'sentence', words: string]

/**
 * `@`: the place. What is not in the table is no change for people: it repeats another one, as `pickup_lfd` repeats the
 * day that its source gave.
 */
const table: Readonly<Record<string, Row>> = {
  pod_eta_at: ['expected', 'Arrival@at'],
  'estimated.vessel_arrived': ['expected', 'Arrival@at'],
  'estimated.vessel_departed': ['expected', 'Departure@from'],
  'estimated.arrived_at_inland_destination': ['expected', 'Arrival@at'],
  pickup_lfd_line: ['day', 'Last free day'],
  pickup_lfd_terminal: ['day', 'Last free day'],
  pickup_lfd_rail: ['day', 'Last free day'],
  pickup_appointment: ['expected', 'Pick-up appointment'],
  pickup_appointment_at: ['expected', 'Pick-up appointment'],
  empty_out: ['happened', 'Empty picked up@at'],
  full_in: ['happened', 'Brought to the terminal@at'],
  vessel_loaded: ['happened', 'Loaded on the ship@at'],
  vessel_departed: ['happened', 'Ship left@'],
  transshipment_arrived: ['happened', 'Ship arrived to hand over@at'],
  transshipment_discharged: ['happened', 'Unloaded to change ship@at'],
  transshipment_loaded: ['happened', 'Loaded on the next ship@at'],
  transshipment_departed: ['happened', 'Next ship left@'],
  feeder_arrived: ['happened', 'Feeder arrived@at'],
  feeder_discharged: ['happened', 'Unloaded from the feeder@at'],
  feeder_loaded: ['happened', 'Loaded on the feeder@at'],
  feeder_departed: ['happened', 'Feeder left@'],
  vessel_arrived: ['happened', 'Ship arrived@at'],
  vessel_berthed: ['happened', 'Ship berthed@at'],
  vessel_discharged: ['happened', 'Unloaded from the ship@at'],
  rail_loaded: ['happened', 'Loaded on the train@at'],
  rail_departed: ['happened', 'Train left@'],
  rail_arrived: ['happened', 'Train arrived@at'],
  rail_unloaded: ['happened', 'Unloaded from the train@at'],
  arrived_at_inland_destination: ['happened', 'Arrived@at'],
  full_out: ['happened', 'Picked up@at'],
  delivered: ['happened', 'Delivered@at'],
  empty_in: ['happened', 'Returned empty@at'],
  available: ['sentence', 'Can be picked up'],
  not_available: ['sentence', 'Can no longer be picked up'],
  vessel: ['value', 'Ship'],
  pod_terminal: ['value', 'Terminal'],
  location_at_pod_terminal: ['value', 'Place in the yard'],
  pod_full_out_chassis_number: ['value', 'Chassis'],
  seal_number: ['value', 'Seal'],
  succeeded: ['sentence', 'The line knows the number, tracking began'],
  failed: ['sentence', 'Could not be tracked'],
  awaiting_manifest: ['sentence', 'The line does not know the number yet'],
  tracking_stopped: ['sentence', 'Tracking ended'],
  created: ['sentence', 'Container added'],
  'charges.started': ['sentence', 'Charges began'],
  'charges.stopped': ['sentence', 'Charges ended'],
  extracted: ['sentence', 'Document read'],
  extraction_failed: ['sentence', 'Document could not be read'],
}

/** Null when people need not read of it. */
export function changeText(change: WordedChange): string | null {
  const said = sentenceOf(change)
  return said === null ? null : `${said}${change.by === null ? '' : `, says ${change.by}`}`
}

function sentenceOf(change: WordedChange): string | null {
  const { attribute, before = null, after = null } = change
  if (attribute === 'holds_at_pod_terminal') return holdsText(before, after)
  if (attribute === 'fees_at_pod_terminal') return feesText(after)
  if (attribute === 'available_for_pickup')
    return after === true ? 'Can be picked up' : before === true ? 'Can no longer be picked up' : null
  const row = Object.hasOwn(table, attribute) ? table[attribute] : undefined
  if (row === undefined) return null
  const [kind, words] = row
  const name = placed(words, change.place)
  if (kind === 'sentence') return name
  if (after === null) return before === null || kind === 'value' ? null : `${name}: withdrawn`
  const show = kind === 'value' ? String : (time: unknown) => whenText(String(time), kind === 'day', change)
  // Another ship or place at the same time.
  if (before === null || before === after) return `${name}${jointOf(kind, words)}${show(after)}`
  if (kind === 'value') return `${name} changed from ${show(before)} to ${show(after)}`
  if (kind === 'happened') return `${name} on ${show(after)}, not on ${show(before)}`
  return movedText(name, String(before), String(after), kind === 'day', change)
}

/** Between the name and the first value. */
function jointOf(kind: Row[0], words: string): string {
  if (kind === 'happened') return ' on '
  return kind === 'expected' && words.includes('@') ? ' expected on ' : ': '
}

/** "Arrival@at" with "Los Angeles": "Arrival at Los Angeles"; without a place "Arrival". */
function placed(words: string, place: string | null): string {
  const [name = '', preposition] = words.split('@')
  return preposition === undefined || place === null ? name : [name, preposition, place].filter(Boolean).join(' ')
}

function movedText(name: string, before: string, after: string, isDay: boolean, clock: Clock): string {
  const [from, to] = [partsOf(before, clock), partsOf(after, clock)]
  const [was, is] = [whenText(before, true, clock), whenText(after, true, clock)]
  if (was === is && !isDay) return `${name} on ${is} moved from ${from.time} to ${to.time}`
  const isSameMonth = from.month === to.month && from.year === to.year
  return `${name} moved from ${isSameMonth ? `${from.weekday} ${from.day}` : was} to ${is}`
}

type Clock = Pick<WordedChange, 'at' | 'timeZone'>

const formats = new Map<string, Intl.DateTimeFormat>()

function partsOf(instant: string, { timeZone }: Pick<Clock, 'timeZone'>) {
  const zone = timeZone ?? 'UTC'
  const made =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
  formats.set(zone, made)
  const parts = Object.fromEntries(made.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]))
  const { weekday = '', day = '', month = '', year = '', hour = '', minute = '' } = parts
  return { weekday, day, month, year, time: `${hour}:${minute}` }
}

/** "Sun 6 Dec 18:00", and "Sun 3 Jan 2027" in another year than that of `at`. */
function whenText(instant: string, isDay: boolean, clock: Clock): string {
  const { weekday, day, month, year, time } = partsOf(instant, clock)
  const isOtherYear = year !== partsOf(clock.at, clock).year
  return [weekday, day, month, ...(isOtherYear ? [year] : []), ...(isDay ? [] : [time])].join(' ')
}

function holdsText(before: unknown, after: unknown): string | null {
  const [was, is] = [listOf<Hold>(before), listOf<Hold>(after)]
  const set = is.filter(({ name, status }) => !was.some((each) => each.name === name && each.status === status))
  const lifted = was.filter(({ name }) => !is.some((each) => each.name === name))
  const texts = [
    ...set.map(({ name, status }) => `${nameOf(name)} hold ${status === 'pending' ? 'announced' : 'set'}`),
    ...lifted.map(({ name }) => `${nameOf(name)} hold lifted`),
  ]
  return texts.length === 0 ? null : texts.join(', ')
}

interface WireFee extends Pick<Fee, 'type' | 'amount'> {
  readonly currency_code: string
}

/** The total is left out beside its parts. */
function feesText(after: unknown): string {
  const fees = listOf<WireFee>(after)
  const parts = fees.filter(({ type }) => type !== 'total')
  const shown = (parts.length === 0 ? fees : parts).map(
    ({ type, amount, currency_code: currency }) => `${type.replaceAll('_', ' ')} ${amount} ${currency}`,
  )
  return shown.length === 0 ? 'No fees any more' : `Fees: ${shown.join(', ')}`
}

function listOf<Item>(list: unknown): readonly Item[] {
  // safe: a changeset has the values that the API shows
  return Array.isArray(list) ? (list as readonly Item[]) : []
}

function nameOf(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
