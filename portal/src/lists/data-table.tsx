/** A table of any length: only the rows in view are drawn, and further rows are read as the reader scrolls. */

import {
  type ColumnDef,
  flexRender,
  getCoreRowModel,
  type RowSelectionState,
  useReactTable,
  type VisibilityState,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { words } from '../words/words.ts'

const rowPx = 52
const rowsAhead = 20

export interface TableProps<Row> {
  readonly label: string
  readonly columns: ColumnDef<Row>[]
  readonly rows: readonly Row[]
  readonly idOf: (row: Row) => string
  readonly visible: VisibilityState
  readonly chosen: RowSelectionState
  readonly onChoose: (chosen: RowSelectionState) => void
  readonly hasMore: boolean
  readonly readMore: () => void
}

export function DataTable<Row>(props: TableProps<Row>) {
  const { label, columns, rows, idOf, visible, chosen, onChoose, hasMore, readMore } = props
  const region = useRef<HTMLElement>(null)
  const table = useReactTable({
    columns,
    data: rows as Row[],
    getRowId: idOf,
    getCoreRowModel: getCoreRowModel(),
    state: { columnVisibility: visible, rowSelection: chosen },
    onRowSelectionChange: (change) => onChoose(typeof change === 'function' ? change(chosen) : change),
  })
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => region.current,
    estimateSize: () => rowPx,
    overscan: 8,
  })
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
  const [above, below] = [items[0]?.start ?? 0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0)]
  const all = table.getRowModel().rows
  const columnCount = table.getVisibleLeafColumns().length
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
    <section ref={region} className="table-region" aria-label={label} tabIndex={0}>
      <table aria-rowcount={hasMore ? -1 : rows.length + 1}>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <th key={header.id} scope="col" className={`c-${header.column.id}`}>
                  {flexRender(header.column.columnDef.header, header.getContext())}
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          <Spacer height={above} columns={columnCount} />
          {items.map(({ index }) => {
            const row = all[index]
            if (row === undefined) return null
            return (
              <tr key={row.id} aria-rowindex={index + 2} className={row.getIsSelected() ? 'chosen' : ''}>
                {row.getVisibleCells().map((cell) => (
                  <td key={cell.id} className={`c-${cell.column.id}`}>
                    {flexRender(cell.column.columnDef.cell, cell.getContext())}
                  </td>
                ))}
              </tr>
            )
          })}
          <Spacer height={below} columns={columnCount} />
        </tbody>
      </table>
    </section>
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

/** The column with which rows are chosen for an action on all of them. */
export function chooseColumn<Row>(nameOf: (row: Row) => string): ColumnDef<Row> {
  return {
    id: 'choose',
    enableHiding: false,
    header: ({ table }) => (
      <input
        type="checkbox"
        aria-label={words.list.chooseAll}
        checked={table.getIsAllRowsSelected()}
        ref={(box) => {
          if (box !== null) box.indeterminate = table.getIsSomeRowsSelected()
        }}
        onChange={table.getToggleAllRowsSelectedHandler()}
      />
    ),
    cell: ({ row }) => (
      <input
        type="checkbox"
        aria-label={words.list.choose(nameOf(row.original))}
        checked={row.getIsSelected()}
        onChange={row.getToggleSelectedHandler()}
      />
    ),
  }
}
