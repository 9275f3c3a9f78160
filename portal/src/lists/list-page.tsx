/** A list of shipments or containers: head with views, columns and export, filters, actions on several, and the table. */

import type { ColumnDef, RowSelectionState } from '@tanstack/react-table'
import { type ReactNode, useState } from 'react'
import type { Container, Shipment } from '../../../sdk/typescript/src/description.generated.ts'
import { written } from '../api/connection.ts'
import { useConnection } from '../api/queries.ts'
import { ProblemNote } from '../parts/problem.tsx'
import { useSay } from '../parts/said-line.tsx'
import { words } from '../words/words.ts'
import { ColumnsButton } from './columns-button.tsx'
import { DataTable } from './data-table.tsx'
import { downloadList } from './download-list.ts'
import { ChoiceFilter } from './filters.tsx'
import type { ListState } from './list-state.ts'
import { type Rows, useRows } from './use-rows.ts'
import { ViewsMenu } from './views-menu.tsx'

interface ListPageProps<Row extends Shipment | Container> {
  readonly table: Row extends Shipment ? 'shipments' : 'containers'
  readonly title: string
  readonly state: ListState
  readonly columns: ColumnDef<Row>[]
  readonly columnsAtFirst: readonly string[]
  /** The first is asked for when the address has none. */
  readonly sorts: readonly string[]
  readonly filters: ReactNode
  readonly actions?: (chosen: readonly string[], onDone: () => void) => ReactNode
}

export function ListPage<Row extends Shipment | Container>(props: ListPageProps<Row>) {
  const { table, title, state, columns, columnsAtFirst, sorts, filters, actions } = props
  const connection = useConnection()
  const say = useSay()
  const query = { sort: sorts[0], ...state.query }
  // safe: the path of a table has its rows
  const list = useRows(`/v2/${table}`, query) as unknown as Rows<Row>
  const [chosen, setChosen] = useState<RowSelectionState>({})
  const shown = state.columns ?? columnsAtFirst
  const choices = columns.flatMap(({ id = '', header }) =>
    typeof header === 'string' && id !== 'number' ? [[id, header] as const] : [],
  )
  const download = (): void => {
    const path = `/v2/${table}${written({ ...query, format: 'csv' })}`
    downloadList(connection, path).catch((error: unknown) =>
      say(error instanceof Error ? error.message : String(error)),
    )
  }
  return (
    <div className="list-page">
      <header className="page-head">
        <h1>{title}</h1>
        <p className="quiet">{list.total === null ? '' : words.list.total(list.total)}</p>
        <div className="actions">
          <ViewsMenu table={table} state={state} />
          <ColumnsButton
            all={choices}
            shown={shown}
            onChange={(wanted) => state.change({ columns: ['number', ...wanted].join(',') })}
          />
          <button type="button" onClick={download}>
            {words.list.export}
          </button>
        </div>
      </header>
      <form className="filters" onSubmit={(event) => event.preventDefault()} aria-label={words.list.filter}>
        {filters}
        <ChoiceFilter
          state={state}
          name="sort"
          label={words.list.sort}
          any={null}
          choices={sorts.map((each, index) => [index === 0 ? '' : each, words.list.sorts[each] ?? each])}
        />
        {state.isFiltered && (
          <button type="button" className="bare" onClick={() => state.replace({})}>
            {words.list.clear}
          </button>
        )}
      </form>
      {actions?.(Object.keys(chosen), () => setChosen({}))}
      {list.error !== null && <ProblemNote error={list.error} again={list.again} />}
      {list.rows.length === 0 && !list.isReading && list.error === null && <p className="empty">{words.list.none}</p>}
      <DataTable
        label={title}
        columns={columns}
        rows={list.rows}
        idOf={({ id }) => id}
        visible={Object.fromEntries(
          columns.map(({ id = '' }) => [id, id === 'choose' ? actions !== undefined : shown.includes(id)]),
        )}
        chosen={chosen}
        onChoose={setChosen}
        hasMore={list.hasMore}
        readMore={list.readMore}
      />
    </div>
  )
}
