/**
 * A column map: which heading of an account's own tables is which field, and how its days, weights and numbers are
 * written.
 */

import { type RequestType, requestTypes } from '../../domain/tracking-requests/tracking-request-state.ts'
import { isOneOf } from '../../domain/values/codes.ts'
import { isObject } from '../../domain/values/json-value.ts'
import { listFields, type TableField, tableFields } from './headings.ts'

export const dayFormats = ['YYYY-MM-DD', 'DD/MM/YYYY', 'MM/DD/YYYY'] as const
export type DayFormat = (typeof dayFormats)[number]
export const weightUnits = ['kg', 'lb'] as const
export const decimalMarks = ['.', ','] as const
export type WeightUnit = (typeof weightUnits)[number]

export interface ColumnMap {
  /**
   * Headings by field. Null: the field is never read, whatever the headings. A field that is not named is found by its
   * usual headings.
   */
  readonly columns: Readonly<Partial<Record<TableField, readonly string[] | null>>>
  readonly sheet: string | null
  /** How days with the month in digits are written. If null, only ISO 8601 and months in letters are read. */
  readonly dayFormat: DayFormat | null
  /** Unit of weights whose heading and cell do not name one. */
  readonly weightUnit: WeightUnit | null
  /** The mark before the fraction: point or comma. If null, `1,200` is refused, because it may be either. */
  readonly decimalMark: '.' | ',' | null
  /** ISO 4217 currency of amounts where neither a column nor the cell names one. */
  readonly currency: string | null
  /** Line of rows that do not name one. */
  readonly scac: string | null
  /** True: rows without a line are tracked too, and the line is inferred. */
  readonly detectsLine: boolean
  /** If a row has several numbers, the first kind in this order is tracked. */
  readonly trackBy: readonly RequestType[]
}

export const trackByDefault: readonly RequestType[] = ['bill_of_lading', 'booking_number', 'container']

export const plainMap: ColumnMap = {
  columns: {},
  sheet: null,
  dayFormat: null,
  weightUnit: null,
  decimalMark: null,
  currency: null,
  scac: null,
  detectsLine: false,
  trackBy: trackByDefault,
}

export interface MapFault {
  /** A JSON pointer into the map. */
  readonly pointer: string
  readonly detail: string
}

export type MapReading =
  | { readonly ok: true; readonly map: ColumnMap }
  | { readonly ok: false; readonly faults: readonly MapFault[] }

/** Reads a map as it is sent and stored. All faults are reported, not only the first. */
export function readColumnMap(value: unknown): MapReading {
  const faults: MapFault[] = []
  const given = isObject(value) ? value : {}
  const fault = (pointer: string, detail: string): null => {
    faults.push({ pointer, detail })
    return null
  }
  const text = (name: string, lengthMax: number): string | null => {
    const each = given[name] ?? null
    if (each === null) return null
    if (typeof each === 'string' && each.trim() !== '' && each.length <= lengthMax) return each.trim()
    return fault(`/${name}`, `This must be a text of at most ${lengthMax} characters.`)
  }
  const choice = <const Value extends string>(name: string, values: readonly Value[]): Value | null => {
    const each = given[name] ?? null
    if (each === null || isOneOf(values, each)) return each
    return fault(`/${name}`, `This must be one of ${values.join(', ')}.`)
  }
  const detectsLine = given['auto_detect_vocc_scac'] ?? false
  if (typeof detectsLine !== 'boolean') fault('/auto_detect_vocc_scac', 'This must be true or false.')
  const currency = text('currency', 3)
  if (currency !== null && !/^[A-Z]{3}$/.test(currency))
    fault('/currency', 'This must be an ISO 4217 code, such as USD.')
  const map: ColumnMap = {
    columns: readColumns(given['columns'] ?? {}, fault),
    sheet: text('sheet', 100),
    dayFormat: choice('day_format', dayFormats),
    weightUnit: choice('weight_unit', weightUnits),
    decimalMark: choice('decimal_mark', decimalMarks),
    currency,
    scac: text('scac', 40),
    detectsLine: detectsLine === true,
    trackBy: readTrackBy(given['track_by'] ?? null, fault),
  }
  return faults.length === 0 ? { ok: true, map } : { ok: false, faults: faults.slice(0, 20) }
}

type ReportFault = (pointer: string, detail: string) => null

function readColumns(value: unknown, fault: ReportFault): ColumnMap['columns'] {
  const columns: Partial<Record<TableField, readonly string[] | null>> = {}
  if (!isObject(value)) {
    fault('/columns', 'This must be an object: headings by field.')
    return columns
  }
  const usedHeadings = new Set<string>()
  for (const [field, given] of Object.entries(value)) {
    const pointer = `/columns/${field.slice(0, 60).replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (!isOneOf(tableFields, field)) {
      fault(pointer, 'There is no field of this name.')
      continue
    }
    if (given === null) {
      columns[field] = null
      continue
    }
    const named = [given].flat()
    if (
      !named.every((each) => typeof each === 'string' && each.trim() !== '' && each.length <= 200) ||
      named.length === 0 ||
      named.length > 20
    ) {
      fault(pointer, 'This must be a heading, a list of headings, or null for a field that is not read.')
      continue
    }
    if (named.length > 1 && !listFields.has(field)) fault(pointer, 'This field must have only one column.')
    const trimmedHeadings = (named as string[]).map((each) => each.trim())
    for (const heading of trimmedHeadings) {
      if (usedHeadings.has(heading.toLowerCase())) fault(pointer, 'This heading is named twice.')
      usedHeadings.add(heading.toLowerCase())
    }
    columns[field] = trimmedHeadings
  }
  return columns
}

function readTrackBy(value: unknown, fault: ReportFault): readonly RequestType[] {
  if (value === null) return trackByDefault
  if (Array.isArray(value) && value.length > 0 && value.length <= 3 && new Set(value).size === value.length) {
    const types = value.filter((each): each is RequestType => isOneOf(requestTypes, each))
    if (types.length === value.length) return types
  }
  fault('/track_by', `This must be a list of ${requestTypes.join(', ')}, each at most once.`)
  return trackByDefault
}
