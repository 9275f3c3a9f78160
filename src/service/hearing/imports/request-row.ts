/**
 * Reads each row of a table as a tracking request, or says why it cannot be one and which field is at fault. Pure: asks
 * neither the database nor a line.
 */

import { type RequestType, requestTypes } from '../../../core/requests/tracking-request-state.ts'
import { isContainerNumber, testScac } from '../../../core/values/identifiers.ts'
import { allShippingLines, findShippingLine, tidyNumber } from '../../../reference/shipping-lines.ts'
import type { ColumnMap } from '../../../sources/tables/column-map.ts'
import {
  type FieldTexts,
  type FoundColumns,
  fieldsOf,
  isCellError,
} from '../../../sources/tables/find-columns.ts'
import { headingKey, requestFields, type TableField } from '../../../sources/tables/headings.ts'
import type { NewImportRow } from '../../../store/tracking/imports.ts'
import type { ItemError } from '../../../store/tracking/request-batches.ts'
import { tracks } from '../../knowing/shipping-lines/asked-by.ts'
import type { ItemInput } from '../../tracking/batches/make-item.ts'

const numberCharactersMax = 40
const shortTextsMax = 100
const shortTextCharactersMax = 200

/** Reads every row that has something in a known column. A number that comes again is a duplicate of its first row. */
export function readRequestRows(found: FoundColumns, map: ColumnMap): readonly NewImportRow[] {
  const first = new Map<string, number>()
  return found.rows.flatMap((row): readonly NewImportRow[] => {
    const texts = fieldsOf(row, found.columns)
    if (texts.size === 0) return []
    const read = readRow(texts, map)
    const common = { rowNumber: row.number, read: shown(texts), numberField: read.numberField }
    if (!read.ok) return [{ ...common, input: null, errors: read.errors }]
    const key = keyOf(read.input)
    const before = key === null ? undefined : first.get(key)
    if (before !== undefined) {
      const detail = `Row ${before} of this file asks for the same number.`
      const errors = [{ code: 'duplicate', detail, pointer: read.numberField, meta: { row: before } }]
      return [{ ...common, input: read.input, errors }]
    }
    if (key !== null) first.set(key, row.number)
    return [{ ...common, input: read.input, errors: null }]
  })
}

/** The same for the same number of the same line. Null for test numbers, which may be repeated. */
function keyOf({ scac, requestType, requestNumber }: ItemInput): string | null {
  if (scac === testScac) return null
  return JSON.stringify([scac, requestType, tidyNumber(null, requestNumber)])
}

function shown(texts: FieldTexts): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...texts].map(([field, values]) => [
      field,
      field === 'ref_numbers' || field === 'shipment_tags' ? values : values[0],
    ]),
  )
}

type RowReading =
  | { readonly ok: true; readonly input: ItemInput; readonly numberField: TableField }
  | { readonly ok: false; readonly errors: readonly ItemError[]; readonly numberField: TableField | null }

/** Notes an error. The field becomes its `pointer`. */
type Tell = (field: TableField, detail: string, code?: string) => null

function readRow(texts: FieldTexts, map: ColumnMap): RowReading {
  const errors: ItemError[] = []
  const tell: Tell = (field, detail, code = 'invalid') => {
    errors.push({ code, detail, pointer: field })
    return null
  }
  for (const field of requestFields)
    if (texts.get(field)?.some(isCellError))
      tell(field, 'The cell shows an error of the spreadsheet instead of a value.')
  const scac = readLine(texts, map, tell)
  const number = chooseNumber(
    texts,
    { scac, trackBy: map.trackBy, isFound: map.detectsLine && scac === '' },
    tell,
  )
  if (number !== null && number.text.length > numberCharactersMax)
    tell(number.field, `No number is longer than ${numberCharactersMax} characters.`)
  const refNumbers = readList(texts, 'ref_numbers', tell)
  const shipmentTags = readList(texts, 'shipment_tags', tell)
  const numberField = number?.field ?? null
  if (number === null || errors.length > 0) return { ok: false, errors, numberField }
  const rest = { requestNumber: number.text, refNumbers, shipmentTags, customerId: null, initialFields: null }
  if (scac === '' || scac === null) {
    return { ok: true, numberField: number.field, input: { ...rest, requestType: number.type, scac: null } }
  }
  if (number.type === null) {
    tell('request_type', 'Say what kind of number this is, or have a column for each kind.')
    return { ok: false, errors, numberField }
  }
  return { ok: true, numberField: number.field, input: { ...rest, requestType: number.type, scac } }
}

