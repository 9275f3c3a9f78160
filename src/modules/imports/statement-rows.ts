/**
 * Converts rows of a table about containers into the statements that will be sent through the channel. For a cell that
 * cannot be read it gives the reason, with the field at fault; the other cells of that row still count.
 */

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { MentionedNumber } from '../../connectors/pushed-source.ts'
import type { ColumnMap } from '../../connectors/spreadsheets/column-map.ts'
import { type FieldTexts, type FoundColumns, fieldsOf } from '../../connectors/spreadsheets/find-columns.ts'
import { listFields, type TableField, tableFields } from '../../connectors/spreadsheets/headings.ts'
import { type RowStatements, readStatementRows } from '../../connectors/spreadsheets/read-statements.ts'
import { readStoredStatement } from '../../connectors/statements/read-stored-statement.ts'
import { readStatement } from '../../connectors/statements/statement.ts'
import { statementBytesMax } from '../../connectors/statements/statements-source.ts'
import { writeStatement } from '../../connectors/statements/write-statement.ts'
import type { Observation, SourceKind } from '../../domain/statements/observation.ts'
import type { JsonObject } from '../../domain/values/json-value.ts'
import type { ItemError } from '../tracking-requests/request-batches-sql.ts'
import type { NewImportRow } from './imports-sql.ts'

export interface StatementRow extends NewImportRow {
  readonly input: { readonly statements: readonly JsonObject[] } | null
}

export interface StatementOrigin {
  readonly speaker: SourceKind
  /** When the table was written, if its sender states it. */
  readonly writtenAt: string | null
  readonly receivedAt: string
}

/** Few enough that other work of this process does not wait long. */
const rowsAtOnce = 100

export async function readRowsOfStatements(
  found: FoundColumns,
  map: ColumnMap,
  by: StatementOrigin,
): Promise<readonly StatementRow[]> {
  const rows: StatementRow[] = []
  for (let from = 0; from < found.rows.length; from += rowsAtOnce) {
    const some = found.rows.slice(from, from + rowsAtOnce)
    const cells = new Map(some.map((row) => [row.number, row]))
    for (const read of readStatementRows({ rows: some, columns: found.columns }, map, by.speaker)) {
      const row = cells.get(read.rowNumber)
      if (row !== undefined) rows.push(rowOf(read, fieldsOf(row, found.columns), by))
    }
    await yieldToEventLoop()
  }
  return rows
}

function rowOf(read: RowStatements, texts: FieldTexts, by: StatementOrigin): StatementRow {
  const { rowNumber } = read
  const errors = read.faults.map(({ field, detail }) => fieldError(field, detail))
  const writtenStatements = read.observations.flatMap((observation): readonly JsonObject[] => {
    const numbers = { bill: read.billOfLadingNumber, booking: read.bookingNumber }
    const statement = writeStatement(
      { ...observation, statedAt: by.writtenAt },
      { numbers, note: `Row ${rowNumber} of a table.` },
    )
    const refusal = refusalOf(statement, by.receivedAt)
    if (refusal === null) return [statement]
    errors.push(fieldError(fieldOf(refusal.field, observation, texts), refusal.detail))
    return refusal.isUnmapped ? [] : [statement]
  })
  // Two columns of one meaning may contain the same statement.
  const statements = [...new Map(writtenStatements.map((each) => [JSON.stringify(each), each])).values()]
  const isMute = statements.length === 0
  if (isMute && errors.length === 0)
    errors.push(fieldError('container_number', 'The row has no statement about its container.'))
  return {
    rowNumber,
    read: toDisplayedFields(texts),
    input: isMute ? null : { statements },
    numberField: 'container_number',
    errors: errors.length === 0 ? null : onePerField(errors),
    outcome: isMute ? null : 'waiting',
  }
}

function fieldError(field: TableField, detail: string): ItemError {
  return { code: 'invalid', detail, pointer: field }
}

/**
 * Returns one error for each field: a number of the row is in all its statements, and its error would come with each.
 */
function onePerField(errors: readonly ItemError[]): readonly ItemError[] {
  return [...new Map(errors.map((error) => [error.pointer, error])).values()]
}

interface Refusal {
  /** The member of the statement that is at fault: `/value`. */
  readonly field: string
  readonly detail: string
  /** True when the complete statement is lost. Otherwise only a part of it is. */
  readonly isUnmapped: boolean
}

/**
 * What the reader of statements would find wrong later. It is found now, so that the error can be shown with its row.
 */
function refusalOf(statement: JsonObject, receivedAt: string): Refusal | null {
  const read = readStatement(statement)
  if (read.kind === 'refusal') {
    const { field, message } = read.problem
    return { field, detail: `This cannot be read: ${message}.`, isUnmapped: true }
  }
  const body = Buffer.from(JSON.stringify(statement))
  if (body.length > statementBytesMax) return { field: '', detail: 'This is too long.', isUnmapped: true }
  const messageSubject: MentionedNumber = { kind: 'container', number: read.numbers.container ?? '' }
  const snapshot = { status: 200, contentType: null, body, fetchedAt: receivedAt }
  const [issue] = readStoredStatement(snapshot, { speaker: 'user', messageSubject }).issues
  if (issue === undefined) return null
  return { field: issue.path, detail: `${capitalize(issue.detail)}.`, isUnmapped: issue.lost === 'event' }
}

function capitalize(text: string): string {
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
function fieldOf(member: string, observation: Observation, texts: FieldTexts): TableField {
  const memberField = fieldsOfMember[member]
  if (memberField !== undefined) return memberField
  if (observation.kind === 'event') {
    const ports = ['port_of_discharge', 'port_of_loading'] as const
    const port = member.startsWith('/place')
      ? ports.find((each) => namesEventPlace(texts, each, observation))
      : undefined
    return port ?? tableFields.find((each) => each === observation.original) ?? 'container_number'
  }
  const names = [observation.fact, observation.fact.replace('pickup_lfd_', 'last_free_day_'), 'last_free_day', 'weight']
  const present = tableFields.filter((each) => texts.has(each))
  return (
    present.find((each) => names.includes(each)) ??
    present.find((each) => isFieldOfFact(each, observation)) ??
    'container_number'
  )
}

function namesEventPlace(texts: FieldTexts, field: TableField, observation: Observation): boolean {
  return observation.kind === 'event' && texts.get(field)?.[0] === observation.place.name
}

/** Columns such as `hold_customs` and `fee_exam` are each about one hold or one fee. */
function isFieldOfFact(field: TableField, observation: Observation): boolean {
  if (observation.kind !== 'fact') return false
  const { value } = observation
  if (observation.fact === 'hold') return field === `hold_${observation.value.name.toLowerCase()}`
  if (observation.fact === 'fee') return field === `fee_${observation.value.type}`
  return value !== null && field.startsWith(observation.fact)
}

function toDisplayedFields(texts: FieldTexts): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...texts].map(([field, values]) => [field, listFields.has(field) ? values : values[0]]))
}
