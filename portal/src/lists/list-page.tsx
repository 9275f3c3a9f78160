/** A list of shipments or containers as a work list: presets, search, filters, actions on several, and rows or cards. */

import { useQueryClient } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { ProblemNote } from '../parts/problem.tsx'
import { todayIn } from '../parts/time.ts'
import { usePhone } from '../parts/use-phone.ts'
import { useShipmentAddress } from '../shipment/use-shipment-address.ts'
import { listWords } from '../words/lists.ts'
import { words } from '../words/words.ts'
import { BulkBar, TrackingButtons } from './bulk-bar.tsx'
import { ColumnsButton } from './columns-button.tsx'
import { DataTable, type RowTone } from './data-table.tsx'
import { densityOf, storeDensity } from './density.ts'
import { ExportButton, useExport } from './export-button.tsx'
import { FilterChips } from './filter-chips.tsx'
import { type FilterSpec, filterWords, setFilters } from './filter-specs.ts'
import { TextFilter } from './filters.tsx'
import { isEmptyColumn, type ListColumn } from './list-column.ts'
import type { ListState } from './list-state.ts'
import { type Phase, phaseOf } from './phases.ts'
import { Presets } from './presets.tsx'
import { RowCards } from './row-cards.tsx'
import { nextOrder, sortAtFirst } from './sorting.ts'
import { useCounts } from './use-counts.ts'
import { useListKeys } from './use-list-keys.ts'
import type { Rows } from './use-rows.ts'
import { ViewsButton } from './views-button.tsx'
import './lists.css'

const FilterPanel = lazy(() => import('./filter-panel.tsx').then(({ FilterPanel }) => ({ default: FilterPanel })))
const ShipmentSheet = lazy(() =>
  import('./shipment-sheet.tsx').then(({ ShipmentSheet }) => ({ default: ShipmentSheet })),
)
const KeysDialog = lazy(() => import('./keys-dialog.tsx').then(({ KeysDialog }) => ({ default: KeysDialog })))

export interface Opened {
  readonly open: string
  readonly box?: string
}

export interface ListPageProps<Row extends { readonly id: string }> {
  readonly table: 'shipments' | 'containers'
  readonly title: string
  readonly state: ListState
  readonly phases: readonly Phase[]
  readonly columns: readonly ListColumn<Row>[]
  readonly specs: readonly FilterSpec[]
  readonly search: { readonly name: string; readonly read?: (text: string) => string }
  readonly list: Rows<unknown>
  readonly rows: readonly Row[]
  /** What is exported besides filters and order. */
  readonly fields: Readonly<Record<string, string>>
  readonly toRow: (line: unknown) => Row
  readonly nameOf: (row: Row) => string
  readonly toneOf: (row: Row) => RowTone
  /** The shipment that the row opens, and its container. */
  readonly opens: (row: Row) => Opened | null
  readonly card: (row: Row) => ReactNode
}

