/** The status codes that the writer knows, and how it writes places, times and the data beside a status. */

import type { Said, SaidEvent, SaidHold, SaidName, SaidTime, SaidValues } from './said.ts'
import type { X12Journey } from './x12-journey.ts'

type Words = X12Journey['words']
type Happened = Pick<SaidEvent, 'classifier' | 'code' | 'load' | 'mode'>

const ofShips: Readonly<Record<string, string>> = {
  'LOAD VESSEL': 'AE',
  'LOAD BARGE': 'AO',
  'DEPA VESSEL': 'VD',
  'ARRI VESSEL': 'VA',
  'DISC VESSEL': 'UV',
}
const ofTrains: Readonly<Record<string, string>> = {
  'LOAD RAIL': 'AL',
  'DEPA RAIL': 'RL',
  'ARRI RAIL': 'AR',
  'DISC RAIL': 'UR',
}

/** Null for an event without a code in this dialect. For an estimate, the code includes the qualifier of its date. */
export function statusOfEvent({ classifier, code, load, mode }: Happened, words: Words): string | null {
  const what = `${code} ${mode}`
  if (classifier === 'PLN') return null
  if (classifier === 'EST') {
    if (words === 'rail' || mode !== 'VESSEL') return null
    return code === 'ARRI' ? 'T 371' : code === 'DEPA' ? 'T 369' : null
  }
  if (code === 'AVPU') return words === 'rail' ? 'NT' : 'AV'
  if (code === 'GTOT') return load === 'EMPTY' ? 'EE' : 'OA'
  if (code === 'GTIN') return load === 'EMPTY' && words !== 'rail' ? 'RD' : words === 'rail' ? 'GI' : 'I'
  return (words === 'rail' ? undefined : ofShips[what]) ?? ofTrains[what] ?? null
}

/** Key: name and status of the hold. The description must be the code's own. */
const holds: Readonly<Record<string, { readonly code: string; readonly description: string }>> = {
  'freight hold': { code: 'FD', description: 'freight is due' },
  'freight released': { code: 'CR', description: 'released by the carrier' },
  'customs hold': { code: 'PA', description: 'intensive customs examination' },
  'customs released': { code: 'CT', description: 'released by customs' },
  'USDA hold': { code: 'PW', description: 'held for fumigation' },
}

export function statusOfHold({ name, status, description }: SaidHold, words: Words): string | null {
  const known = holds[`${name} ${status}`]
  if (known === undefined || known.description !== description || words === 'rail') return null
  return known.code === 'FD' && words !== 'terminal' ? null : known.code
}

/** The code and the time of a statement that is sent alone. */
export function statusOf(told: Said, words: Words): { readonly code: string; readonly time: SaidTime } {
  if (told.kind === 'event') return { code: statusOfEvent(told, words) ?? 'ZZ', time: told.time }
  switch (told.fact) {
    case 'hold':
      return { code: statusOfHold(told.value, words) ?? 'ZZ', time: anyDay }
    case 'available':
      return { code: 'DN', time: anyDay }
    case 'pickup_appointment':
      return { code: 'AA', time: told.value }
    case 'pickup_lfd_line':
    case 'pickup_lfd_terminal':
    case 'pickup_lfd_rail':
      return { code: 'NF', time: told.value }
    default:
      return { code: 'ZZ', time: anyDay }
  }
}

/**
 * Used for a statement without a moment of its own. A day alone cannot be mistaken for the moment at which it was said.
 */
const anyDay: SaidTime = { kind: 'day', on: '2026-01-01' }

export interface WrittenTime {
  readonly date: string
  readonly time: string
  /** A code of element 623. */
  readonly zone: string
}

export function writeClock(time: SaidTime): WrittenTime {
  const text = time.kind === 'day' ? time.on : time.kind === 'local' ? time.local : time.at
  const date = text.slice(0, 10).replaceAll('-', '')
  if (time.kind === 'day') return { date, time: '', zone: '' }
  return { date, time: text.slice(11, 19).replaceAll(':', ''), zone: time.kind === 'local' ? 'LT' : 'UT' }
}

/** The value of the last statement of this fact. */
export function lastOf<Name extends SaidName>(journey: X12Journey, name: Name): SaidValues[Name] | null {
  const said = journey.said.findLast((each) => each.kind === 'fact' && each.fact === name)
  return said?.kind === 'fact' ? (said.value as SaidValues[Name]) : null
}

export function referencesOf({ bill, booking }: X12Journey): readonly (readonly string[])[] {
  return [...(bill === null ? [] : [['N9', 'BM', bill]]), ...(booking === null ? [] : [['N9', 'BN', booking]])]
}

/** A place by its code, in a role: `L`, `D`, `E`, `T`, `5`. */
export function writePlace(
  role: string,
  place: { readonly unlocode: string | null; readonly name: string | null },
): readonly string[] {
  return ['R4', role, 'UN', place.unlocode ?? '', place.name ?? '', place.unlocode?.slice(0, 2) ?? '']
}
