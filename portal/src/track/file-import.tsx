/**
 * A CSV or XLSX table: how its columns are read, which the reader can change, and then the import of all rows. The
 * choice is kept as a column map under the names of the columns, so the next table of this kind needs no choice.
 */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Connection, Refusal, written } from '../api/connection.ts'
import { useConnection, useRead } from '../api/queries.ts'
import { ProblemNote } from '../parts/problem.tsx'
import { trackWords as words } from '../words/track.ts'
import { words as common } from '../words/words.ts'

interface Preview {
  readonly meta: {
    readonly total: number
    readonly readable: number
    readonly reading: {
      readonly columns: readonly { readonly heading: string; readonly field: string | null }[]
    }
    readonly rows: readonly {
      readonly row_number: number
      readonly request_number: string | null
      readonly request_type: string | null
      readonly scac: string | null
      readonly errors: readonly { readonly detail: string }[]
    }[]
  }
}
const everyMs = 2_000
const fields = [
  'request_number',
  'bill_of_lading_number',
  'booking_number',
  'container_number',
  'request_type',
  'scac',
  'ref_numbers',
  'shipment_tags',
] as const

export function FileImport({ file, onAgain }: { file: File; onAgain: () => void }) {
  const connection = useConnection()
  const [importId, setImportId] = useState<string | null>(null)
  const [fault, setFault] = useState('')
  const [map, setMap] = useState<string | null>(null)
  const preview = useQuery<Preview, Refusal>({
    queryKey: ['/v2/imports/preview', file.name, file.lastModified, map],
    queryFn: () => previewOf(connection, file, map),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (importId !== null) return <ImportProgress importId={importId} onAgain={onAgain} />
  if (preview.error !== null) return <ProblemNote error={preview.error} again={onAgain} />
  if (preview.data === undefined) return <p className="quiet">{common.reading}</p>
  const { reading, rows, total, readable } = preview.data.meta
  const change = async (heading: string, field: string): Promise<void> => {
    const columns = Object.fromEntries(
      fields.map((each) => {
        const headings = reading.columns
          .filter((column) => (column.heading === heading ? field : column.field) === each)
          .map((column) => column.heading)
        return [each, headings.length === 0 ? null : headings.length === 1 ? headings[0] : headings]
      }),
    )
    const name = mapNameOf(reading.columns.map((column) => column.heading))
    const data = { type: 'column_map', attributes: { columns } }
    try {
      await connection.ask('PUT', `/v2/column_maps/${name}`, { data })
      setMap(name)
      await preview.refetch()
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error))
    }
  }
  const start = async (): Promise<void> => {
    try {
      const query = written({ file_name: file.name, auto_detect_vocc_scac: true, map })
      const answer = await connection.sendTable(`/v2/imports${query}`, file)
      setImportId((answer as { readonly data: { readonly id: string } }).data.id)
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <section className="panel" aria-label={words.columnTitle}>
      <h2>{words.columnTitle}</h2>
      <p className="quiet">{words.columnAbout(file.name)}</p>
      <div className="columns-choice">
        {reading.columns.map(({ heading, field }) => (
          <label key={heading} className="field">
            <span>{heading}</span>
            <select value={field ?? ''} onChange={(event) => void change(heading, event.target.value)}>
              <option value="">{words.columnNone}</option>
              {fields.map((each) => (
                <option key={each} value={each}>
                  {words.fields[each] ?? each}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      <div className="scroll">
        <table className="numbers">
          <tbody>
            {rows.map((row) => (
              <tr key={row.row_number}>
                <th scope="row">{words.row(row.row_number)}</th>
                <td className="number">{row.request_number}</td>
                <td>{row.scac}</td>
                <td className="fault">{row.errors.map(({ detail }) => detail).join(' ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {fault !== '' && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      <p className="buttons">
        <button type="button" className="primary" disabled={readable === 0} onClick={() => void start()}>
          {words.columnUse} ({readable} / {total})
        </button>
        <button type="button" onClick={onAgain}>
          {words.again}
        </button>
      </p>
    </section>
  )
}

/** With the map that was kept for these columns, if there is one. */
async function previewOf(connection: Connection, file: File, map: string | null): Promise<Preview> {
  const ask = async (name: string | null): Promise<Preview> =>
    (await connection.sendTable(
      `/v2/imports/preview${written({ auto_detect_vocc_scac: true, map: name })}`,
      file,
    )) as Preview
  const plain = await ask(map)
  if (map !== null) return plain
  const name = mapNameOf(plain.meta.reading.columns.map(({ heading }) => heading))
  return ask(name).catch((error: unknown) => {
    if (error instanceof Refusal && error.status < 500) return plain
    throw error
  })
}

/** A name for tables with the same columns. */
function mapNameOf(headings: readonly string[]): string {
  const text = headings.join('|').toLowerCase()
  let hash = 5_381
  for (const character of text) hash = (hash * 33 + (character.codePointAt(0) ?? 0)) % 4_294_967_296
  return `portal-${hash.toString(36)}`
}

function ImportProgress({ importId, onAgain }: { importId: string; onAgain: () => void }) {
  const found = useRead('/v2/imports/{id}', { ids: [importId], everyMs })
  const rows = useRead('/v2/imports/{id}/rows', {
    ids: [importId],
    query: { 'filter[status]': 'invalid,duplicate', 'page[size]': 50 },
    everyMs: everyMs * 2,
  })
  const about = found.data?.data.attributes
  const failed = (about?.invalid ?? 0) + (about?.duplicate ?? 0)
  return (
    <section className="panel" aria-label={words.progress}>
      <progress aria-label={words.progress} max={about?.total ?? 1} value={(about?.created ?? 0) + failed} />
      <p role="status">{words.imported(about?.created ?? 0, failed)}</p>
      <ul className="plain-list">
        {rows.data?.data.map(({ id, attributes }) => (
          <li key={id}>
            {words.row(attributes.row_number ?? 0)} <span className="number">{attributes.request_number}</span>{' '}
            <span className="fault">{(attributes.errors ?? []).map(({ detail }) => detail).join(' ')}</span>
          </li>
        ))}
      </ul>
      <button type="button" onClick={onAgain}>
        {words.again}
      </button>
    </section>
  )
}
