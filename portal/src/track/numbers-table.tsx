/**
 * The numbers to be tracked: first with what was found about each, which the reader may change, and after they were
 * sent with what became of each. What was refused is corrected in its row and sent again, alone.
 */

import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useConnection } from '../api/queries.ts'
import { trackWords as words } from '../words/track.ts'
import { NumberRow } from './number-row.tsx'
import {
  type Batch,
  changeRow,
  type Item,
  isAnswered,
  makeRow,
  type NewRow,
  outcomeOf,
  outcomes,
  type Row,
  readRows,
  requestOf,
} from './rows.ts'

const everyMs = 2_000

export function NumbersTable({ rows: given, onAgain }: { rows: readonly NewRow[]; onAgain: () => void }) {
  const connection = useConnection()
  const [rows, setRows] = useState<readonly Row[]>(() => given.map(makeRow))
  const [fault, setFault] = useState('')
  const [isSending, setSending] = useState(false)
  const [batches, setBatches] = useState<readonly Batch[]>([])
  const items = useItems(batches)
  const status = useRef<HTMLParagraphElement>(null)
  const reader = useReader(rows, setRows)

  const itemOf = ({ sent }: Row): Item | undefined =>
    sent === null ? undefined : items.get(sent.batchId)?.[sent.place]
  const shown = rows.map((row) => ({ row, item: itemOf(row), outcome: outcomeOf(row, itemOf(row)) }))
  const ready = shown.filter(({ row, outcome }) => row.sent === null && outcome === null).map(({ row }) => row)
  const sent = shown.filter(({ row }) => row.sent !== null)
  const answered = sent.filter(({ item }) => isAnswered(item)).length
  const tracked = sent.filter(({ outcome }) => outcome?.is === 'tracked').length

  const track = async (): Promise<void> => {
    setSending(true)
    setFault('')
    try {
      const body = { data: ready.map(requestOf) }
      // safe: the path's description says that its answer has this shape
      const { data: batch } = (await connection.ask('POST', '/v2/tracking_requests/batch', body)) as { data: Batch }
      const places = new Map(ready.map(({ id }, place) => [id, place]))
      setBatches((before) => [...before, batch])
      setRows((before) =>
        before.map((row) => {
          const place = places.get(row.id)
          return place === undefined ? row : { ...row, isReading: false, sent: { batchId: batch.id, place } }
        }),
      )
      status.current?.focus()
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error))
    }
    setSending(false)
  }
  return (
    <section className="panel" aria-label={words.table}>
      <div className="buttons">
        <p className="sum" role="status" ref={status} tabIndex={-1}>
          {sumOf(shown)}
        </p>
        {shown.some(({ outcome }) => outcome?.is === 'wrong') && (
          <button
            type="button"
            className="link"
            onClick={(event) =>
              event.currentTarget.closest('section')?.querySelector<HTMLElement>('.wrong input')?.focus()
            }
          >
            {words.correctFirst}
          </button>
        )}
      </div>
      {sent.length > 0 && (
        <div className="progress">
          <progress aria-label={words.progress} max={sent.length} value={answered} />
          <span className="quiet">{words.counts(sent.length, answered, tracked)}</span>
        </div>
      )}
      <table className="numbers">
        <thead>
          <tr>
            <th scope="col">{words.number}</th>
            <th scope="col">{words.kind}</th>
            <th scope="col">{words.line}</th>
            <th scope="col">{words.state}</th>
            <th scope="col">
              <span className="unseen">{words.remove('')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ row, item, outcome }) => (
            <NumberRow
              key={row.id}
              row={row}
              item={item}
              outcome={outcome}
              onChange={(change) => reader.change(row, change)}
              onRemove={() => {
                status.current?.focus()
                setRows(rows.filter((each) => each !== row))
              }}
            />
          ))}
        </tbody>
      </table>
      {fault !== '' && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      <p className="buttons">
        {(ready.length > 0 || sent.length === 0) && (
          <button
            type="button"
            className="primary"
            disabled={isSending || ready.length === 0}
            onClick={() => void track()}
          >
            {isSending ? words.sending : ready.length === 0 ? words.nothing : words.track(ready.length)}
          </button>
        )}
        {sent.length > 0 && (
          <Link to="/shipments" className="button">
            {words.all}
          </Link>
        )}
        <button type="button" onClick={onAgain}>
          {words.again}
        </button>
      </p>
    </section>
  )
}

/** Reads all rows at first, and each that is changed again. What a person changed meanwhile is not overwritten. */
function useReader(rows: readonly Row[], setRows: (change: (before: readonly Row[]) => readonly Row[]) => void) {
  const connection = useConnection()
  const first = useRef(rows)
  const ending = useRef(new AbortController())
  const read = (read: readonly Row[]): void => {
    const { signal } = ending.current
    const asked = new Map(read.map((row) => [row.id, row]))
    const onRow = (row: Row): void => {
      const before = asked.get(row.id)
      asked.set(row.id, row)
      if (!signal.aborted) setRows((all) => all.map((each) => (each === before ? row : each)))
    }
    void readRows(connection, read, { onRow, signal })
  }
  const readFirst = useRef(() => read(first.current))
  useEffect(() => {
    ending.current = new AbortController()
    readFirst.current()
    return () => ending.current.abort()
  }, [])
  return {
    change: (row: Row, change: Partial<Row>): void => {
      const changed = changeRow(row, change)
      setRows((all) => all.map((each) => (each === row ? changed : each)))
      read([changed])
    },
  }
}

/** The items of all batches, read again until each has its answer. */
function useItems(batches: readonly Batch[]): ReadonlyMap<string, readonly Item[]> {
  const connection = useConnection()
  const found = useQueries({
    queries: batches.map((batch) => ({
      queryKey: ['/v2/tracking_requests/batch', batch.id],
      queryFn: async () => (await connection.read('/v2/tracking_requests/batch/{id}', { ids: [batch.id] })).data,
      initialData: batch,
      refetchInterval: ({ state }: { state: { data: Batch | undefined } }) =>
        state.data?.attributes.items?.every(isAnswered) === true ? (false as const) : everyMs,
    })),
  })
  return new Map(found.map(({ data }) => [data.id, data.attributes.items ?? []]))
}

type Shown = { readonly row: Row; readonly outcome: ReturnType<typeof outcomeOf> }

/** How many rows have which state: "17 tracked · 3 not known to any line · 10 to be corrected". */
function sumOf(shown: readonly Shown[]): string {
  const counts = Map.groupBy(shown, ({ row, outcome }) => outcome?.is ?? (row.isReading ? 'reading' : 'ready'))
  const repeated = shown.filter(({ row }) => row.times > 1).length
  const parts = (['ready', 'reading', ...outcomes] as const).flatMap((state) => {
    const count = counts.get(state)?.length ?? 0
    return count === 0 ? [] : [words.sums[state](count)]
  })
  return [...parts, ...(repeated === 0 ? [] : [words.repeated(repeated)])].join(' · ')
}
