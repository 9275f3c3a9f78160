/**
 * Converts rows of a container table into statements of one speaker about each container. Pure, and never throws. A
 * cell that cannot be read is a fault with its field, and the rest of its row is still read. An empty cell states
 * nothing.
 */

import { isDeepStrictEqual } from 'node:util'
import { type NaturalKeyFact, naturalKeyOf } from '../../domain/statements/natural-key.ts'
import {
  type FactObservation,
  type FeeStatement,
  type Hold,
  type HoldStatement,
  nowhere,
  type Observation,
  type ObservedPlace,
  type SourceKind,
} from '../../domain/statements/observation.ts'
import { type EquipmentReference, parseEquipmentReference } from '../../domain/values/identifiers.ts'
import { resolvePlace } from '../../reference/places.ts'
import { checkDigitFault } from '../container-reference.ts'
import {
  type CellReading,
  parseHoldName,
  readFee,
  readHoldStatus,
  readMoment,
  readWeight,
  readYesNo,
} from './cell-values.ts'
import type { ColumnMap } from './column-map.ts'
import { type FieldTexts, type FoundColumns, fieldsOf, isCellError } from './find-columns.ts'
import { headingKey, type StatementField, type TableField } from './headings.ts'
import { type RowFieldReaders, readRowMoves } from './moves.ts'

export interface RowFault {
  readonly field: TableField
  readonly detail: string
}

export interface RowStatements {
  readonly rowNumber: number
  /** Null when the row has no valid container number: then it states nothing. */
  readonly containerNumber: string | null
  readonly billOfLadingNumber: string | null
  readonly bookingNumber: string | null
  readonly observations: readonly Observation[]
  readonly faults: readonly RowFault[]
}

/**
 * `found`: the result of `findColumns` with `statementFields`. `speaker`: who sent the table; the caller knows that.
 */
export function readStatementRows(
  found: Pick<FoundColumns, 'rows' | 'columns'>,
  map: ColumnMap,
  speaker: SourceKind,
): readonly RowStatements[] {
  const holdColumns = new Set(
    found.columns.flatMap(({ field, heading }) =>
      field !== null && /\bholds?\b/.test(headingKey(heading)) ? [field] : [],
    ),
  )
  return found.rows.flatMap((row) => {
    const texts = fieldsOf(row, found.columns)
    return texts.size === 0 ? [] : [{ rowNumber: row.number, ...readRow({ texts, map, speaker, holdColumns }) }]
  })
}

interface Row {
  readonly texts: FieldTexts
  readonly map: ColumnMap
  readonly speaker: SourceKind
  /** Fields whose heading is a question whether there is a hold. */
  readonly holdColumns: ReadonlySet<TableField>
}

function readRow(row: Row): Omit<RowStatements, 'rowNumber'> {
  const faults: RowFault[] = []
  const text = (field: StatementField): string | null => {
    const value = row.texts.get(field)?.[0] ?? null
    if (value === null || !isCellError(value)) return value
    faults.push({ field, detail: 'The cell shows an error of the spreadsheet instead of a value.' })
    return null
  }
  /** The value of a cell; null where it is empty or has a fault. */
  const read = <Value>(field: StatementField, parse: (cell: string) => CellReading<Value>): Value | null => {
    const cell = text(field)
    if (cell === null) return null
    const reading = parse(cell)
    if (reading.ok) return reading.value
    faults.push({ field, detail: reading.fault })
    return null
  }
  const moment = (field: StatementField) => read(field, (cell) => readMoment(cell, row.map))
  const place = (field: StatementField) => placeOf(text(field))
  const reader: Reader = {
    ...row,
    text,
    read,
    moment,
    place,
    fault: (field, detail) => void faults.push({ field, detail }),
  }
  const containerReference = read('container_number', parseContainerCell)
  const containerNumber = containerReference?.number ?? null
  const checkDigit = containerReference === null ? null : checkDigitFault(containerReference)
  if (checkDigit !== null) reader.fault('container_number', checkDigit)
  const about = {
    billOfLadingNumber: text('bill_of_lading_number'),
    bookingNumber: text('booking_number'),
  }
  if (containerNumber === null) {
    if (faults.length === 0) reader.fault('container_number', 'The row names no container.')
    return { containerNumber, ...about, observations: [], faults: onePerField(faults) }
  }
  const observations = [
    ...factsOf(reader).map((fact) => writeFact(fact, containerNumber)),
    ...readRowMoves(reader, { containerNumber, document: about.billOfLadingNumber ?? about.bookingNumber }),
  ]
  return { containerNumber, ...about, observations, faults: onePerField(faults) }
}

/** Several statements may be made of one cell, so its fault is reported only once. */
function onePerField(faults: readonly RowFault[]): readonly RowFault[] {
  return faults.filter(({ field }, at) => faults.findIndex((each) => each.field === field) === at)
}

interface Reader extends Row, RowFieldReaders {
  readonly text: (field: StatementField) => string | null
  readonly read: <Value>(field: StatementField, parse: (cell: string) => CellReading<Value>) => Value | null
  readonly fault: (field: StatementField, detail: string) => void
}

function parseContainerCell(cell: string): CellReading<EquipmentReference> {
  const parsed = parseEquipmentReference(cell)
  return parsed.ok ? parsed : { ok: false, fault: 'This is not a container number (ISO 6346).' }
}

type Fact = Pick<FactObservation, 'fact' | 'value'>

