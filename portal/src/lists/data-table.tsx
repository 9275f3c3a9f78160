/** A table of any length: only the rows in view are drawn, and further rows are read as the reader scrolls. */

import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type RefObject, useEffect, useImperativeHandle, useMemo, useRef } from 'react'
import { Icon } from '../parts/icon.tsx'
import { listWords } from '../words/lists.ts'
import type { ListColumn } from './list-column.ts'
import { directionOf } from './sorting.ts'

const rowPx = { dense: 32, comfortable: 46 } as const
/** With the borders. */
const headPx = 38
const rowsAhead = 20
const frames = 12
const chooseRem = 2.2

export type Density = keyof typeof rowPx

/** How urgent a row is, and in words why. */
export interface RowTone {
  readonly tone: string
  readonly why: string
}

export interface TableProps<Row extends { readonly id: string }> {
  readonly label: string
  readonly columns: readonly ListColumn<Row>[]
  readonly rows: readonly Row[]
  readonly nameOf: (row: Row) => string
  readonly toneOf: (row: Row) => RowTone
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
  readonly hasMore: boolean
  readonly readMore: () => void
  readonly order: string
  readonly onSort: (column: ListColumn<Row>) => void
  readonly density: Density
  readonly isStale: boolean
  /** Brings the focus to the link of a row that may not be drawn yet. */
  readonly focus: RefObject<((index: number) => void) | null>
  readonly onOpen: (index: number) => void
}

