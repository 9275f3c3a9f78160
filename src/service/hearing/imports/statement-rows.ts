/**
 * Turns rows of a table about containers into the statements that will be sent through the channel. For a cell that
 * cannot be read it says why, with the field at fault; the other cells of that row still count.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Observation, SourceKind } from '../../../core/statements/observation.ts'
import type { JsonObject } from '../../../core/values/json-value.ts'
import { readPart } from '../../../sources/statements/read.ts'
import { readStatement } from '../../../sources/statements/statement.ts'
import { statementBytesMax } from '../../../sources/statements/statements.ts'
import { writeStatement } from '../../../sources/statements/write.ts'
import type { ColumnMap } from '../../../sources/tables/column-map.ts'
import { type FieldTexts, type FoundColumns, fieldsOf } from '../../../sources/tables/find-columns.ts'
import { listFields, type TableField, tableFields } from '../../../sources/tables/headings.ts'
import { type RowStatements, readStatementRows } from '../../../sources/tables/read-statements.ts'
import type { SpokenOf } from '../../../sources/told.ts'
import type { NewImportRow } from '../../../store/tracking/imports.ts'
import type { ItemError } from '../../../store/tracking/request-batches.ts'

export interface StatementRow extends NewImportRow {
  readonly input: { readonly statements: readonly JsonObject[] } | null
}

export interface SaidBy {
  readonly speaker: SourceKind
  /** When the table was written, if its sender says so. */
  readonly writtenAt: string | null
  readonly receivedAt: string
}

/** Few enough that other work of this process does not wait long. */
const rowsAtOnce = 100

export async function readRowsOfStatements(
  found: FoundColumns,
  map: ColumnMap,
  by: SaidBy,
): Promise<readonly StatementRow[]> {
  const rows: StatementRow[] = []
  for (let from = 0; from < found.rows.length; from += rowsAtOnce) {
    const some = found.rows.slice(from, from + rowsAtOnce)
    const cells = new Map(some.map((row) => [row.number, row]))
    for (const read of readStatementRows({ rows: some, columns: found.columns }, map, by.speaker)) {
      const row = cells.get(read.rowNumber)
      if (row !== undefined) rows.push(rowOf(read, fieldsOf(row, found.columns), by))
    }
    await nextTurn()
  }
  return rows
}

function rowOf(read: RowStatements, texts: FieldTexts, by: SaidBy): StatementRow {
  const { rowNumber } = read
  const errors = read.faults.map(({ field, detail }) => fault(field, detail))
  const said = read.observations.flatMap((observation): readonly JsonObject[] => {
    const numbers = { bill: read.billOfLadingNumber, booking: read.bookingNumber }
    const statement = writeStatement(
      { ...observation, statedAt: by.writtenAt },
      { numbers, note: `Row ${rowNumber} of a table.` },
    )
    const refusal = refusalOf(statement, by.receivedAt)
    if (refusal === null) return [statement]
    errors.push(fault(fieldOf(refusal.field, observation, texts), refusal.detail))
    return refusal.isLost ? [] : [statement]
  })
  // Two columns of one meaning may say the same.
  const statements = [...new Map(said.map((each) => [JSON.stringify(each), each])).values()]
  const isMute = statements.length === 0
  if (isMute && errors.length === 0)
    errors.push(fault('container_number', 'The row has nothing to say about its container.'))
  return {
    rowNumber,
    read: shown(texts),
    input: isMute ? null : { statements },
    numberField: 'container_number',
    errors: errors.length === 0 ? null : onePerField(errors),
    outcome: isMute ? null : 'waiting',
  }
}

function fault(field: TableField, detail: string): ItemError {
  return { code: 'invalid', detail, pointer: field }
}

/** Keeps one error for each field: a number of the row is in all its statements, and its error would come with each. */
function onePerField(errors: readonly ItemError[]): readonly ItemError[] {
  return [...new Map(errors.map((error) => [error.pointer, error])).values()]
}

interface Refusal {
  /** The member of the statement that is at fault: `/value`. */
  readonly field: string
  readonly detail: string
  /** True when the whole statement is lost. Otherwise only a part of it is. */
  readonly isLost: boolean
}

/**
 * What the reader of statements would find wrong later. It is found now, so that the error can be shown with its row.
 */
function refusalOf(statement: JsonObject, receivedAt: string): Refusal | null {
  const read = readStatement(statement)
  if (read.kind === 'refusal') {
    const { field, message } = read.problem
    return { field, detail: `This cannot be read: ${message}.`, isLost: true }
  }
  const body = Buffer.from(JSON.stringify(statement))
  if (body.length > statementBytesMax) return { field: '', detail: 'This is too long.', isLost: true }
  const subject: SpokenOf = { kind: 'container', number: read.numbers.container ?? '' }
  const snapshot = { status: 200, contentType: null, body, fetchedAt: receivedAt }
  const [issue] = readPart(snapshot, { speaker: 'user', subject }).issues
  if (issue === undefined) return null
  return { field: issue.path, detail: `${capital(issue.detail)}.`, isLost: issue.lost === 'event' }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const fieldsOfMember: Readonly<Record<string, TableField>> = {
  '/bill': 'bill_of_lading_number',
  '/booking': 'booking_number',
  '/container': 'container_number',
  '/vessel/name': 'vessel',
  '/voyage': 'voyage',
}

/** The column that a member of a statement was read from. */
function fieldOf(member: string, said: Observation, texts: FieldTexts): TableField {
  const own = fieldsOfMember[member]
  if (own !== undefined) return own
  if (said.kind === 'event') {
    const ports = ['port_of_discharge', 'port_of_loading'] as const
    const port = member.startsWith('/place') ? ports.find((each) => placeIs(texts, each, said)) : undefined
    return port ?? tableFields.find((each) => each === said.original) ?? 'container_number'
  }
  const names = [said.fact, said.fact.replace('pickup_lfd_', 'last_free_day_'), 'last_free_day', 'weight']
  const present = tableFields.filter((each) => texts.has(each))
  return (
    present.find((each) => names.includes(each)) ??
    present.find((each) => isOf(each, said)) ??
    'container_number'
  )
}

function placeIs(texts: FieldTexts, field: TableField, said: Observation): boolean {
  return said.kind === 'event' && texts.get(field)?.[0] === said.place.name
}

/** Columns such as `hold_customs` and `fee_exam` are each about one hold or one fee. */
function isOf(field: TableField, said: Observation): boolean {
  if (said.kind !== 'fact') return false
  const { value } = said
  if (said.fact === 'hold') return field === `hold_${said.value.name.toLowerCase()}`
  if (said.fact === 'fee') return field === `fee_${said.value.type}`
  return value !== null && field.startsWith(said.fact)
}

function shown(texts: FieldTexts): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...texts].map(([field, values]) => [field, listFields.has(field) ? values : values[0]]),
  )
}
