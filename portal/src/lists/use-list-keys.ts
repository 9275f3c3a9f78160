/** The keys of a list: j and k or the arrows move, x or space marks, Enter opens beside it, `/` searches, e exports, ? explains. */

import { useEffect, useRef } from 'react'

export interface ListKeys {
  readonly count: number
  readonly focusRow: (index: number) => void
  readonly open: (index: number) => void
  readonly toggle: (id: string) => void
  readonly clear: () => void
  readonly search: () => void
  readonly exportFile: () => void
  readonly explain: () => void
}

const fields = 'input:not([type="checkbox"]), select, textarea, [contenteditable]'
const elsewhere = 'dialog[open], [role="menu"], .palette'

export function useListKeys(keys: ListKeys): void {
  const latest = useRef(keys)
  latest.current = keys
  const current = useRef(-1)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const target = event.target instanceof HTMLElement ? event.target : document.body
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector(elsewhere) !== null) return
      if (target.closest(fields) !== null) return
      const { count, focusRow, open, toggle, clear, search, exportFile, explain } = latest.current
      const row = target.closest<HTMLElement>('tr[data-index]')
      if (row !== null) current.current = Number(row.dataset['index'])
      const move = (by: number): void => {
        current.current = Math.min(Math.max(current.current + by, 0), count - 1)
        focusRow(current.current)
      }
      const [down, up] = [() => move(1), () => move(-1)]
      const openIt = (): void => open(current.current)
      const mark = (): void => toggle(row?.dataset['id'] ?? '')
      // A press of space on a button, a link's row or a check box keeps its own meaning outside the rows.
      const actions: Readonly<Record<string, () => void>> = {
        j: down,
        k: up,
        '/': search,
        e: exportFile,
        '?': explain,
        Escape: clear,
        ...(row === null ? {} : { x: mark, ArrowDown: down, ArrowUp: up }),
        ...(row !== null && target.matches('a.number') ? { ' ': mark, ['Enter']: openIt } : {}),
      }
      const act = actions[event.key]
      if (act === undefined) return
      if (event.key !== 'Escape') event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
