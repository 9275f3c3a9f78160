/** `landfall import`: sends a table to a server, and shows the result of each row. */

import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { tableBounds } from '../connectors/spreadsheets/table.ts'
import { type JsonObject, membersOf } from '../domain/values/json-value.ts'
import { readServerAccess, urlDefault, urlOption } from './client/server-client.ts'
import { defineCommand, type Shell } from './framework/command.ts'

const pollIntervalMs = 1_000
const shownRowsMax = 50

export const importTable = defineCommand({
  about: `Sends the table to a server and prints the result of each row. Reads LANDFALL_API_KEY, and LANDFALL_API_URL for the
address of the server (${urlDefault} when it is not set). Waits until the server has processed every row that the
rate limit allows now; the server processes the queued rows later. The same file sent twice tracks no number twice.
With --channel the table is about containers, and its rows are statements of the party of that channel.
Exits with 1 if the table cannot be read, a row is invalid or a cell cannot be read. A duplicate is no error.`,
  operands: [{ name: 'file', about: 'CSV or XLSX' }],
  options: {
    map: {
      type: 'string',
      value: '<name>',
      about: 'column map of the account that gives the meaning of the columns',
    },
    sheet: {
      type: 'string',
      value: '<name>',
      about: 'sheet of a workbook; if it is missing, the first that is not hidden',
    },
    scac: { type: 'string', value: '<scac>', about: 'SCAC of the carrier for rows that name no carrier' },
    detect: { type: 'boolean', about: 'track rows without a carrier too; Landfall finds the carrier' },
    channel: {
      type: 'string',
      value: '<name>',
      about: 'channel of the account (language: statements) for a table about containers',
    },
    'written-at': {
      type: 'string',
      value: '<time>',
      about: 'time at which a table about containers was written, with its zone; the same table is then used only once',
    },
    preview: { type: 'boolean', about: 'show how the table would be read, and send nothing' },
    'dry-run': { type: 'boolean', about: 'check every row and create nothing' },
    wait: { type: 'boolean', about: 'also wait for the rows that are queued' },
    url: urlOption,
    json: { type: 'boolean', about: 'print JSON' },
  },
  examples: [
    'import shipments.xlsx --dry-run',
    'import list.csv --map forwarder --scac HLCU',
    'import boxes.csv --preview',
    'import availability.xlsx --channel pier-400 --written-at 2026-02-03T18:05:00-08:00',
  ],
  run: async ({ operands, options, shell }) => {
    const [path = ''] = operands
    const callApi = createApiCall(shell, options.url)
    const bytes = await readTableFile(path)
    const query = new URLSearchParams(options.preview ? {} : { file_name: basename(path).slice(0, 200) })
    for (const name of ['map', 'sheet', 'scac', 'channel', 'written-at'] as const) {
      const value = options[name]
      if (value !== null) query.set(name.replace('-', '_'), value)
    }
    if (options.detect) query.set('auto_detect_vocc_scac', 'true')
    if (options.preview) {
      const { meta } = membersOf(await callApi(`/v2/imports/preview?${query}`, bytes))
      if (options.json) shell.print(JSON.stringify(meta, null, 2))
      else for (const line of linesOfPreview(membersOf(meta))) shell.print(line)
      return 0
    }
    if (options['dry-run']) query.set('dry_run', 'true')
    const { data } = membersOf(await callApi(`/v2/imports?${query}`, bytes))
    const id = String(membersOf(data)['id'])
    const done = await waitForImport({ callApi, shell, id, isPatient: options.wait })
    const faulty = [...(await rowsOf(callApi, id, 'invalid')), ...(await rowsOf(callApi, id, 'partly'))]
    if (options.json) shell.print(JSON.stringify({ id, ...done, rows: faulty }, null, 2))
    else for (const line of linesOf(id, done, faulty)) shell.print(line)
    return Number(done['invalid']) + Number(done['partly']) > 0 ? 1 : 0
  },
})

type ApiCall = (path: string, body?: Buffer) => Promise<unknown>

/**
 * Throws an error with the sentence of a refusal. A GET that is refused by the rate limit is repeated after the time
 * that the server names.
 */
