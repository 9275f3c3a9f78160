/** All containers of the account, those whose free time ends soonest first when the reader asks for it. */

import { useState } from 'react'
import { written } from '../api/connection.ts'
import { useConnection } from '../api/queries.ts'
import { ProblemNote } from '../parts/problem.tsx'
import { statusWords } from '../words/names.ts'
import { words } from '../words/words.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { containerColumns, containerColumnsAtFirst } from './container-columns.tsx'
import { DataTable } from './data-table.tsx'
import { downloadList } from './download-list.ts'
import { ChoiceFilter, DayFilter, LineFilter, TextFilter } from './filters.tsx'
import { useListState } from './list-state.ts'
import { useRows } from './use-rows.ts'
import { ViewsMenu } from './views-menu.tsx'

const statuses = [
  'new',
  'loaded',
  'on_ship',
  'grounded',
  'available',
  'not_available',
  'awaiting_inland_transfer',
  'on_rail',
  'picked_up',
  'delivered',
  'empty_returned',
] as const
const sorts = ['-updated_at', 'pickup_lfd', '-pickup_lfd', 'pod_eta_at', '-pod_eta_at', 'number'] as const

export function ContainersPage() {
  const state = useListState()
  const connection = useConnection()
  const list = useRows('/v2/containers', state.query)
  const [chosen, setChosen] = useState({})
  const shown = state.columns ?? containerColumnsAtFirst
  const visible = Object.fromEntries(containerColumns.map(({ id = '' }) => [id, shown.includes(id)]))
  const choices = containerColumns.flatMap(({ id = '', header }) =>
    typeof header === 'string' && id !== 'number' ? [[id, header] as const] : [],
  )
  return (
    <div className="list-page">
      <header className="page-head">
        <h1>{words.list.containers}</h1>
        <p className="quiet">{list.total === null ? '' : words.list.total(list.total)}</p>
        <div className="actions">
          <ViewsMenu table="containers" state={state} />
          <ColumnsMenu
            all={choices}
            shown={shown}
            onChange={(columns) => state.change({ columns: ['number', ...columns].join(',') })}
          />
          <button
            type="button"
            onClick={() =>
              void downloadList(connection, `/v2/containers${written({ ...state.query, format: 'csv' })}`)
            }
          >
            {words.list.export}
          </button>
        </div>
      </header>
      <form className="filters" onSubmit={(event) => event.preventDefault()} aria-label={words.list.filter}>
        <TextFilter state={state} name="number" label={words.list.head.number} />
        <ChoiceFilter
          state={state}
          name="status"
          label={words.list.status}
          choices={statuses.map((each) => [each, statusWords(each)[0]])}
        />
        <LineFilter state={state} />
        <ChoiceFilter
          state={state}
          name="held"
          label={words.list.holds}
          choices={[
            ['true', 'Yes'],
            ['false', 'No'],
          ]}
        />
        <DayFilter state={state} name="lfd" label={words.list.lfd} />
        <ChoiceFilter
          state={state}
          name="sort"
          label={words.list.sort}
          any={null}
          choices={sorts.map((each) => [each === '-updated_at' ? '' : each, words.list.sorts[each] ?? each])}
        />
        {state.isFiltered && (
          <button type="button" className="bare" onClick={() => state.replace({})}>
            {words.list.clear}
          </button>
        )}
      </form>
      {list.error !== null && <ProblemNote error={list.error} again={list.again} />}
      {list.rows.length === 0 && !list.isReading && list.error === null && (
        <p className="empty">{words.list.none}</p>
      )}
      <DataTable
        label={words.list.containers}
        columns={containerColumns}
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
