/**
 * Rows of a table, pasted or dropped: the server recognises the columns, and the reader can change that. The choice is
 * kept as a column map under the names of the columns, so the next table of this kind needs none.
 */

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Connection, type Refusal, written } from '../api/connection.ts'
import { useConnection } from '../api/queries.ts'
import { ProblemNote } from '../parts/problem.tsx'
import { Reading } from '../parts/reading.tsx'
import { trackWords as words } from '../words/track.ts'
import { LongTable } from './long-table.tsx'
import { numbersMax } from './numbers-form.tsx'
import { NumbersTable } from './numbers-table.tsx'
import type { Kind, NewRow } from './rows.ts'

interface Preview {
  readonly meta: {
    readonly total: number
    readonly reading: {
      readonly heading_row: number
      readonly columns: readonly { readonly heading: string; readonly field: string | null }[]
    }
    readonly rows: readonly TableRow[]
  }
}
export interface TableRow {
  readonly row_number: number
  readonly request_number: string | null
  readonly request_type: string | null
  readonly scac: string | null
  readonly read: Readonly<Record<string, string | readonly string[]>>
  readonly errors: readonly { readonly detail: string; readonly code: string; readonly meta?: { row?: number } }[]
}

const fields = Object.keys(words.fields) as readonly (keyof typeof words.fields)[]

export function TableNumbers(props: {
  table: File
  text: string | null
  reference: string
  onUnreadable: (() => void) | null
  onAgain: () => void
}) {
  const { table, text, reference, onUnreadable, onAgain } = props
  const connection = useConnection()
  const [fault, setFault] = useState('')
  /** Its name, and how often it was changed. */
  const [map, setMap] = useState<{ readonly name: string; readonly changes: number } | null>(null)
  const preview = useQuery<Preview, Refusal>({
    queryKey: ['/v2/imports/preview', table.name, table.lastModified, map],
    queryFn: () => previewOf(connection, table, map?.name ?? null),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (last) => last,
    retry: false,
  })
  const isUnreadable = preview.error?.status === 422
  useEffect(() => {
    if (isUnreadable) onUnreadable?.()
  }, [isUnreadable, onUnreadable])
  if (preview.error !== null) return <ProblemNote error={preview.error} again={onAgain} />
  if (preview.data === undefined) return <Reading />
  const { reading, rows, total } = preview.data.meta
  const change = async (heading: string, field: string): Promise<void> => {
    const name = mapNameOf(reading)
    const columns = Object.fromEntries(
      fields.map((each) => {
        const headings = reading.columns
          .filter((column) => (column.heading === heading ? field : column.field) === each)
          .map((column) => column.heading)
        return [each, headings.length === 0 ? null : headings]
      }),
    )
    try {
      await connection.ask('PUT', `/v2/column_maps/${name}`, { data: { type: 'column_map', attributes: { columns } } })
      setMap({ name, changes: (map?.changes ?? 0) + 1 })
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error))
    }
  }
  /** A column without a heading is shown by its first cell. */
  const firstCells = reading.heading_row > 0 ? [] : (text?.split('\n')[0]?.split('\t') ?? [])
  return (
    <>
      <details
        className="panel columns"
        open={reading.heading_row === 0 && reading.columns.some(({ field }) => field === null)}
      >
        <summary>
          {words.columnTitle} <span className="quiet">{words.columnsUsed(reading.columns)}</span>
        </summary>
        <p className="quiet">{words.columnAbout(reading.heading_row > 0)}</p>
        <div className="columns-choice">
          {reading.columns.map(({ heading, field }, place) => (
            <label key={heading} className="field">
              <span>
                {heading} <span className="code">{firstCells[place]}</span>
              </span>
              <select value={field ?? ''} onChange={(event) => void change(heading, event.target.value)}>
                <option value="">{words.columnNone}</option>
                {fields.map((each) => (
                  <option key={each} value={each}>
                    {words.fields[each]}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </div>
        {fault !== '' && (
          <p className="fault" role="alert">
            {fault}
          </p>
        )}
      </details>
      {total > numbersMax ? (
        <LongTable file={table} map={map?.name ?? null} total={total} onAgain={onAgain} />
      ) : (
        <NumbersTable key={JSON.stringify(reading.columns)} rows={newRowsOf(rows, reference)} onAgain={onAgain} />
      )}
    </>
  )
}

/** A row with the number of an earlier row is counted there. */
export function newRowsOf(rows: readonly TableRow[], reference: string): readonly NewRow[] {
  const repeated = Map.groupBy(
    rows.flatMap(({ errors }) =>
      errors.flatMap(({ code, meta }) => (code === 'duplicate' && meta?.row ? meta.row : [])),
    ),
    (row) => row,
  )
  return rows.flatMap((row): readonly NewRow[] => {
    const { read, errors } = row
    if (errors.some(({ code, meta }) => code === 'duplicate' && meta?.row !== undefined)) return []
    const number = row.request_number ?? numberFields.map((field) => read[field]).find(Boolean)
    const list = (field: string): readonly string[] => [read[field] ?? []].flat()
    return [
      {
        number: [number ?? ''].flat().join(' '),
        kind: row.request_type as Kind | null,
        scac: row.scac ?? '',
        refs: [...list('ref_numbers'), ...(reference === '' ? [] : [reference])],
        tags: list('shipment_tags'),
        times: 1 + (repeated.get(row.row_number)?.length ?? 0),
        fault: errors[0]?.detail ?? '',
      },
    ]
  })
}

const numberFields = ['request_number', 'bill_of_lading_number', 'booking_number', 'container_number']

/** With the map that was kept for these columns, if there is one. */
async function previewOf(connection: Connection, table: File, map: string | null): Promise<Preview> {
  const ask = async (name: string | null): Promise<Preview> =>
    (await connection.sendTable(
      `/v2/imports/preview${written({ auto_detect_vocc_scac: true, rows: numbersMax, map: name })}`,
      table,
    )) as Preview
  const plain = await ask(map)
  if (map !== null || plain.meta.reading.heading_row === 0) return plain
  const name = mapNameOf(plain.meta.reading)
  const { data: maps } = await connection.read('/v2/column_maps')
  return maps.some(({ attributes }) => attributes.name === name) ? ask(name) : plain
}

/** A name for tables with the same columns. Columns without headings say nothing about the next table. */
function mapNameOf({ heading_row: headingRow, columns }: Preview['meta']['reading']): string {
  if (headingRow === 0) return 'portal-no-headings'
  const text = columns.map(({ heading }) => heading).join('|')
  let hash = 5_381
  for (const character of text.toLowerCase()) hash = (hash * 33 + (character.codePointAt(0) ?? 0)) % 4_294_967_296
  return `portal-${hash.toString(36)}`
}
