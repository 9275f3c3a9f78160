/** All shipments of the account, those that need somebody soonest first. */

import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Badge } from '../parts/badge.tsx'
import { listWords } from '../words/lists.ts'
import { statusWords } from '../words/names.ts'
import { ActWords, CardWay } from './cells.tsx'
import type { RowTone } from './data-table.tsx'
import { cargoFilters } from './filter-specs.ts'
import { ListPage, type Opened } from './list-page.tsx'
import type { CargoRow } from './list-row.ts'
import { useListState } from './list-state.ts'
import { cargoPhases } from './phases.ts'
import { cargoRow, cargoRowOfLine } from './rows-of.ts'
import { arrivalOf, cargoAct, cargoColumns, cargoQuery } from './shipment-columns.tsx'
import { isByPosition, sortAtFirst } from './sorting.ts'
import { useRows } from './use-rows.ts'

export function ShipmentsPage() {
  const state = useListState()
  const { sort = sortAtFirst } = state.values
  const list = useRows('/v2/shipments', { ...state.query, sort, ...cargoQuery }, { isByNumber: !isByPosition(sort) })
  const { joined } = list
  const rows = useMemo(() => list.rows.map((row) => cargoRow(row, joined)), [list.rows, joined])
  return (
    <ListPage
      table="shipments"
      title={listWords.shipments}
      state={state}
      phases={cargoPhases}
      columns={cargoColumns}
      specs={cargoFilters}
      search={{ name: 'q' }}
      list={list}
      rows={rows}
      fields={cargoQuery}
      toRow={cargoRowOfLine}
      nameOf={nameOf}
      toneOf={toneOf}
      opens={opens}
      card={CargoCard}
    />
  )
}

const nameOf = ({ shipment }: CargoRow): string => shipment.bill_of_lading_number ?? ''

const opens = ({ id }: CargoRow): Opened => ({ open: id })

function toneOf(row: CargoRow): RowTone {
  const act = cargoAct(row)
  return { tone: act?.tone ?? '', why: act?.why ?? '' }
}

function CargoCard(row: CargoRow) {
  const { id, shipment, boxes } = row
  const act = cargoAct(row)
  const arrival = arrivalOf(row)
  const more = [shipment.customer_name, ...(shipment.ref_numbers ?? []), listWords.boxes(boxes.length)]
  return (
    <>
      <header>
        <Link to="/shipments/$shipmentId" params={{ shipmentId: id }} className="number">
          {shipment.bill_of_lading_number}
        </Link>
        {act === null ? <Badge said={statusWords(shipment.status)} /> : <ActWords act={act} />}
      </header>
      <CardWay shipment={shipment} arrival={arrival} />
      <p className="quiet">{more.filter(Boolean).join(' · ')}</p>
    </>
  )
}
