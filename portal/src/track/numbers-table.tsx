/** The pasted numbers with what was found out about each. The reader may choose otherwise, and then all are tracked. */

import { useCallback, useEffect, useState } from 'react'
import { useConnection, useRead } from '../api/queries.ts'
import { trackWords as words } from '../words/track.ts'
import { inferAll, type Kind, notInferred, type Row } from './inferred.ts'
import type { Batch } from './track-progress.tsx'

interface NumbersTableProps {
  readonly numbers: readonly string[]
  readonly reference: string
  readonly onBatch: (batch: Batch) => void
  readonly onAgain: () => void
}

export function NumbersTable({ numbers, reference, onBatch, onAgain }: NumbersTableProps) {
  const connection = useConnection()
  const [rows, setRows] = useState<readonly Row[]>(() => numbers.map(notInferred))
  const [isReading, setReading] = useState(true)
  const [fault, setFault] = useState('')
  const [isSending, setSending] = useState(false)
  const replace = useCallback(
    (row: Row): void => setRows((before) => before.map((each) => (each.number === row.number ? row : each))),
    [],
  )
  useEffect(() => {
    const ending = new AbortController()
    const onRow = (row: Row): void => {
      if (!ending.signal.aborted) replace(row)
    }
    inferAll(connection, numbers, { onRow, signal: ending.signal })
      // A number whose kind was not found out is found by asking the lines.
      .catch(() => undefined)
      .finally(() => setReading(false))
    return () => ending.abort()
  }, [connection, numbers, replace])

  const track = async (): Promise<void> => {
    setSending(true)
    try {
      const data = rows.map((row) => requestOf(row, reference))
      const answer = (await connection.ask('POST', '/v2/tracking_requests/batch', { data })) as {
        data: Batch
      }
      onBatch({ ...answer.data, numbers: rows.map(({ number }) => number) })
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error))
      setSending(false)
    }
  }
  return (
    <section className="panel" aria-label={words.table}>
      <p role="status">{isReading ? words.reading : ''}</p>
      <div className="scroll">
        <table className="numbers">
          <thead>
            <tr>
              <th scope="col">{words.number}</th>
              <th scope="col">{words.kind}</th>
              <th scope="col">{words.line}</th>
              <th scope="col">{words.why}</th>
              <th scope="col">
                <span className="unseen">{words.remove('')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <NumberRow
                key={row.number}
                row={row}
                onChange={replace}
                onRemove={() => setRows(rows.filter((each) => each !== row))}
              />
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
        <button
          type="button"
          className="primary"
          disabled={isSending || rows.length === 0}
          onClick={() => void track()}
        >
          {isSending ? words.sending : words.track(rows.length)}
        </button>
        <button type="button" onClick={onAgain}>
          {words.again}
        </button>
      </p>
    </section>
  )
}

function requestOf({ number, kind, scac }: Row, reference: string) {
  return {
    type: 'tracking_request',
    attributes: {
      request_number: number,
      ...(kind === null ? {} : { request_type: kind }),
      ...(scac === '' ? { auto_detect_vocc_scac: true } : { scac }),
      ...(reference === '' ? {} : { ref_numbers: [reference] }),
    },
  }
}

function NumberRow(props: { row: Row; onChange: (row: Row) => void; onRemove: () => void }) {
  const { row, onChange, onRemove } = props
  const lines = useRead('/v2/shipping_lines').data?.data ?? []
  const likely = row.candidates.map(({ scac }) => scac)
  return (
    <tr>
      <th scope="row" className="number">
        {row.number}
      </th>
      <td>
        <select
          aria-label={`${words.kind}: ${row.number}`}
          value={row.kind ?? ''}
          onChange={(event) => onChange({ ...row, kind: (event.target.value || null) as Kind | null })}
        >
          <option value="">{words.byAsking}</option>
          {Object.entries(words.kinds).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </td>
      <td>
        <select
          aria-label={`${words.line}: ${row.number}`}
          value={row.scac}
          onChange={(event) => onChange({ ...row, scac: event.target.value })}
        >
          <option value="">{words.byAsking}</option>
          {row.candidates.map(({ scac, name, confidence }) => (
            <option key={scac} value={scac}>
              {name} · {words.sure(Math.round(confidence * 100))}
            </option>
          ))}
          {lines
            .filter(({ attributes }) => !likely.includes(attributes.scac ?? ''))
            .map(({ attributes }) => (
              <option key={attributes.scac} value={attributes.scac}>
                {attributes.name} · {attributes.scac}
              </option>
            ))}
        </select>
      </td>
      <td className="quiet">{row.fault || whyOf(row)}</td>
      <td>
        <button type="button" className="bare" aria-label={words.remove(row.number)} onClick={onRemove}>
          ×
        </button>
      </td>
    </tr>
  )
}

function whyOf({ decision, candidates, scac, isBadCheckDigit }: Row): string {
  if (isBadCheckDigit) return words.badCheck
  const chosen = candidates.find((each) => each.scac === scac)
  if (chosen !== undefined) return words.sure(Math.round(chosen.confidence * 100))
  return decision === 'needs_confirmation' ? words.unsure : ''
}
