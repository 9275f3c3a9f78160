/** How the values of the notation are written and read: times, places, vessels, and the facts' values. */

import type {
  FactName,
  FactObservation,
  FactValues,
  ObservedPlace,
  ObservedVessel,
} from '../statements/observation.ts'
import { facilityTypes } from '../values/codes.ts'
import { isImoNumber, isUnLocode } from '../values/identifiers.ts'
import { type EventTime, parseEventTime } from '../values/time.ts'
import { unreachable } from '../values/unreachable.ts'
import {
  parseFee,
  parseFeeWord,
  parseHold,
  parseHoldWord,
  writeFee,
  writeFeeWord,
  writeHold,
} from './notation-charges.ts'
import {
  codeOrNull,
  cutAt,
  NotationProblem,
  parseCode,
  parseGivenWord,
  parseList,
  parseNumber,
  parseWord,
  type Token,
  wordOrNull,
  writeWord,
} from './notation-words.ts'

/** Seconds and milliseconds only where they are not zero. */
export function writeTime(time: EventTime): string {
  switch (time.kind) {
    case 'instant':
      return time.at.replace(/(?::00)?\.000Z$/, 'Z')
    case 'local':
      return time.local.replace(/(T\d\d:\d\d):00$/, '$1')
    case 'day':
      return time.on
    default:
      return unreachable(time)
  }
}

export function parseTime(token: Token): EventTime {
  const time = parseEventTime(token.text)
  if (time === null) throw new NotationProblem(token.column, `${token.text} is not a time`)
  return time
}

export function writeInstant(at: string): string {
  return writeTime({ kind: 'instant', at })
}

export function parseInstant(token: Token): string {
  const time = parseTime(token)
  if (time.kind !== 'instant') throw new NotationProblem(token.column, `${token.text} lacks its zone`)
  return time.at
}

/** The zone that a place has by default, which a line need not repeat. */
export type TimeZoneOf = (unlocode: string) => string | null

export function writePlaceCode(place: ObservedPlace): string {
  return writeWord(place.unlocode, isUnLocode)
}

/** What a line says of a place beside its code: `at=`, `terminal=`, `site=`, `name=`, `zone=`. */
export function writePlaceDetails(place: ObservedPlace, timeZoneOf: TimeZoneOf): readonly string[] {
  const words: string[] = []
  if (place.facilityCode !== null) words.push(`at=${writeWord(place.facilityCode)}`)
  if (place.terminalId !== null) words.push(`terminal=${writeWord(place.terminalId)}`)
  if (place.facilityType !== null) words.push(`site=${place.facilityType}`)
  if (place.name !== null) words.push(`name=${JSON.stringify(place.name)}`)
  const usualZone = place.unlocode === null ? null : timeZoneOf(place.unlocode)
  if (place.timeZone !== usualZone) words.push(`zone=${writeWord(place.timeZone)}`)
  return words
}

/** Takes a `key=value` token out of the line; null when the line has none of that key. */
export type Take = (key: string) => Token | null

export function parsePlace(code: Token, take: Take, timeZoneOf: TimeZoneOf): ObservedPlace {
  const unlocode = parseWord(code, isUnLocode)
  const zone = take('zone')
  const usualZone = unlocode === null ? null : timeZoneOf(unlocode)
  return {
    unlocode,
    terminalId: wordOrNull(take('terminal')),
    facilityCode: wordOrNull(take('at')),
    facilityType: codeOrNull(take('site'), facilityTypes),
    name: wordOrNull(take('name')),
    timeZone: zone === null ? usualZone : parseWord(zone),
  }
}

/** `9321483/"King of the Seas"`; `-` for a number or name that nobody said. */
export function writeVessel(vessel: ObservedVessel): string {
  const imo = writeWord(vessel.imo, isImoNumber)
  return vessel.name === null ? imo : `${imo}/${JSON.stringify(vessel.name)}`
}

export function parseVessel(token: Token): ObservedVessel {
  const [imo = token, name = null] = cutAt(token, '/', 2)
  return { imo: parseWord(imo, isImoNumber), name: wordOrNull(name) }
}