export function DataTable<Row extends { readonly id: string }>(props: TableProps<Row>) {
  const { label, columns, rows, nameOf, toneOf, chosen, onChoose, hasMore, readMore, order, onSort, density } = props
  const region = useRef<HTMLElement>(null)
  const size = rowPx[density]
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => region.current,
    estimateSize: () => size,
    overscan: 8,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows have another height then
  useEffect(() => virtual.measure(), [size])
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && last >= rows.length - rowsAhead) readMore()
  })
  const hasRows = items.length > 0
  useEffect(() => {
    // For measurements of the time until the rows are shown.
    if (hasRows) performance.mark('landfall.rows')
  }, [hasRows])
  useImperativeHandle(props.focus, () => (index) => {
    virtual.scrollToIndex(index)
    focusRow(region.current, index, frames)
  })
  const shown = useMemo(() => columns.map(({ id }) => id), [columns])
  const chosenNow = useRef(chosen)
  chosenNow.current = chosen
  const toggle = useRef((id: string): void => {
    const next = new Set(chosenNow.current)
    if (!next.delete(id)) next.add(id)
    onChoose(next)
  }).current
  const openNow = useRef(props.onOpen)
  openNow.current = props.onOpen
  const press = useRef(({ target, currentTarget }: React.MouseEvent<HTMLTableRowElement>): void => {
    const isOwn = target instanceof Element && target.closest('a, button, dialog, .c-choose') === null
    if (isOwn && getSelection()?.isCollapsed !== false) openNow.current(Number(currentTarget.dataset['index']))
  }).current
  const [above, below] = [items[0]?.start ?? 0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0)]
  const widthRem = columns.reduce((sum, column) => sum + column.widthRem, chooseRem)
  return (
    <section
      ref={region}
      className={`table-region ${density}`}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
      tabIndex={0}
      data-stale={props.isStale}
      // A short list is as high as its rows; one that comes has all the room, so that nothing moves.
      style={hasMore || rows.length === 0 ? {} : { maxHeight: headPx + rows.length * size }}
    >
      <table style={{ minWidth: `${widthRem}rem` }} aria-rowcount={hasMore ? -1 : rows.length + 1}>
        <colgroup>
          <col style={{ width: `${chooseRem}rem` }} />
          {columns.map(({ id, widthRem: width }) => (
            <col key={id} style={{ width: `${width}rem` }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th scope="col" className="c-choose">
              <ChooseAll rows={rows} chosen={chosen} onChoose={onChoose} />
            </th>
            {columns.map((column) => (
              <Head key={column.id} column={column} order={order} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={above} columns={columns.length + 1} />
          {items.map(({ index }) => {
            const row = rows[index]
            if (row === undefined) return null
            return (
              <TableRow
                key={row.id}
                row={row}
                index={index}
                columns={columns}
                shown={shown}
                nameOf={nameOf}
                toneOf={toneOf}
                isChosen={chosen.has(row.id)}
                toggle={toggle}
                press={press}
              />
            )
          })}
          <Spacer height={below} columns={columns.length + 1} />
        </tbody>
      </table>
    </section>
  )
}

function focusRow(region: HTMLElement | null, index: number, frames: number): void {
  const link = region?.querySelector<HTMLElement>(`tr[data-index="${index}"] a`)
  if (link) link.focus({ preventScroll: true })
  else if (frames > 0) requestAnimationFrame(() => focusRow(region, index, frames - 1))
}

interface RowProps<Row> {
  readonly row: Row
  readonly index: number
  readonly columns: readonly ListColumn<Row>[]
  readonly shown: readonly string[]
  readonly nameOf: (row: Row) => string
  readonly toneOf: (row: Row) => RowTone
  readonly isChosen: boolean
  readonly toggle: (id: string) => void
  readonly press: (event: React.MouseEvent<HTMLTableRowElement>) => void
}

const TableRow = memo(function TableRow<Row extends { readonly id: string }>(props: RowProps<Row>) {
  const { row, index, columns, shown, nameOf, toneOf, isChosen, toggle, press } = props
  const { tone, why } = toneOf(row)
  return (
    <tr
      aria-rowindex={index + 2}
      data-index={index}
      data-id={row.id}
      className={isChosen ? 'chosen' : ''}
      onClick={press}
    >
      <td className={`c-choose ${tone}`} title={why}>
        <input
          type="checkbox"
          aria-label={listWords.choose(nameOf(row))}
          checked={isChosen}
          onChange={() => toggle(row.id)}
        />
      </td>
      {columns.map((column) => (
        <td key={column.id} className={classOf(column)}>
          {column.cell(row, shown)}
        </td>
      ))}
    </tr>
  )
}) as <Row extends { readonly id: string }>(props: RowProps<Row>) => React.ReactNode

const classOf = ({ id, isNumeric }: ListColumn<never>): string => `c-${id}${isNumeric ? ' numeric' : ''}`

function Head<Row>({
  column,
  order,
  onSort,
}: { column: ListColumn<Row> } & Pick<TableProps<never>, 'order'> & {
    onSort: (column: ListColumn<Row>) => void
  }) {
  const direction = directionOf(column, order)
  return (
    <th
      scope="col"
      className={classOf(column as ListColumn<never>)}
      {...(direction === null ? {} : { 'aria-sort': direction })}
    >
      {column.sort === undefined ? (
        column.head
      ) : (
        <button type="button" className="head" onClick={() => onSort(column)} title={listWords.sortBy(column.head)}>
          {column.head}
          {direction !== null && <Icon name={direction === 'ascending' ? 'up' : 'down'} />}
        </button>
      )}
    </th>
  )
}

function ChooseAll({
  rows,
  chosen,
  onChoose,
}: {
  rows: readonly { readonly id: string }[]
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
}) {
  const isAll = rows.length > 0 && rows.every(({ id }) => chosen.has(id))
  return (
    <input
      type="checkbox"
      aria-label={listWords.chooseAll}
      checked={isAll}
      ref={(box) => {
        if (box !== null) box.indeterminate = !isAll && chosen.size > 0
      }}
      onChange={() => onChoose(new Set(isAll ? [] : rows.map(({ id }) => id)))}
    />
  )
}

function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without content takes no focus
    <tr aria-hidden="true">
      <td colSpan={columns} className="spacer" style={{ height }} />
    </tr>
  )
}
