/** All shipments of the account, those that need somebody soonest first. */

import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Badge } from '../parts/badge.tsx'
import { statusWords } from '../words/names.ts'
import { words } from '../words/words.ts'
import { TrackingButtons } from './bulk-bar.tsx'
import { Arrival, Route } from './cells.tsx'
import type { RowTone } from './data-table.tsx'
import { cargoFilters } from './filter-specs.ts'
import type { CargoRow } from './list-column.ts'
import { ListPage } from './list-page.tsx'
import { useListState } from './list-state.ts'
import { cargoPhases } from './phases.ts'
import { cargoRow, cargoRowOfLine } from './rows-of.ts'
import { arrivalOf, cargoColumns, cargoQuery } from './shipment-columns.tsx'
import { isByPosition, sortAtFirst } from './sorting.ts'
import { useRows } from './use-rows.ts'

export function ShipmentsPage() {
  const state = useListState()
  const { sort = sortAtFirst } = state.values
  const list = useRows('/v2/shipments', { ...state.query, sort, ...cargoQuery }, { isByNumber: !isByPosition(sort) })
  const rows = useMemo(() => list.rows.map(cargoRow), [list.rows])
  return (
    <ListPage
      table="shipments"
      title={words.list.shipments}
      state={state}
      phases={cargoPhases}
      counts={{}}
      columns={cargoColumns}
      specs={cargoFilters}
      search={{ name: 'q' }}
      list={list}
      rows={rows}
      fields={cargoQuery}
      toRow={cargoRowOfLine}
      nameOf={nameOf}
      toneOf={toneOf}
      card={CargoCard}
      actions={(ids, onDone) => <TrackingButtons ids={ids} onDone={onDone} />}
    />
  )
}

const nameOf = ({ shipment }: CargoRow): string => shipment.bill_of_lading_number ?? ''

/** What must be done is told of containers. */
function toneOf(): RowTone {
  return { tone: '', why: '' }
}

function CargoCard(row: CargoRow) {
  const { id, shipment, boxesCount } = row
  const arrival = arrivalOf(row)
  const more = [shipment.customer_name, ...(shipment.ref_numbers ?? []), words.list.boxes(boxesCount)]
  return (
    <>
      <header>
        <Link to="/shipments/$shipmentId" params={{ shipmentId: id }} className="number">
          {shipment.bill_of_lading_number}
        </Link>
        <Badge said={statusWords(shipment.status)} />
      </header>
      <p>
        <Route shipment={shipment} />
      </p>
      <p>
        {arrival.isActual ? words.list.arrivedOn : words.list.arrivesOn}{' '}
        <Arrival {...arrival} isActual={false} shipment={shipment} />
      </p>
      <p className="quiet">{more.filter(Boolean).join(' · ')}</p>
    </>
  )
}
