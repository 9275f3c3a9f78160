/**
 * `import`: a table of tracking requests or of statements; and `import_row`: what was read from one row, and its
 * result.
 */

import { errorTable, type ProblemCode, problemCodes } from '../../api/shape/error-table.ts'
import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { tableFields } from '../../connectors/spreadsheets/headings.ts'
import { requestTypes } from '../../domain/tracking-requests/tracking-request-state.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { Type } from '../../platform/json-schema.ts'
import type { ItemError } from '../tracking-requests/request-batches-sql.ts'
import type { FileReading, ImportView } from './import-table.ts'
import { importRowStatuses, type ImportRowReading as Row } from './imports-sql.ts'

export interface ImportReading extends IdentifiedReading {
  readonly type: 'import'
  readonly view: ImportView
}

export function readImport(view: ImportView): ImportReading {
  return { type: 'import', id: view.id, view }
}

const count = Type.Integer({ minimum: 0 })

export const fileReading = schema.object({
  kind: schema.oneOf(['csv', 'xlsx']),
  encoding: schema.textOrNull({ description: 'Encoding of a CSV file.' }),
  delimiter: schema.textOrNull({ description: 'Encoding of a CSV file.' }),
  sheet: schema.textOrNull({ description: 'The sheet of a workbook that was read.' }),
  sheets: schema.texts({ description: 'The sheets of a workbook that are not hidden.' }),
  heading_row: Type.Integer({
    minimum: 0,
    description: '0: the table has no headings. Its columns are called A, B, C.',
  }),
  columns: schema.list(
    schema.object({
      heading: schema.text(),
      field: schema.oneOfOrNull(tableFields, { description: 'Null: the column is not read.' }),
      by: schema.oneOfOrNull(['map', 'heading', 'content'], { description: 'What decided.' }),
    }),
  ),
  missing: schema.texts({ description: 'Headings of the map that the table does not have.' }),
})

export function writeReading(reading: FileReading): Readonly<Record<string, unknown>> {
  const { kind, encoding, delimiter, sheet, sheets, headingRow, columns, missing } = reading
  return {
    kind,
    encoding,
    delimiter,
    sheet,
    sheets,
    heading_row: headingRow,
    columns: columns.map(({ heading, field, by }) => ({ heading, field, by })),
    missing,
  }
}

export const importKind: ResourceKind<ImportReading> = {
  type: 'import',
  attributes: {
    status: schema.oneOf(['working', 'done'], { description: '`done`: all rows are processed.' }),
    dry_run: Type.Boolean({ description: 'True: every row is checked, and nothing is stored.' }),
    file_name: schema.textOrNull(),
    file_sha256: schema.text(),
    map: schema.textOrNull({ description: 'Name of the column map with which it was read.' }),
    channel: schema.textOrNull({
      description: 'Name of the channel for its statements; null if it creates tracking requests.',
    }),
    reading: fileReading,
    total: count,
    waiting: count,
    queued: count,
    created: count,
    taken: count,
    partly: count,
    repeated: count,
    valid: count,
    duplicate: count,
    invalid: count,
    done_at_earliest: schema.instantOrNull({
      description: 'The earliest time at which the last queued row can be processed.',
    }),
    created_at: schema.instant(),
  },
  relations: {},
  write: ({ view }) => {
    const counts = Object.fromEntries(importRowStatuses.map((status) => [status, view.counts[status] ?? 0]))
    const isDone = (counts['waiting'] ?? 0) + (counts['queued'] ?? 0) === 0
    return {
      status: isDone ? 'done' : 'working',
      dry_run: view.isDryRun,
      file_name: view.fileName,
      file_sha256: view.fileSha256,
      map: view.mapName,
      channel: view.channel,
      reading: writeReading(view.reading),
      total: view.rowsTotal,
      ...counts,
      done_at_earliest: view.lastDueAt,
      created_at: view.createdAt,
    }
  },
  link: () => ({}),
}

export interface ImportRowReading extends IdentifiedReading {
  readonly type: 'import_row'
  readonly row: Row
}

/** A row has no stored id. Its id is made of its place in the import. */
export function readRow(importId: string, row: Row): ImportRowReading {
  return { type: 'import_row', id: uuidV5(LANDFALL_NAMESPACE, `import-row:${importId}:${row.place}`), row }
}

export const rowErrors = schema.list(
  schema.object({
    status: schema.text({ description: 'HTTP status that a single request would have got.' }),
    code: schema.oneOf(problemCodes),
    title: schema.text(),
    detail: schema.text(),
    field: schema.oneOfOrNull(tableFields, {
      description: 'The field with the fault; null if the fault is not in one field.',
    }),
    meta: schema.optional(Type.Unsafe({ type: 'object' })),
  }),
)

export const rowRead = Type.Unsafe({
  type: 'object',
  additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
  description: 'The texts of the row, by field.',
})

export const importRow: ResourceKind<ImportRowReading> = {
  type: 'import_row',
  attributes: {
    row_number: Type.Integer({
      minimum: 1,
      description: 'Number of the row in the file, as a spreadsheet program counts.',
    }),
    status: schema.oneOf(importRowStatuses, {
      description:
        'For a row of statements: `taken`: accepted. `partly`: accepted without the cells that could not be read. `repeated`: it was already sent before.',
    }),
    request_type: schema.oneOfOrNull(requestTypes),
    request_number: schema.textOrNull(),
    scac: schema.textOrNull({ description: 'Null if Landfall has to find the carrier.' }),
    tracking_request_id: schema.textOrNull({ format: 'uuid' }),
    due_at: schema.instantOrNull({
      description: 'While it is queued: the earliest time at which its turn comes.',
    }),
    statements: schema.integerOrNull({
      description: 'Number of its statements; null if the row creates a tracking request.',
    }),
    inbound_message_id: schema.textOrNull({
      format: 'uuid',
      description: 'Id of the delivery that contains the statements.',
    }),
    read: rowRead,
    errors: rowErrors,
  },
  relations: {},
  write: ({ row }) => ({
    row_number: row.rowNumber,
    status: row.status,
    request_type: row.requestType,
    request_number: row.requestNumber,
    scac: row.scac,
    tracking_request_id: row.trackingRequestId,
    due_at: row.status === 'queued' ? row.dueAt : null,
    statements: row.statements,
    inbound_message_id: row.messageId,
    read: row.read,
    errors: (row.errors ?? []).map((error) => writeRowError(error, row.numberField)),
  }),
  link: () => ({}),
}

/** An error about a part of the request is shown for the field of the row from which that part was read. */
export function writeRowError(
  { code, detail, pointer, meta }: ItemError,
  numberField: string | null,
): Readonly<Record<string, unknown>> {
  // The cast is safe: only codes of this table are stored.
  const { status, title } = errorTable[code as ProblemCode]
  const isOfRequest = pointer?.startsWith('/') === true
  const part = isOfRequest ? (pointer?.split('/').at(3) ?? null) : pointer
  const field = isOfRequest && (part === 'request_number' || part === 'request_type') ? (numberField ?? part) : part
  const known = tableFields.find((each) => each === field) ?? null
  return {
    status: String(status),
    code,
    title,
    detail,
    field: known,
    ...(meta === undefined ? {} : { meta }),
  }
}
