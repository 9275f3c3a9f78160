/**
 * Reads the named cells of one row of a table. Each fault names its field, and all faults of a row are returned at
 * once.
 */

import { parseEventTime } from '../values/time.ts'

export interface Fault {
  readonly field: string
  /** The end of a sentence that begins with the name of the field: `must be a number of days`. */
  readonly problem: string
}

/** A row as a table or a body gives it. A missing field is an empty one. */
export type Row = Readonly<Record<string, string>>

export interface Cells {
  readonly faults: Fault[]
  text(field: string, lengthMax?: number): string | null
  needed(field: string, lengthMax?: number): string
  oneOf<Value extends string>(field: string, values: readonly Value[], otherwise: Value | null): Value
  listOf<Value extends string>(field: string, values: readonly Value[]): readonly Value[]
  list(field: string, pattern: RegExp, what: string): readonly string[]
  count(field: string, otherwise: number | null, max: number): number
  yesNo(field: string, otherwise: boolean): boolean
  day(field: string): string | null
}

const listMax = 200

export function openCells(row: Row): Cells {
  const faults: Fault[] = []
  const fault = (field: string, problem: string) => void faults.push({ field, problem })
  const cell = (field: string) => (row[field] ?? '').trim()
  const listEntries = (field: string): readonly string[] => {
    const found = cell(field)
      .split(/[\s|]+/)
      .filter((entry) => entry !== '')
    if (found.length > listMax) fault(field, `has more than ${listMax} entries`)
    return found.slice(0, listMax)
  }
  const cells: Cells = {
    faults,
    text: (field, lengthMax = 200) => {
      const text = cell(field)
      if (text.length > lengthMax) fault(field, `is longer than ${lengthMax} characters`)
      return text === '' ? null : text.slice(0, lengthMax)
    },
    needed: (field, lengthMax) => {
      const text = cells.text(field, lengthMax)
      if (text === null) fault(field, 'is needed')
      return text ?? ''
    },
    oneOf: (field, values, otherwise) => {
      const text = cell(field)
      const found = values.find((value) => value === text) ?? (text === '' ? otherwise : null)
      if (found === null) fault(field, `must be one of ${values.join(', ')}`)
      // With a fault the row is refused, so this value is never used.
      return found ?? (values[0] as (typeof values)[number])
    },
    listOf: (field, values) => {
      const known = listEntries(field).flatMap((entry) => values.find((value) => value === entry) ?? [])
      if (known.length < listEntries(field).length) fault(field, `may only have ${values.join(', ')}`)
      return known
    },
    list: (field, pattern, what) => {
      const found = listEntries(field)
      if (!found.every((entry) => pattern.test(entry))) fault(field, `must be a list of ${what}`)
      return found
    },
    count: (field, otherwise, max) => {
      const text = cell(field)
      if (text === '' && otherwise !== null) return otherwise
      const number = /^\d{1,6}$/.test(text) ? Number(text) : null
      if (number === null || number > max) fault(field, `must be a whole number from 0 to ${max}`)
      return number ?? 0
    },
    yesNo: (field, otherwise) => {
      const text = cell(field)
      if (text !== '' && text !== 'yes' && text !== 'no') fault(field, 'must be yes or no')
      return text === '' ? otherwise : text === 'yes'
    },
    day: (field) => {
      const text = cell(field)
      if (text === '') return null
      const isDay = parseEventTime(text)?.kind === 'day'
      if (!isDay) fault(field, 'must be a day, such as 2026-01-31')
      return isDay ? text : null
    },
  }
  return cells
}

export type CellsResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly faults: readonly Fault[] }

/** Faults of a field are returned once. */
export function toCellsResult<Value>({ faults }: Cells, value: Value): CellsResult<Value> {
  if (faults.length === 0) return { ok: true, value }
  const first = faults.filter(({ field }, index) => faults.findIndex((other) => other.field === field) === index)
  return { ok: false, faults: first }
}

/** The account's own name of terms or of a calendar. */
export const codePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