/** The SCAC. Empty when no line is named and the line is to be detected. Null after a fault. */
function readLine(texts: FieldTexts, map: ColumnMap, tell: Tell): string | null {
  const text = texts.get('scac')?.[0] ?? map.scac ?? ''
  if (text === '') {
    if (map.detectsLine) return ''
    return tell(
      'scac',
      'The shipping line is needed: in the row, for the whole table, or to be found (`auto_detect_vocc_scac`).',
    )
  }
  if (text.toUpperCase() === testScac) return testScac
  const line = findShippingLine(text) ?? findByName(text)
  if (line !== null) return line.scac
  return tell(
    'scac',
    `No shipping line with the SCAC or name ${text.slice(0, 40)} can be tracked.`,
    'unknown_scac',
  )
}

/** Finds a line by its whole name, as our list has it. A name that is only similar is not enough. */
function findByName(text: string): ReturnType<typeof findShippingLine> {
  const key = headingKey(text)
  const named = allShippingLines().filter(({ name, shortName }) =>
    [name, shortName].some((each) => headingKey(each) === key),
  )
  return named.length === 1 ? (named[0] ?? null) : null
}

interface ChosenNumber {
  readonly field: TableField
  readonly text: string
  /** Null when the kind is to be detected together with the line. */
  readonly type: RequestType | null
}

const fieldOfType = {
  bill_of_lading: 'bill_of_lading_number',
  booking_number: 'booking_number',
  container: 'container_number',
} as const

/** Of several numbers in a row, chooses the first in the order of `trackBy` by which the line can be tracked. */
function chooseNumber(
  texts: FieldTexts,
  of: { readonly scac: string | null; readonly trackBy: readonly RequestType[]; readonly isFound: boolean },
  tell: Tell,
): ChosenNumber | null {
  const own = texts.get('request_number')?.[0]
  if (own !== undefined)
    return { field: 'request_number', text: own, type: readType(texts, own, of.isFound, tell) }
  const present = of.trackBy.flatMap((type): readonly ChosenNumber[] => {
    const field = fieldOfType[type]
    const text = texts.get(field)?.[0]
    return text === undefined ? [] : [{ field, text, type }]
  })
  const line = of.scac === null ? null : findShippingLine(of.scac)
  const fitting = present.find(({ type }) => line === null || type === null || tracks(line, type))
  const chosen = fitting ?? present[0]
  if (chosen !== undefined) return chosen
  return tell('request_number', 'The row has no number to be tracked.')
}

const typeWords: Readonly<Record<string, RequestType>> = {
  container: 'container',
  box: 'container',
  cntr: 'container',
  'bill of lading': 'bill_of_lading',
  bill: 'bill_of_lading',
  bl: 'bill_of_lading',
  bol: 'bill_of_lading',
  mbl: 'bill_of_lading',
  'master bill of lading': 'bill_of_lading',
  booking: 'booking_number',
  bkg: 'booking_number',
}

/**
 * The kind that the row names. Without that, a number with the check digit of a container is one; other kinds are not
 * known.
 */
function readType(texts: FieldTexts, number: string, isFound: boolean, tell: Tell): RequestType | null {
  const said = texts.get('request_type')?.[0]
  if (said === undefined) {
    const tidied = tidyNumber(null, number)
    if (isContainerNumber(tidied)) return 'container'
    return isFound
      ? null
      : tell('request_type', 'Say what kind of number this is, or have a column for each kind.')
  }
  const type = typeWords[headingKey(said)]
  return type ?? tell('request_type', `This must be one of ${requestTypes.join(', ')}.`)
}

function readList(texts: FieldTexts, field: 'ref_numbers' | 'shipment_tags', tell: Tell): readonly string[] {
  const values = texts.get(field) ?? []
  if (values.length > shortTextsMax) tell(field, `A row has at most ${shortTextsMax} of these.`)
  if (values.some((each) => each.length > shortTextCharactersMax))
    tell(field, `One of these has more than ${shortTextCharactersMax} characters.`)
  return values
}
