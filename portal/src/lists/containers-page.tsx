/** All containers of the account, those that need somebody soonest first. */

import { useMemo } from 'react'
import { Badge } from '../parts/badge.tsx'
import { listWords } from '../words/lists.ts'
import { statusWords } from '../words/names.ts'
import { actOf } from './act.ts'
import { arrivalOf } from './box-values.ts'
import { ActWords, BoxNumber, CardWay, Fees, Holds } from './cells.tsx'
import { boxColumns, boxQuery } from './container-columns.tsx'
import type { RowTone } from './data-table.tsx'
import { boxFilters } from './filter-specs.ts'
import { ListPage, type Opened } from './list-page.tsx'
import type { BoxRow } from './list-row.ts'
import { useListState } from './list-state.ts'
import { boxPhases } from './phases.ts'
import { boxRow, boxRowOfLine } from './rows-of.ts'
import { isByPosition, sortAtFirst } from './sorting.ts'
import { useRows } from './use-rows.ts'

export function ContainersPage() {
  const state = useListState()
  const { sort = sortAtFirst } = state.values
  const list = useRows('/v2/containers', { ...state.query, sort, ...boxQuery }, { isByNumber: !isByPosition(sort) })
  const { rows, joined } = list
  const boxes = useMemo(() => rows.map((row) => boxRow(row, joined)), [rows, joined])
  return (
    <ListPage
      table="containers"
      title={listWords.containers}
      state={state}
      phases={boxPhases}
      columns={boxColumns}
      specs={boxFilters}
      search={{ name: 'find', read: numbersOf }}
      list={list}
      rows={boxes}
      fields={boxQuery}
      toRow={boxRowOfLine}
      nameOf={nameOf}
      toneOf={toneOf}
      opens={opens}
      card={BoxCard}
    />
  )
}

/** Several numbers may be pasted, with spaces or line ends between them. */
function numbersOf(text: string): string {
  return text
    .trim()
    .split(/[\s,;]+/)
    .filter(Boolean)
    .join(',')
}

const nameOf = ({ box }: BoxRow): string => box.number ?? ''

const opens = ({ box, shipmentId }: BoxRow): Opened | null =>
  shipmentId === null ? null : { open: shipmentId, box: box.number ?? '' }

function toneOf(row: BoxRow): RowTone {
  const act = actOf(row.box)
  return { tone: act?.tone ?? '', why: act?.why ?? '' }
}

function BoxCard(row: BoxRow) {
  const { box, shipment } = row
  const act = actOf(row.box)
  const arrival = arrivalOf(row)
  const hasChips = (box.holds_at_pod_terminal ?? []).length + (box.fees_at_pod_terminal ?? []).length > 0
  const references = [shipment?.customer_name, ...(shipment?.ref_numbers ?? []), shipment?.bill_of_lading_number]
  return (
    <>
      <header>
        <BoxNumber row={row} />
        {act === null ? <Badge said={statusWords(box.current_status)} /> : <ActWords act={act} />}
      </header>
      {hasChips && (
        <p className="list-chips">
          <Holds box={box} />
          <Fees box={box} />
        </p>
      )}
      <CardWay shipment={shipment} arrival={arrival} />
      <p className="quiet">{references.filter(Boolean).join(' · ')}</p>
    </>
  )
}
