/** Changes in words, one sentence each, such as "Arrival at Los Angeles moved from Thu 3 to Sun 6 Dec, says ONE". */

import type { Fee, Hold } from '../statements/observation.ts'
import { localDateIn } from '../values/time.ts'
import { writeWithOffset } from '../values/time-zone.ts'
import { nameDay } from '../view/day-count.ts'
import { moveWords } from './move-words.ts'

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
 * `expected`: a time that is ahead. `day`: a day that is a limit. `happened`: a move. `sentence`: nothing
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
  const sentence = sentenceOf(change)
  return sentence === null ? null : `${sentence}${change.by === null ? '' : `, says ${change.by}`}`
}

/** The parts of the sentence that sources wrote. The place and the name of the source are ours. */
export function foreignIn({ attribute, before, after }: WordedChange): readonly string[] {
  if (attribute === 'holds_at_pod_terminal')
    return [before, after].flatMap((holds) => listOf<Hold>(holds).flatMap(({ name }) => [name, nameOf(name)]))
  if (attribute === 'fees_at_pod_terminal')
    return listOf<WireFee>(after).flatMap(({ type, currency_code: currency }) => [type.replaceAll('_', ' '), currency])
  return rowOf(attribute)?.[0] === 'value' ? [before ?? '', after ?? ''].map(String) : []
}

function sentenceOf(change: WordedChange): string | null {
  const { attribute, before = null, after = null } = change
  if (attribute === 'holds_at_pod_terminal') return holdsText(before, after)
  if (attribute === 'fees_at_pod_terminal') return feesText(after)
  if (attribute === 'available_for_pickup')
    return after === true ? 'Can be picked up' : before === true ? 'Can no longer be picked up' : null
  const row = rowOf(attribute)
  if (row === null) return null
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

function rowOf(attribute: string): Row | null {
  if (Object.hasOwn(moveWords, attribute)) return ['happened', moveWords[attribute] ?? '']
  return Object.hasOwn(table, attribute) ? (table[attribute] ?? null) : null
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
  const [from, to] = [dayOf(before, clock), dayOf(after, clock)]
  if (from === to && !isDay) return `${name} on ${to} moved from ${hourOf(before, clock)} to ${hourOf(after, clock)}`
  const [weekday, day, ...month] = from.split(' ')
  return `${name} moved from ${to.endsWith(` ${month.join(' ')}`) ? `${weekday} ${day}` : from} to ${to}`
}

type Clock = Pick<WordedChange, 'at' | 'timeZone'>

/** "Sun 6 Dec 18:00". */
function whenText(instant: string, isDay: boolean, clock: Clock): string {
  return isDay ? dayOf(instant, clock) : `${dayOf(instant, clock)} ${hourOf(instant, clock)}`
}

function dayOf(instant: string, { at, timeZone }: Clock): string {
  return nameDay(localDateIn(instant, timeZone), localDateIn(at, timeZone))
}

function hourOf(instant: string, { timeZone }: Clock): string {
  return writeWithOffset(instant, timeZone).slice(11, 16)
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
