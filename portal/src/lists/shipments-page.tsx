/** All shipments of the account: filters, order, columns, actions on several, export. */

import type { RowSelectionState } from '@tanstack/react-table'
import { useState } from 'react'
import { written } from '../api/connection.ts'
import { useConnection } from '../api/queries.ts'
import { ProblemNote } from '../parts/problem.tsx'
import { statusWords } from '../words/names.ts'
import { words } from '../words/words.ts'
import { BulkBar } from './bulk-bar.tsx'
import { ColumnsMenu } from './columns-menu.tsx'
import { DataTable } from './data-table.tsx'
import { downloadList } from './download-list.ts'
import { ChoiceFilter, DayFilter, LineFilter, TextFilter } from './filters.tsx'
import { useListState } from './list-state.ts'
import { shipmentColumns, shipmentColumnsAtFirst } from './shipment-columns.tsx'
import { useRows } from './use-rows.ts'
import { ViewsMenu } from './views-menu.tsx'

const statuses = ['pending', 'in_transit', 'arrived', 'picked_up', 'completed', 'cancelled'] as const
const sorts = ['-created_at', 'created_at', '-updated_at', 'pod_eta_at', '-pod_eta_at'] as const

export function ShipmentsPage() {
  const state = useListState()
  const connection = useConnection()
  const list = useRows('/v2/shipments', state.query)
  const [chosen, setChosen] = useState<RowSelectionState>({})
  const shown = state.columns ?? shipmentColumnsAtFirst
  const visible = Object.fromEntries(shipmentColumns.map(({ id = '' }) => [id, shown.includes(id)]))
  const choices = shipmentColumns.flatMap(({ id = '', header }) =>
    typeof header === 'string' && id !== 'number' ? [[id, header] as const] : [],
  )
  return (
    <div className="list-page">
      <header className="page-head">
        <h1>{words.list.shipments}</h1>
        <p className="quiet">{list.total === null ? '' : words.list.total(list.total)}</p>
        <div className="actions">
          <ViewsMenu table="shipments" state={state} />
          <ColumnsMenu
            all={choices}
            shown={shown}
            onChange={(columns) => state.change({ columns: ['number', ...columns].join(',') })}
          />
          <button
            type="button"
            onClick={() =>
              void downloadList(connection, `/v2/shipments${written({ ...state.query, format: 'csv' })}`)
            }
          >
            {words.list.export}
          </button>
        </div>
      </header>
      <form className="filters" onSubmit={(event) => event.preventDefault()} aria-label={words.list.filter}>
        <TextFilter state={state} name="q" label={words.list.find} />
        <ChoiceFilter
          state={state}
          name="status"
          label={words.list.status}
          choices={statuses.map((each) => [each, statusWords(each)[0]])}
        />
        <LineFilter state={state} />
        <DayFilter state={state} name="from" label={words.list.etaFrom} />
        <DayFilter state={state} name="to" label={words.list.etaTo} />
        <ChoiceFilter
          state={state}
          name="sort"
          label={words.list.sort}
          any={null}
          choices={sorts.map((each) => [each === '-created_at' ? '' : each, words.list.sorts[each] ?? each])}
        />
        {state.isFiltered && (
          <button type="button" className="bare" onClick={() => state.replace({})}>
            {words.list.clear}
          </button>
        )}
      </form>
      <BulkBar chosen={Object.keys(chosen)} onDone={() => setChosen({})} />
      {list.error !== null && <ProblemNote error={list.error} again={list.again} />}
      {list.rows.length === 0 && !list.isReading && list.error === null && (
        <p className="empty">{words.list.none}</p>
      )}
      <DataTable
        label={words.list.shipments}
        columns={shipmentColumns}
        rows={list.rows}
        idOf={({ id }) => id}
        visible={visible}
        chosen={chosen}
        onChoose={setChosen}
        hasMore={list.hasMore}
        readMore={list.readMore}
      />
    </div>
  )
}
