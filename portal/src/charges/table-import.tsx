/**
 * Takes terms or calendars as a table. The dry run comes first: what would be recorded, and of how many containers the
 * days would change. Each fault names its row and its field.
 */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Refusal } from '../api/connection.ts'
import { useConnection } from '../api/queries.ts'
import { DropZone } from '../parts/drop-zone.tsx'
import { useAct } from '../parts/use-act.ts'
import { chargeWords } from '../words/charges.ts'
import { TableFaults } from './table-faults.tsx'

const words = chargeWords.import

interface Imported {
  readonly meta: {
    readonly versions: readonly {
      readonly code: string
      readonly version: number
      readonly is_new: boolean
    }[]
    readonly containers_checked: number
    readonly containers_changed: number
    readonly is_complete: boolean
  }
}
type Kind = 'charge_terms' | 'calendars'
export interface TableToTake {
  readonly name: string
  /** Another one for each table that was chosen or written. */
  readonly key: number
  readonly bytes: Blob
}

function useTableImport(kind: Kind): {
  readonly dryRun: (table: TableToTake) => Promise<Imported['meta']>
  readonly record: (table: TableToTake) => Promise<Imported['meta']>
} {
  const connection = useConnection()
  const send = async ({ bytes }: TableToTake, query: string): Promise<Imported['meta']> =>
    ((await connection.sendTable(`/v2/${kind}/import${query}`, bytes)) as Imported).meta
  return { dryRun: (table) => send(table, '?dry_run=true'), record: (table) => send(table, '') }
}

interface RehearsalProps {
  readonly kind: Kind
  readonly table: TableToTake
  readonly onDone: (isRecorded: boolean) => void
}

/** A place for a table, and then what it would do. */
export function TakeTable({ kind }: { kind: Kind }) {
  const [table, setTable] = useState<TableToTake | null>(null)
  if (table !== null) return <Rehearsal kind={kind} table={table} onDone={() => setTable(null)} />
  return (
    <DropZone
      label={words.drop}
      choose={words.choose}
      accept=".csv,.xlsx"
      onFiles={([file]) =>
        setTable(file === undefined ? null : { name: file.name, key: file.lastModified, bytes: file })
      }
    />
  )
}

/** Shows what a table would do, and records it on a press. */
export function Rehearsal({ kind, table, onDone }: RehearsalProps) {
  const { dryRun, record } = useTableImport(kind)
  const act = useAct()
  const seen = useQuery<Imported['meta'], Refusal>({
    queryKey: [`/v2/${kind}/import`, table.name, table.key],
    queryFn: () => dryRun(table),
    retry: false,
  })
  if (seen.isPending) return <p role="status">{words.trying}</p>
  if (seen.error !== null)
    return (
      <TableFaults title={words.refused} faults={seen.error.faults}>
        <button type="button" onClick={() => onDone(false)}>
          {words.back}
        </button>
      </TableFaults>
    )
  const found = seen.data
  const news = found.versions.filter((each) => each.is_new)
  const take = async (): Promise<void> => {
    if (await act(() => record(table), words.recorded(news.length))) onDone(true)
  }
  return (
    <div className="note" role="status">
      <h3>{words.effect(table.name)}</h3>
      <ul className="plain-list">
        {found.versions.map(({ code, version, is_new: isNew }) => (
          <li key={`${code} ${version}`}>
            <code>{code}</code> {isNew ? words.version(version) : words.same(version)}
          </li>
        ))}
      </ul>
      <p>
        <strong>{words.changed(found.containers_changed, found.containers_checked)}</strong>
        {!found.is_complete && ` ${words.partly}`}
      </p>
      <p className="buttons">
        <button type="button" className="primary" disabled={news.length === 0} onClick={() => void take()}>
          {words.record}
        </button>
        <button type="button" onClick={() => onDone(false)}>
          {words.back}
        </button>
      </p>
    </div>
  )
}
