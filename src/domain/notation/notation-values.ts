/** How the values of the notation are written and read: times, places, vessels, and the facts' values. */

import { type FactValueKind, factTable } from '../statements/facts.ts'
import type {
  FactName,
  FactObservation,
  FactValues,
  FactValueTypes,
  ObservedPlace,
  ObservedVessel,
} from '../statements/observation.ts'
import { facilityTypes } from '../values/codes.ts'
import { isImoNumber, isUnLocode } from '../values/identifiers.ts'
import { type EventTime, parseEventTime } from '../values/time.ts'
import { unreachable } from '../values/unreachable.ts'
import {
  parseFee,
  parseFeeStatement,
  parseHold,
  parseHoldStatement,
  writeFee,
  writeFeeStatement,
  writeHold,
} from './notation-charges.ts'
import {
  codeOrNull,
  NotationProblem,
  parseCode,
  parseList,
  parseNumber,
  parseOptionalToken,
  parseRequiredToken,
  parseToken,
  splitToken,
  type Token,
  writeToken,
} from './notation-tokens.ts'

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
  return writeToken(place.unlocode, isUnLocode)
}

/** The details of a place in a line beside its code: `at=`, `terminal=`, `site=`, `name=`, `zone=`. */
export function writePlaceDetails(place: ObservedPlace, timeZoneOf: TimeZoneOf): readonly string[] {
  const fields: string[] = []
  if (place.facilityCode !== null) fields.push(`at=${writeToken(place.facilityCode)}`)
  if (place.terminalId !== null) fields.push(`terminal=${writeToken(place.terminalId)}`)
  if (place.facilityType !== null) fields.push(`site=${place.facilityType}`)
  if (place.name !== null) fields.push(`name=${JSON.stringify(place.name)}`)
  const usualZone = place.unlocode === null ? null : timeZoneOf(place.unlocode)
  if (place.timeZone !== usualZone) fields.push(`zone=${writeToken(place.timeZone)}`)
  return fields
}

/** Removes a `key=value` token from the line and returns it; null when the line has none of that key. */
export type TakeAttribute = (key: string) => Token | null

export function parsePlace(code: Token, take: TakeAttribute, timeZoneOf: TimeZoneOf): ObservedPlace {
  const unlocode = parseToken(code, isUnLocode)
  const zone = take('zone')
  const usualZone = unlocode === null ? null : timeZoneOf(unlocode)
  return {
    unlocode,
    terminalId: parseOptionalToken(take('terminal')),
    facilityCode: parseOptionalToken(take('at')),
    facilityType: codeOrNull(take('site'), facilityTypes),
    name: parseOptionalToken(take('name')),
    timeZone: zone === null ? usualZone : parseToken(zone),
  }
}

/** `9321483/"King of the Seas"`; `-` for a number or name that was not stated. */
export function writeVessel(vessel: ObservedVessel): string {
  const imo = writeToken(vessel.imo, isImoNumber)
  return vessel.name === null ? imo : `${imo}/${JSON.stringify(vessel.name)}`
}

export function parseVessel(token: Token): ObservedVessel {
  const [imo = token, name = null] = splitToken(token, '/', 2)
  return { imo: parseToken(imo, isImoNumber), name: parseOptionalToken(name) }
}

const valueWriters: { readonly [Kind in FactValueKind]: (value: FactValueTypes[Kind]) => string } = {
  text: writeToken,
  number: String,
  boolean: String,
  time: writeTime,
  timeOrNull: (time) => (time === null ? '-' : writeTime(time)),
  place: writePlaceCode,
  hold: writeHold,
  holds: (holds) => `[${holds.map(writeHold).join(', ')}]`,
  fee: writeFeeStatement,
  fees: (fees) => `[${fees.map(writeFee).join(', ')}]`,
}

/** The value of a fact as one token; of a place, its code (the details follow as `key=value`). */
export function writeFactValue({ fact, value }: FactObservation): string {
  // The table has the type of the fact's value, so the writer fits.
  const write = valueWriters[factTable[fact].value] as (value: FactValues[FactName]) => string
  return write(value)
}

export function parseFactValue(
  fact: FactName,
  token: Token,
  take: TakeAttribute,
  timeZoneOf: TimeZoneOf,
): FactValues[FactName] {
  const kind: FactValueKind = factTable[fact].value
  switch (kind) {
    case 'text':
      return parseRequiredToken(token)
    case 'number':
      return parseNumber(token)
    case 'time':
      return parseTime(token)
    case 'timeOrNull':
      return token.text === '-' ? null : parseTime(token)
    case 'holds':
      return parseList(token).map(parseHold)
    case 'fees':
      return parseList(token).map(parseFee)
    case 'hold':
      return parseHoldStatement(token)
    case 'fee':
      return parseFeeStatement(token)
    case 'boolean':
      return parseCode(token, ['true', 'false']) === 'true'
    case 'place':
      return parsePlace(token, take, timeZoneOf)
    default:
      return unreachable(kind)
  }
}
