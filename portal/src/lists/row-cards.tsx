/** A list on a phone: a card a row, drawn as it comes into view; the page scrolls. */

import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { RowTone } from './data-table.tsx'

const cardPx = 112
const cardsAhead = 10

interface CardsProps<Row extends { readonly id: string }> {
  readonly label: string
  readonly rows: readonly Row[]
  readonly card: (row: Row) => ReactNode
  readonly toneOf: (row: Row) => RowTone
  readonly hasMore: boolean
  readonly readMore: () => void
}

export function RowCards<Row extends { readonly id: string }>(props: CardsProps<Row>) {
  const { label, rows, card, toneOf, hasMore, readMore } = props
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  // What stands above it may have another height then.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0))
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => cardPx,
    overscan: 6,
    scrollMargin: top,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && last >= rows.length - cardsAhead) readMore()
  })
  return (
    <ul ref={list} className="cards-list" aria-label={label} style={{ height: virtual.getTotalSize() }}>
      {items.map(({ index, start }) => {
        const row = rows[index]
        if (row === undefined) return null
        return (
          <li
            key={row.id}
            ref={virtual.measureElement}
            data-index={index}
            style={{ transform: `translateY(${start - top}px)` }}
          >
            <article className={`row-card ${toneOf(row).tone}`}>{card(row)}</article>
          </li>
        )
      })}
    </ul>
  )
}