type FactShape =
  | 'word'
  | 'number'
  | 'time'
  | 'time_or_none'
  | 'holds'
  | 'fees'
  | 'hold'
  | 'fee'
  | 'boolean'
  | 'place'

const factShapes = {
  size_type: 'word',
  weight_kg: 'number',
  seal_number: 'word',
  pickup_lfd_line: 'time',
  pickup_lfd_terminal: 'time',
  pickup_lfd_rail: 'time',
  pickup_appointment: 'time',
  holds: 'holds',
  fees: 'fees',
  hold: 'hold',
  fee: 'fee',
  available: 'boolean',
  yard_location: 'word',
  chassis_number: 'word',
  pod_terminal: 'place',
  port_of_loading: 'place',
  port_of_discharge: 'place',
  place_of_delivery: 'place',
  undated_arrival: 'place',
  undated_departure: 'place',
  bill_of_lading_number: 'word',
  booking_number: 'word',
  booking_cancelled: 'boolean',
  pod_rail_carrier: 'word',
  destination_rail_carrier: 'word',
  pickup_number: 'word',
  empty_return_place: 'place',
  empty_return_by: 'time',
  general_order_at: 'time',
  it_number: 'word',
  vgm_cut_off: 'time',
  documentation_cut_off: 'time',
  cargo_cut_off: 'time',
  delivered: 'time_or_none',
} as const satisfies Readonly<Record<FactName, FactShape>>

export const factNames: readonly FactName[] = Object.keys(factShapes) as FactName[]

/** The value of a fact as one word; of a place, its code (the details follow as `key=value`). */
export function writeFactValue(fact: FactObservation): string {
  switch (fact.fact) {
    case 'weight_kg':
      return String(fact.value)
    case 'holds':
      return `[${fact.value.map(writeHold).join(', ')}]`
    case 'fees':
      return `[${fact.value.map(writeFee).join(', ')}]`
    case 'hold':
      return writeHold(fact.value)
    case 'fee':
      return writeFeeWord(fact.value)
    case 'available':
    case 'booking_cancelled':
      return String(fact.value)
    case 'pod_terminal':
    case 'port_of_loading':
    case 'port_of_discharge':
    case 'place_of_delivery':
    case 'undated_arrival':
    case 'undated_departure':
    case 'empty_return_place':
      return writePlaceCode(fact.value)
    case 'pickup_lfd_line':
    case 'pickup_lfd_terminal':
    case 'pickup_lfd_rail':
    case 'pickup_appointment':
    case 'empty_return_by':
    case 'general_order_at':
    case 'vgm_cut_off':
    case 'documentation_cut_off':
    case 'cargo_cut_off':
      return writeTime(fact.value)
    case 'delivered':
      return fact.value === null ? '-' : writeTime(fact.value)
    case 'size_type':
    case 'seal_number':
    case 'yard_location':
    case 'chassis_number':
    case 'bill_of_lading_number':
    case 'booking_number':
    case 'pod_rail_carrier':
    case 'destination_rail_carrier':
    case 'pickup_number':
    case 'it_number':
      return writeWord(fact.value)
    default:
      return unreachable(fact)
  }
}

export function parseFactValue(
  fact: FactName,
  token: Token,
  take: Take,
  timeZoneOf: TimeZoneOf,
): FactValues[FactName] {
  const shape: FactShape = factShapes[fact]
  switch (shape) {
    case 'word':
      return parseGivenWord(token)
    case 'number':
      return parseNumber(token)
    case 'time':
      return parseTime(token)
    case 'time_or_none':
      return token.text === '-' ? null : parseTime(token)
    case 'holds':
      return parseList(token).map(parseHold)
    case 'fees':
      return parseList(token).map(parseFee)
    case 'hold':
      return parseHoldWord(token)
    case 'fee':
      return parseFeeWord(token)
    case 'boolean':
      return parseCode(token, ['true', 'false']) === 'true'
    case 'place':
      return parsePlace(token, take, timeZoneOf)
    default:
      return unreachable(shape)
  }
}