function createApiCall(shell: Shell, url: string | null): ApiCall {
  const { base, key: apiKey } = readServerAccess(shell, url)
  return async (path, body) => {
    for (;;) {
      const answer = await fetch(new URL(path, base), {
        method: body === undefined ? 'GET' : 'POST',
        redirect: 'error',
        headers: {
          authorization: `Token ${apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/octet-stream' }),
        },
        ...(body === undefined ? {} : { body: new Uint8Array(body) }),
      }).catch((error: unknown) => {
        throw new Error(`${base} cannot be reached: ${error instanceof Error ? error.message : String(error)}`)
      })
      const text = await answer.text()
      if (answer.ok) return JSON.parse(text)
      if (answer.status !== 429 || body !== undefined) throw new Error(refusalOf(text, answer.status))
      await pause(Math.max(1, Number(answer.headers.get('retry-after') ?? '1')) * 1_000)
    }
  }
}

function refusalOf(text: string, status: number): string {
  const { errors } = text.startsWith('{') ? membersOf(JSON.parse(text)) : {}
  const [first] = Array.isArray(errors) ? errors : []
  return String(membersOf(first)['detail'] ?? `The server answered ${status}.`)
}

async function readTableFile(path: string): Promise<Buffer> {
  await using file = await open(path)
  const { size } = await file.stat()
  if (size > tableBounds.fileBytes) throw new Error(`${path} is larger than ${tableBounds.fileBytes / 1_048_576} MB.`)
  return file.readFile()
}

/** Polls until the import is done; without patience, only until no row waits that can be done now. */
async function waitForImport(of: {
  readonly callApi: ApiCall
  readonly shell: Shell
  readonly id: string
  readonly isPatient: boolean
}): Promise<JsonObject> {
  for (;;) {
    const { data } = membersOf(await of.callApi(`/v2/imports/${of.id}`))
    const summary = membersOf(membersOf(data)['attributes'])
    const { total, waiting, queued } = summary
    of.shell.progress(`${Number(total) - Number(waiting) - Number(queued)} of ${total} rows`)
    if (summary['status'] === 'done' || (!of.isPatient && Number(waiting) === 0)) return summary
    await pause(pollIntervalMs)
  }
}

async function rowsOf(callApi: ApiCall, id: string, status: 'invalid' | 'partly'): Promise<readonly JsonObject[]> {
  const { data } = membersOf(
    await callApi(`/v2/imports/${id}/rows?filter[status]=${status}&page[size]=${shownRowsMax}`),
  )
  return (Array.isArray(data) ? data : []).map((row) => membersOf(membersOf(row)['attributes']))
}

const countsShown = ['created', 'taken', 'partly', 'valid', 'queued', 'repeated', 'duplicate', 'invalid']

function linesOf(id: string, summary: JsonObject, faulty: readonly JsonObject[]): readonly string[] {
  const counts = countsShown.filter((name) => Number(summary[name]) > 0)
  const more = Number(summary['invalid']) + Number(summary['partly']) - faulty.length
  return [
    `import ${id}${summary['dry_run'] === true ? ' (dry run)' : ''}: ${summary['total']} rows, ${counts.map((name) => `${summary[name]} ${name}`).join(', ')}`,
    ...(typeof summary['done_at_earliest'] === 'string'
      ? [`  queued until ${summary['done_at_earliest']} at the earliest`]
      : []),
    ...faulty.flatMap(linesOfRow),
    ...(more > 0 ? [`  and ${more} more: /v2/imports/${id}/rows`] : []),
  ]
}

function linesOfRow(row: JsonObject): readonly string[] {
  const errors = Array.isArray(row['errors']) ? row['errors'].map(membersOf) : []
  return errors.map(({ field, detail }) => `  row ${row['row_number']}, ${field ?? 'row'}: ${stripControls(detail)}`)
}

function linesOfPreview(meta: JsonObject): readonly string[] {
  const { kind, encoding, delimiter, sheet, heading_row: headingRow, columns } = membersOf(meta['reading'])
  const form =
    kind === 'csv' ? `CSV, ${encoding}, separated by ${JSON.stringify(delimiter)}` : `sheet ${stripControls(sheet)}`
  const rows = Array.isArray(meta['rows']) ? meta['rows'].map(membersOf) : []
  return [
    `${form}; headings in row ${headingRow}; ${meta['readable']} of ${meta['total']} rows can be read`,
    ...(Array.isArray(columns) ? columns.map(membersOf) : []).map(
      ({ heading, field, by }) =>
        `  ${stripControls(heading) || '(empty)'} → ${field ?? 'not read'}${by === 'map' ? ' (map)' : ''}`,
    ),
    ...rows.flatMap((row) => {
      const errors = linesOfRow(row)
      const statementItems = Array.isArray(row['statements']) ? row['statements'].map(membersOf) : []
      if (statementItems.length > 0) return [...statementItems.map((each) => lineOfStatement(row, each)), ...errors]
      const requestLine = `  row ${row['row_number']}: ${row['request_type'] ?? 'any kind'} ${stripControls(row['request_number'])} at ${row['scac'] ?? 'the line that is found'}`
      return errors.length > 0 ? errors : [requestLine]
    }),
  ]
}

function lineOfStatement(row: JsonObject, { container, says, at, value }: JsonObject): string {
  return `  row ${row['row_number']}: ${stripControls(container)} ${stripControls(says)} ${stripControls(at ?? JSON.stringify(value))}`
}

/** Removes control characters, because a terminal would act on them. */
function stripControls(text: unknown): string {
  return String(text ?? '').replace(/\p{Cc}+/gu, ' ')
}
