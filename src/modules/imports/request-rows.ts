/**
 * Reads each row of a table as a tracking request, or states why it cannot be one and which field is at fault. Pure:
 * queries neither the database nor a line.
 */

import type { ColumnMap } from '../../connectors/spreadsheets/column-map.ts'
import {
  type FieldTexts,
  type FoundColumns,
  fieldsOf,
  isCellError,
} from '../../connectors/spreadsheets/find-columns.ts'
import { headingKey, requestFields, type TableField } from '../../connectors/spreadsheets/headings.ts'
import { type RequestType, requestTypes } from '../../domain/tracking-requests/tracking-request-state.ts'
import { isContainerNumber, removeInvisibleCharacters, testScac } from '../../domain/values/identifiers.ts'
import { type NumberReading, readNumber } from '../../inference/number.ts'
import { numberTypeOf } from '../../inference/validation.ts'
import { findNamedLine } from '../../reference/named-lines.ts'
import { compactNumber, findShippingLine } from '../../reference/shipping-lines.ts'
import { canTrackBy } from '../carriers/request-types.ts'
import { numberKey } from '../tracking-requests/extract-number.ts'
import type { BatchItemInput } from '../tracking-requests/make-item.ts'
import type { ItemError } from '../tracking-requests/request-batches-sql.ts'
import type { NewImportRow } from './imports-sql.ts'

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
    const common = { rowNumber: row.number, read: toDisplayedFields(texts), numberField: read.numberField }
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
function keyOf({ scac, requestType, requestNumber }: BatchItemInput): string | null {
  if (scac === testScac) return null
  return JSON.stringify([scac, requestType, numberKey(requestNumber)])
}

function toDisplayedFields(texts: FieldTexts): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...texts].map(([field, values]) => [
      field,
      field === 'ref_numbers' || field === 'shipment_tags' ? values : values[0],
    ]),
  )
}

type RowReading =
  | { readonly ok: true; readonly input: BatchItemInput; readonly numberField: TableField }
  | { readonly ok: false; readonly errors: readonly ItemError[]; readonly numberField: TableField | null }

/** Notes an error. The field becomes its `pointer`. */
type FieldErrorReporter = (field: TableField, detail: string, code?: string) => null

function readRow(texts: FieldTexts, map: ColumnMap): RowReading {
  const errors: ItemError[] = []
  const reportError: FieldErrorReporter = (field, detail, code = 'invalid') => {
    errors.push({ code, detail, pointer: field })
    return null
  }
  for (const field of requestFields)
    if (texts.get(field)?.some(isCellError))
      reportError(field, 'The cell shows an error of the spreadsheet instead of a value.')
  const scac = readLine(texts, map, reportError)
  const number = chooseNumber(texts, { scac, trackBy: map.trackBy, isDetecting: map.detectsLine }, reportError)
  if (number !== null && number.text.length > numberCharactersMax)
    reportError(number.field, `No number is longer than ${numberCharactersMax} characters.`)
  const refNumbers = readList(texts, 'ref_numbers', reportError)
  const shipmentTags = readList(texts, 'shipment_tags', reportError)
  const numberField = number?.field ?? null
  if (number === null || errors.length > 0) return { ok: false, errors, numberField }
  const commonInput = {
    requestNumber: number.text,
    refNumbers,
    shipmentTags,
    customerId: null,
    initialFields: null,
  }
  if (scac === '' || scac === null) {
    return {
      ok: true,
      numberField: number.field,
      input: { ...commonInput, requestType: number.type, scac: null },
    }
  }
  if (number.type === null) {
    reportError('request_type', 'Give the kind of this number, or use one column for each kind.')
    return { ok: false, errors, numberField }
  }
  return { ok: true, numberField: number.field, input: { ...commonInput, requestType: number.type, scac } }
}

/** The SCAC. Empty when no line is named and the line is to be detected. Null after a fault. */
function readLine(texts: FieldTexts, map: ColumnMap, reportError: FieldErrorReporter): string | null {
  const text = texts.get('scac')?.[0] ?? map.scac ?? ''
  if (text === '') {
    if (map.detectsLine) return ''
    return reportError(
      'scac',
      'The shipping line is missing: give it in the row or for the whole table, or let Landfall find it (`auto_detect_vocc_scac`).',
    )
  }
  if (text.toUpperCase() === testScac) return testScac
  const named = findNamedLine(text)
  if (named.kind === 'line') return named.line.scac
  const unknown = `No shipping line with the SCAC or name ${text.slice(0, 40)} can be tracked.`
  return reportError('scac', named.kind === 'several' ? named.detail : unknown, 'unknown_scac')
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
  of: { readonly scac: string | null; readonly trackBy: readonly RequestType[]; readonly isDetecting: boolean },
  reportError: FieldErrorReporter,
): ChosenNumber | null {
  const statedNumber = removeInvisibleCharacters(texts.get('request_number')?.[0] ?? '')
  if (statedNumber !== '')
    return {
      field: 'request_number',
      text: statedNumber,
      type: readType(texts, statedNumber, of, reportError),
    }
  const present = of.trackBy.flatMap((type): readonly ChosenNumber[] => {
    const field = fieldOfType[type]
    const text = texts.get(field)?.[0]
    return text === undefined ? [] : [{ field, text: removeInvisibleCharacters(text), type }]
  })
  const line = of.scac === null ? null : findShippingLine(of.scac)
  const fitting = present.find(({ type }) => line === null || type === null || canTrackBy(line, type))
  const chosen = fitting ?? present[0]
  if (chosen !== undefined) return chosen
  return reportError('request_number', 'The row has no number to be tracked.')
}

const typesByLabel: Readonly<Record<string, RequestType>> = {
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
 * The kind that the row names. Without that, a number with the check digit of a container is one, and a number in a form
 * of the line has the kind of that form. Others have the likely kind where Landfall may detect what is missing: a line
 * that does not know it under one kind is asked for the others.
 */
function readType(
  texts: FieldTexts,
  number: string,
  { scac, isDetecting }: { readonly scac: string | null; readonly isDetecting: boolean },
  reportError: FieldErrorReporter,
): RequestType | null {
  const typeLabel = texts.get('request_type')?.[0]
  if (typeLabel === undefined) {
    const tidied = compactNumber(null, number)
    if (isContainerNumber(tidied)) return 'container'
    if (isDetecting && scac === '') return null
    const reading = readNumber(number)
    if (reading !== null && (isDetecting || isInFormOf(reading, scac))) {
      const type = numberTypeOf(reading, scac)
      return type === 'booking' ? 'booking_number' : type
    }
    return reportError('request_type', 'Give the kind of this number, or use one column for each kind.')
  }
  const type = typesByLabel[headingKey(typeLabel)]
  return type ?? reportError('request_type', `This must be one of ${requestTypes.join(', ')}.`)
}

function isInFormOf(reading: NumberReading, scac: string | null): boolean {
  return reading.kind === 'shipment' && reading.formats.some((format) => format.scac === scac)
}

function readList(
  texts: FieldTexts,
  field: 'ref_numbers' | 'shipment_tags',
  reportError: FieldErrorReporter,
): readonly string[] {
  const values = texts.get(field) ?? []
  if (values.length > shortTextsMax) reportError(field, `A row has at most ${shortTextsMax} values in this field.`)
  if (values.some((each) => each.length > shortTextCharactersMax))
    reportError(field, `A value in this field has more than ${shortTextCharactersMax} characters.`)
  return values
}
