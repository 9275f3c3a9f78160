/**
 * Stores a table of tracking requests, or of statements about containers. The rows are stored at once. Later they are
 * passed on in the background: to batches of requests, or to a channel of the account.
 */

import { uuidV7 } from '../../../platform/ids.ts'
import type { FoundColumn } from '../../../sources/tables/find-columns.ts'
import { requestFields, statementFields } from '../../../sources/tables/headings.ts'
import type { Page, PageRequest } from '../../../store/lists/page.ts'
import {
  type ImportReading as ImportRow,
  type ImportRowReading,
  type ImportRowStatus,
  insertImport,
  type NewImportRow,
  readImport,
  readImportRows,
  readImportRowsAfter,
} from '../../../store/tracking/imports.ts'
import { type Context, requireScope } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { journeyNow, realNow, type Service } from '../../service.ts'
import { type ReadFile, readFile, type SentFile, unreadable } from './read-file.ts'
import { readRequestRows } from './request-row.ts'
import { type Said, saidThrough } from './said-through.ts'
import { readRowsOfStatements } from './statement-rows.ts'

export const importRowsMax = 10_000

/** How the file was read, as it is kept and shown. */
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

export type ShownImport = Omit<ImportRow, 'reading'> & { readonly reading: FileReading }

export interface Preview {
  readonly reading: FileReading
  readonly rowsTotal: number
  /** Rows that ask for something that can be tried, or that state something. */
  readonly readable: number
  readonly rows: readonly NewImportRow[]
}

export interface SentTable extends SentFile {
  /** Name of the channel that takes the statements in; null for a table of tracking requests. */
  readonly channel: string | null
  /** When the table was written; null when that is not known. */
  readonly writtenAt: string | null
}

const previewRows = 20

/** Shows how the rows would be read. Writes nothing, and asks no line about any of them. */
export async function previewImport(service: Service, context: Context, sent: SentTable): Promise<Preview> {
  requireScope(context, 'write')
  const said = await saidThrough(service, context, sent)
  const { file, rows } = await readRows(service, context, sent, said)
  return {
    reading: readingOf(file),
    rowsTotal: rows.length,
    readable: rows.filter(({ errors, outcome = null }) => errors === null || outcome !== null).length,
    rows: rows.slice(0, previewRows),
  }
}

/** `id`: when an import with this id was made before, it is shown as it stands now and nothing is taken in. */
export async function importTable(
  service: Service,
  context: Context,
  sent: SentTable & { readonly isRehearsal: boolean; readonly id?: string | undefined },
): Promise<ShownImport> {
  requireScope(context, 'write')
  const accountId = context.account.id
  const known = sent.id === undefined ? null : await readImport(service.pool, { accountId, id: sent.id })
  if (known !== null) return shown(known)
  const said = await saidThrough(service, context, sent)
  const { file, rows } = await readRows(service, context, sent, said)
  const id = sent.id ?? uuidV7(service.clock.now())
  const { actor, scopes, requestId } = context
  const made = {
    accountId,
    id,
    actor,
    scopes,
    requestId,
    fileName: sent.fileName,
    fileSha256: file.sha256,
    reading: readingOf(file),
    mapName: sent.map,
    channelId: said?.channel.id ?? null,
    isRehearsal: sent.isRehearsal,
    createdAt: realNow(service),
  }
  // Statements have been checked completely by now, so nothing is left of a rehearsal.
  const isChecked = said !== null && sent.isRehearsal
  const checked = isChecked
    ? rows.map((row) => (row.outcome ? { ...row, outcome: 'valid' as const } : row))
    : rows
  await insertImport(service.pool, { ...made, isChecked }, checked)
  return show(service, context, id)
}

/** `said` null: a table of tracking requests. */
async function readRows(
  service: Service,
  context: Context,
  sent: SentFile,
  said: Said | null,
): Promise<{ readonly file: ReadFile; readonly rows: readonly NewImportRow[] }> {
  const file = await readFile(service, context, sent, said === null ? requestFields : statementFields)
  const rows = said === null ? readRequestRows(file, file.map) : await rowsSaid(service, file, said)
  return { file, rows: bounded(rows) }
}

function rowsSaid(
  service: Service,
  file: ReadFile,
  { channel, writtenAt }: Said,
): Promise<readonly NewImportRow[]> {
  const by = { speaker: channel.speakerKind, writtenAt, receivedAt: journeyNow(service, channel.isFiction) }
  return readRowsOfStatements(file, file.map, by)
}

function bounded(rows: readonly NewImportRow[]): readonly NewImportRow[] {
  if (rows.length === 0) throw unreadable('There is no row below the headings.')
  if (rows.length > importRowsMax)
    throw unreadable(
      `An import has at most ${importRowsMax.toLocaleString('en-US')} rows; this file has ${rows.length.toLocaleString('en-US')}. Cut it into several.`,
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
): Promise<ShownImport> {
  requireScope(context, 'read')
  return show(service, context, input.id)
}

/** Needs no scope `read`: who made an import may see it, also with a key that may only write. */
async function show(service: Service, context: Context, id: string): Promise<ShownImport> {
  const found = await readImport(service.pool, { accountId: context.account.id, id })
  if (found === null) throw notFound('import')
  return shown(found)
}

/** The stored reading was written by `importTable`. */
function shown(found: ImportRow): ShownImport {
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