export function ListPage<Row extends { readonly id: string }>(props: ListPageProps<Row>) {
  const { table, title, state, phases, columns, specs, list, rows, nameOf, toneOf } = props
  const queries = useQueryClient()
  const isPhone = usePhone()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isFiltering, setFiltering] = useState(false)
  const [isExplaining, setExplaining] = useState(false)
  const [density, setDensity] = useState(densityOf)
  const page = useRef<HTMLDivElement>(null)
  const focus = useRef<((index: number) => void) | null>(null)
  const { values } = state
  const order = values['sort'] ?? sortAtFirst
  const phase = phaseOf(phases, values)
  const wanted = state.columns ?? (phase ?? phases[0])?.columns ?? []
  const shown = useShown(columns, wanted, rows, state.columns === null && list.whole !== null)
  const filters = setFilters(specs, values, phase)
  const isFiltered = filters.length > 0 || Boolean(values[props.search.name])
  const chosenRows = rows.filter(({ id }) => chosen.has(id))
  const exporting = useExport(() => ({
    path: `/v2/${table}`,
    query: { ...state.query, ...props.fields },
    columns: shown,
    order,
    toRow: props.toRow,
    rows: chosenRows.length > 0 ? chosenRows : null,
    title,
    name: fileName([
      title,
      ...(phase === null || phase === phases[0] ? [] : [phase.label]),
      ...filters.map((spec) => fileWords(spec, filterWords(queries, spec, values[spec.name] ?? ''))),
      values[props.search.name] ?? '',
      todayIn(null),
    ]),
  }))
  const address = useShipmentAddress()
  const openRow = (index: number): void => {
    const row = rows[index]
    const opened = row === undefined ? null : props.opens(row)
    if (opened !== null) address.change(opened)
  }
  const closeSheet = (): void => {
    address.change({ open: '', box: '', as_of: '' })
    const index = rows.findIndex((row) => {
      const opened = props.opens(row)
      return opened?.open === address.open && (opened?.box ?? null) === address.box
    })
    if (index >= 0) focus.current?.(index)
  }
  const { rowsKey } = list
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was chosen in other rows is not chosen any more
  useEffect(() => setChosen(new Set()), [rowsKey])
  useListKeys({
    count: rows.length,
    focusRow: (index) => focus.current?.(index),
    open: openRow,
    toggle: (id) => {
      const next = new Set(chosen)
      if (!next.delete(id)) next.add(id)
      setChosen(next)
    },
    clear: () => setChosen(new Set()),
    search: () => page.current?.querySelector<HTMLInputElement>('.list-search input')?.focus(),
    exportFile: () => exporting.save('xlsx'),
    explain: () => setExplaining(true),
  })
  const isNone = rows.length === 0 && !list.isReading && list.error === null
  return (
    <div className="list-page" ref={page}>
      <header className="list-head">
        <h1>
          {title}{' '}
          <span className="quiet">{list.total === null ? '' : listWords.total(list.total, list.isEstimated)}</span>
        </h1>
        <div className="list-search">
          <TextFilter
            state={state}
            name={props.search.name}
            label={listWords.find}
            placeholder={listWords.findHint}
            {...(props.search.read === undefined ? {} : { read: props.search.read })}
          />
        </div>
        <div className="actions">
          <button type="button" aria-expanded={isFiltering} onClick={() => setFiltering(!isFiltering)}>
            {listWords.filter}
          </button>
          <ViewsButton table={table} state={state} />
          {!isPhone && (
            <ColumnsButton
              all={columns.flatMap(({ id, head }) => (id === 'number' ? [] : [[id, head] as const]))}
              shown={wanted}
              onChange={(ids) => state.change({ columns: ['number', ...ids].join(',') })}
              density={density}
              onDensity={(next) => {
                storeDensity(next)
                setDensity(next)
              }}
            />
          )}
          <ExportButton exporting={exporting} />
        </div>
      </header>
      <Presets phases={phases} current={phase} counts={useCounts(table, phases, state)} state={state} />
      {isFiltering && (
        <Suspense fallback={<p className="filters quiet">{words.reading}</p>}>
          <FilterPanel specs={specs} state={state} />
        </Suspense>
      )}
      <FilterChips specs={filters} state={state} />
      {chosenRows.length > 0 && (
        <BulkBar
          numbers={chosenRows.map(nameOf)}
          onExport={() => exporting.save('xlsx')}
          onClear={() => setChosen(new Set())}
        >
          <TrackingButtons
            ids={[...new Set(chosenRows.flatMap((row) => props.opens(row)?.open ?? []))]}
            onDone={() => setChosen(new Set())}
          />
        </BulkBar>
      )}
      {list.error !== null && (
        <>
          <ProblemNote error={list.error} again={list.again} />
          {values['sort'] !== undefined && (
            <p>
              <button type="button" onClick={() => state.change({ sort: '' })}>
                {listWords.sortUrgent}
              </button>
            </p>
          )}
        </>
      )}
      {isNone && (
        <p className="empty">
          {isFiltered ? listWords.none : listWords.noneYet(title)}{' '}
          {!isFiltered && phase === phases[0] && <Link to="/track">{listWords.trackSome}</Link>}
        </p>
      )}
      {list.error === null &&
        !isNone &&
        (isPhone ? (
          <RowCards
            label={title}
            rows={rows}
            card={props.card}
            toneOf={toneOf}
            hasMore={list.hasMore}
            readMore={list.readMore}
          />
        ) : (
          <DataTable
            label={title}
            columns={shown}
            rows={rows}
            nameOf={nameOf}
            toneOf={toneOf}
            chosen={chosen}
            onChoose={setChosen}
            hasMore={list.hasMore}
            readMore={list.readMore}
            order={order}
            onSort={(column) => state.change({ sort: nextOrder(column, order) })}
            density={density}
            isStale={list.isOld}
            focus={focus}
            onOpen={openRow}
          />
        ))}
      {!list.hasMore && list.total !== null && rows.length > 0 && rows.length < list.total && (
        <p className="quiet">{listWords.cut(rows.length)}</p>
      )}
      {address.open !== null &&
        (isPhone ? (
          <Navigate
            to="/shipments/$shipmentId"
            params={{ shipmentId: address.open }}
            search={address.box === null ? {} : { box: address.box }}
            replace
          />
        ) : (
          <Suspense fallback={null}>
            <ShipmentSheet shipmentId={address.open} onClose={closeSheet} />
          </Suspense>
        ))}
      {isExplaining && (
        <Suspense fallback={null}>
          <KeysDialog onClose={() => setExplaining(false)} />
        </Suspense>
      )}
    </div>
  )
}

/**
 * Columns fold away where no row has anything to show in them. A list that comes in parts keeps them, because what is
 * folded must not come back while the reader scrolls; and those that somebody chose stay.
 */
function useShown<Row>(
  columns: readonly ListColumn<Row>[],
  wanted: readonly string[],
  rows: readonly Row[],
  isFolded: boolean,
): readonly ListColumn<Row>[] {
  const key = wanted.join()
  return useMemo(() => {
    const named = key.split(',').flatMap((id) => columns.find((each) => each.id === id) ?? [])
    if (!isFolded || rows.length === 0) return named
    return named.filter((column) => column.id === 'number' || !isEmptyColumn(column, rows))
  }, [columns, key, rows, isFolded])
}

/** A name says what it is, any other value only with its filter. */
function fileWords({ kind, label }: FilterSpec, text: string): string {
  return kind === 'group' || kind === 'party' ? text : `${label} ${text}`
}

/** What a file's name cannot have becomes a space. */
function fileName(parts: readonly string[]): string {
  return parts
    .map((part) => part.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim())
    .filter((part) => part !== '')
    .join(' - ')
    .slice(0, 120)
}
