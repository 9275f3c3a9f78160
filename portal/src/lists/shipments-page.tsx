/** All shipments of the account, those that need somebody soonest first, several of which can be stopped or resumed together. */

import { shipmentStatuses } from '../words/names.ts'
import { words } from '../words/words.ts'
import { BulkBar } from './bulk-bar.tsx'
import { ChoiceFilter, DayFilter, LineFilter, TextFilter } from './filters.tsx'
import { ListPage } from './list-page.tsx'
import { useListState } from './list-state.ts'
import { shipmentColumns, shipmentColumnsAtFirst } from './shipment-columns.tsx'

export function ShipmentsPage() {
  const state = useListState()
  return (
    <ListPage
      table="shipments"
      title={words.list.shipments}
      state={state}
      columns={shipmentColumns}
      columnsAtFirst={shipmentColumnsAtFirst}
      sorts={['urgency', '-created_at', 'created_at', '-updated_at', 'pod_eta_at', '-pod_eta_at']}
      filters={
        <>
          <TextFilter state={state} name="q" label={words.list.find} />
          <ChoiceFilter
            state={state}
            name="status"
            label={words.list.status}
            choices={Object.entries(shipmentStatuses).map(([each, [text]]) => [each, text])}
          />
          <LineFilter state={state} />
          <DayFilter state={state} name="from" label={words.list.etaFrom} />
          <DayFilter state={state} name="to" label={words.list.etaTo} />
        </>
      }
      actions={(chosen, onDone) => <BulkBar chosen={chosen} onDone={onDone} />}
    />
  )
}
