/**
 * Stores a table of tracking requests, or of statements about containers. The rows are stored at once. Later they are
 * passed on in the background: to batches of requests, or to a channel of the account.
 */

import type { FoundColumn } from '../../connectors/spreadsheets/find-columns.ts'
import { requestFields, statementFields } from '../../connectors/spreadsheets/headings.ts'
import type { Page, PageRequest } from '../../db/listing/page.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import { journeyNow, realNow, type Service } from '../service.ts'
import {
  type ImportReading as ImportRow,
  type ImportRowReading,
  type ImportRowStatus,
  insertImport,
  type NewImportRow,
  readImport,
  readImportRows,
  readImportRowsAfter,
} from './imports-sql.ts'
import { type ReadFile, readFile, type UploadedFile, unreadableError } from './read-file.ts'
import { readRequestRows } from './request-rows.ts'
import { findStatementChannel, type StatementChannel } from './statement-channel.ts'
import { readRowsOfStatements } from './statement-rows.ts'

export const importRowsMax = 10_000

/** How the file was read, as it is stored and shown. */
export interface FileReading {
  readonly kind: 'csv' | 'xlsx'
  readonly encoding: string | null
  readonly delimiter: string | null
  readonly sheet: string | null
  readonly sheets: readonly string[]
  readonly headingRow: number
  readonly columns: readonly FoundColumn[]
  readonly missing: readonly string[]
}

export type ImportView = Omit<ImportRow, 'reading'> & { readonly reading: FileReading }

export interface Preview {
  readonly reading: FileReading
  readonly rowsTotal: number
  /** Rows with a tracking request that can be tried, or with statements. */
  readonly readable: number
  readonly rows: readonly NewImportRow[]
}

export interface UploadedTable extends UploadedFile {
  /** Name of the channel that ingests the statements; null for a table of tracking requests. */
  readonly channel: string | null
  /** When the table was written; null when that is not known. */
  readonly writtenAt: string | null
}

/** Shows how the rows would be read. Writes nothing, and polls no line about any of them. */
export async function previewImport(
  service: Service,
  context: Context,
  upload: UploadedTable & { readonly limit: number },
): Promise<Preview> {
  requireScope(context, 'write')
  const statementChannel = await findStatementChannel(service, context, upload)
  const { file, rows } = await readRows(service, context, upload, statementChannel)
  return {
    reading: readingOf(file),
    rowsTotal: rows.length,
    readable: rows.filter(({ errors, outcome = null }) => errors === null || outcome !== null).length,
    rows: rows.slice(0, upload.limit),
  }
}

/** `id`: when an import with this id was made before, its present state is returned and nothing is imported. */
export async function importTable(
  service: Service,
  context: Context,
  upload: UploadedTable & { readonly isDryRun: boolean; readonly id?: string | undefined },
): Promise<ImportView> {
  requireScope(context, 'write')
  const accountId = context.account.id
  const known = upload.id === undefined ? null : await readImport(service.pool, { accountId, id: upload.id })
  if (known !== null) return toImportView(known)
  const statementChannel = await findStatementChannel(service, context, upload)
  const { file, rows } = await readRows(service, context, upload, statementChannel)
  const id = upload.id ?? uuidV7(service.clock.now())
  const { actor, scopes, requestId } = context
  const made = {
    accountId,
    id,
    actor,
    scopes,
    requestId,
    fileName: upload.fileName,
    fileSha256: file.sha256,
    reading: readingOf(file),
    mapName: upload.map,
    channelId: statementChannel?.channel.id ?? null,
    isDryRun: upload.isDryRun,
    createdAt: realNow(service),
  }
  // Statements have been checked completely by now, so nothing is left of a rehearsal.
  const isChecked = statementChannel !== null && upload.isDryRun
  const checked = isChecked ? rows.map((row) => (row.outcome ? { ...row, outcome: 'valid' as const } : row)) : rows
  await insertImport(service.pool, { ...made, isChecked }, checked)
  return getImportView(service, context, id)
}

/** `statementChannel` null: a table of tracking requests. */
async function readRows(
  service: Service,
  context: Context,
  upload: UploadedFile,
  statementChannel: StatementChannel | null,
): Promise<{ readonly file: ReadFile; readonly rows: readonly NewImportRow[] }> {
  const file = await readFile(service, context, upload, statementChannel === null ? requestFields : statementFields)
  const rows =
    statementChannel === null ? readRequestRows(file, file.map) : await readChannelRows(service, file, statementChannel)
  return { file, rows: requireRowCount(rows) }
}

function readChannelRows(
  service: Service,
  file: ReadFile,
  { channel, writtenAt }: StatementChannel,
): Promise<readonly NewImportRow[]> {
  const by = { speaker: channel.speakerKind, writtenAt, receivedAt: journeyNow(service, channel.isSandbox) }
  return readRowsOfStatements(file, file.map, by)
}

function requireRowCount(rows: readonly NewImportRow[]): readonly NewImportRow[] {
  if (rows.length === 0) throw unreadableError('There is no row below the headings.')
  if (rows.length > importRowsMax)
    throw unreadableError(
      `An import has at most ${importRowsMax.toLocaleString('en-US')} rows; this file has ${rows.length.toLocaleString('en-US')}. Split it into several files.`,
    )
  return rows
}

function readingOf({ table, headingRow, columns, missing }: ReadFile): FileReading {
  const { kind, encoding, delimiter, sheet, sheets } = table
  return { kind, encoding, delimiter, sheet, sheets: sheets.slice(0, 100), headingRow, columns, missing }
}

export async function getImport(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<ImportView> {
  requireScope(context, 'read')
  return getImportView(service, context, input.id)
}

/** Needs no scope `read`: who made an import may see it, also with a key that may only write. */
async function getImportView(service: Service, context: Context, id: string): Promise<ImportView> {
  const found = await readImport(service.pool, { accountId: context.account.id, id })
  if (found === null) throw notFound('import')
  return toImportView(found)
}

/** The stored reading was written by `importTable`. */
function toImportView(found: ImportRow): ImportView {
  return { ...found, reading: found.reading as FileReading }
}

export async function listImportRows(
  service: Service,
  context: Context,
  input: { readonly id: string; readonly status: ImportRowStatus | null; readonly page: PageRequest },
): Promise<Page<ImportRowReading>> {
  const { id: importId, status, page } = input
  await getImport(service, context, { id: importId })
  return readImportRows(service.pool, { accountId: context.account.id, importId, status, page })
}

const exportedAtOnce = 500

/** Yields all rows, some at a time. */
export async function exportImportRows(
  service: Service,
  context: Context,
  input: { readonly id: string; readonly status: ImportRowStatus | null },
): Promise<AsyncGenerator<readonly ImportRowReading[]>> {
  const { id: importId, status } = input
  await getImport(service, context, { id: importId })
  const accountId = context.account.id
  return (async function* () {
    for (let after = -1; ; ) {
      const rows = await readImportRowsAfter(service.pool, {
        accountId,
        importId,
        status,
        after,
        limit: exportedAtOnce,
      })
      if (rows.length === 0) return
      yield rows
      after = rows.at(-1)?.place ?? after
    }
  })()
}
