/** All containers of the account, those that need somebody soonest first. */

import { containerStatuses } from '../words/names.ts'
import { words } from '../words/words.ts'
import { containerColumns, containerColumnsAtFirst } from './container-columns.tsx'
import { ChoiceFilter, DayFilter, LineFilter, TextFilter } from './filters.tsx'
import { ListPage } from './list-page.tsx'
import { useListState } from './list-state.ts'

export function ContainersPage() {
  const state = useListState()
  return (
    <ListPage
      table="containers"
      title={words.list.containers}
      state={state}
      columns={containerColumns}
      columnsAtFirst={containerColumnsAtFirst}
      sorts={['urgency', '-updated_at', 'pickup_lfd', '-pickup_lfd', 'pod_eta_at', '-pod_eta_at', 'number']}
      filters={
        <>
          <TextFilter state={state} name="number" label={words.list.head.number} />
          <ChoiceFilter
            state={state}
            name="status"
            label={words.list.status}
            choices={Object.entries(containerStatuses).map(([each, [text]]) => [each, text])}
          />
          <LineFilter state={state} />
          <ChoiceFilter
            state={state}
            name="held"
            label={words.list.holds}
            choices={[
              ['true', words.list.yes],
              ['false', words.list.no],
            ]}
          />
          <DayFilter state={state} name="lfd" label={words.list.lfd} />
        </>
      }
    />
  )
}