/** A fact of the container itself. The key is the name of the fact, and for a hold or fee also its name or type. */
function writeFact({ fact, value }: Fact, equipment: string): Observation {
  const unkeyedFact = { kind: 'fact', fact, value, equipment } as NaturalKeyFact
  return { ...unkeyedFact, key: naturalKeyOf(unkeyedFact), statedAt: null, isRetracted: false } as Observation
}

function factsOf(reader: Reader): readonly Fact[] {
  const { read, text, moment, place } = reader
  const facts: Fact[] = []
  const add = <Value>(value: Value | null, write: (value: Value) => Fact): void => {
    if (value !== null) facts.push(write(value))
  }
  for (const { fact, value } of lastFreeDaysOf(reader)) add(value, (value) => ({ fact, value }))
  add(moment('pickup_appointment'), (value) => ({ fact: 'pickup_appointment', value }))
  add(moment('empty_return_by'), (value) => ({ fact: 'empty_return_by', value }))
  add(read('available', readYesNo), (value) => ({ fact: 'available', value }))
  add(text('yard_location'), (value) => ({ fact: 'yard_location', value }))
  add(text('chassis_number'), (value) => ({ fact: 'chassis_number', value }))
  add(text('seal_number'), (value) => ({ fact: 'seal_number', value }))
  add(weightOf(reader), (value) => ({ fact: 'weight_kg', value }))
  for (const [field, fact] of [
    ['port_of_loading', 'port_of_loading'],
    ['port_of_discharge', 'port_of_discharge'],
    ['empty_return_place', 'empty_return_place'],
  ] as const)
    add(place(field), (value) => ({ fact, value }))
  return [...facts, ...holdsOf(reader), ...feesOf(reader)]
}

const lastFreeDays = [
  { speaker: 'shipping_line', field: 'last_free_day_line', fact: 'pickup_lfd_line' },
  { speaker: 'terminal', field: 'last_free_day_terminal', fact: 'pickup_lfd_terminal' },
  { speaker: 'rail', field: 'last_free_day_rail', fact: 'pickup_lfd_rail' },
] as const

/** The plain column is the sender's own last free day. The column that names the sender goes before it. */
function lastFreeDaysOf({ moment, text, speaker, fault }: Reader) {
  const isOfSender = lastFreeDays.some((each) => each.speaker === speaker)
  const plain = isOfSender ? moment('last_free_day') : null
  if (!isOfSender && text('last_free_day') !== null)
    fault(
      'last_free_day',
      'It is unclear whose last free day this is: use the column of the line, the terminal or the railway.',
    )
  return lastFreeDays.map(({ speaker: whose, field, fact }) => {
    const named = moment(field)
    if (whose !== speaker) return { fact, value: named }
    if (named !== null && plain !== null && !isDeepStrictEqual(named, plain))
      fault('last_free_day', `This day differs from the one in the column ${field}, which is used.`)
    return { fact, value: named ?? plain }
  })
}

function weightOf({ read, map }: Reader): number | null {
  return (
    read('weight_kg', (cell) => readWeight(cell, map, 'kg')) ??
    read('weight_lb', (cell) => readWeight(cell, map, 'lb')) ??
    read('weight', (cell) => readWeight(cell, map, null))
  )
}

/** An unknown place has its name only. */
function placeOf(text: string | null): ObservedPlace | null {
  if (text === null) return null
  const resolved = resolvePlace({ unlocode: text.toUpperCase().replace(/\s/g, ''), name: text })
  if (resolved === null) return { ...nowhere, name: text }
  return { ...nowhere, unlocode: resolved.place.unlocode, name: text, timeZone: resolved.timeZone }
}

const holdFields = {
  hold_freight: 'freight',
  hold_customs: 'customs',
  hold_usda: 'USDA',
  hold_vacis: 'VACIS',
  hold_tmf: 'TMF',
} as const

/**
 * A column for one hold is only about that hold. A list of holds is complete: it means that there are no others, and
 * "none" that there are none at all.
 */
function holdsOf({ read, texts, holdColumns, fault }: Reader): readonly Fact[] {
  const single = Object.entries(holdFields).flatMap(([field, name]): readonly Fact[] => {
    const of = field as keyof typeof holdFields
    const status = read(of, (cell) => readHoldStatus(cell, holdColumns.has(of)))
    const value: HoldStatement | null = status === null ? null : { name, status, description: null }
    return value === null ? [] : [{ fact: 'hold', value }]
  })
  const holdTexts = texts.get('holds') ?? []
  if (holdTexts.length === 0) return single
  if (holdTexts.every((holdText) => /^(none|no|n|false|0|-|clear|cleared|released|no holds?)$/i.test(holdText)))
    return [...single, { fact: 'holds', value: [] }]
  const named = holdTexts.map(parseHoldName)
  if (named.includes(null) || holdTexts.some(isCellError)) {
    fault('holds', 'The cell does not name the holds.')
    return single
  }
  const all = named.flatMap((each): readonly Hold[] => (each === null ? [] : [{ ...each, status: 'hold' }]))
  return [...single, { fact: 'holds', value: all }]
}

const feeFields = {
  fee_demurrage: 'demurrage',
  fee_exam: 'exam',
  fee_extended_dwell_time: 'extended_dwell_time',
  fee_other: 'other',
  fee_total: 'total',
} as const

function feesOf({ read, text, map }: Reader): readonly Fact[] {
  return Object.entries(feeFields).flatMap(([field, type]): readonly Fact[] => {
    const of = field as keyof typeof feeFields
    const fee = read(of, (cell) => readFee(cell, map, text('currency')?.toUpperCase() ?? null))
    const value: FeeStatement | null = fee === null ? null : { type, ...fee, description: null }
    return value === null ? [] : [{ fact: 'fee', value }]
  })
}
