/** A table with more rows than are shown: the server imports it. What it refuses can be corrected here. */

import { useState } from 'react'
import { written } from '../api/connection.ts'
import { useConnection, useRead } from '../api/queries.ts'
import { trackWords as words } from '../words/track.ts'
import { NumbersTable } from './numbers-table.tsx'
import { newRowsOf, type TableRow } from './table-numbers.tsx'

interface LongTableProps {
  readonly file: File
  readonly map: string | null
  readonly total: number
  readonly onAgain: () => void
}

export function LongTable({ file, map, total, onAgain }: LongTableProps) {
  const connection = useConnection()
  const [importId, setImportId] = useState<string | null>(null)
  const [fault, setFault] = useState('')
  if (importId !== null) return <ImportProgress importId={importId} onAgain={onAgain} />
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
    <section className="panel">
      <p>{words.longTable(total)}</p>
      {fault !== '' && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      <p className="buttons">
        <button type="button" className="primary" onClick={() => void start()}>
          {words.track(total)}
        </button>
        <button type="button" onClick={onAgain}>
          {words.again}
        </button>
      </p>
    </section>
  )
}

const everyMs = 2_000

function ImportProgress({ importId, onAgain }: { importId: string; onAgain: () => void }) {
  const found = useRead('/v2/imports/{id}', { ids: [importId], everyMs })
  const { status, total = 1, created = 0, duplicate = 0, invalid = 0 } = found.data?.data.attributes ?? {}
  const rows = useRead('/v2/imports/{id}/rows', {
    ids: [importId],
    query: { 'filter[status]': 'invalid', 'page[size]': 100 },
    isOn: status === 'done' && invalid > 0,
  })
  // safe: a row of an import has the members of a row of the preview
  const wrong = rows.data?.data.map(({ attributes }) => attributes as TableRow)
  return (
    <>
      <section className="panel">
        <p role="status">{words.imported(created, duplicate, invalid)}</p>
        <progress aria-label={words.progress} max={total} value={created + duplicate + invalid} />
      </section>
      {wrong !== undefined && <NumbersTable rows={newRowsOf(wrong, '')} onAgain={onAgain} />}
    </>
  )
}
