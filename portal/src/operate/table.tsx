import type { ReactNode } from 'react'
import { words } from '../words/words.ts'

/** A table that scrolls sideways where the window is narrow. */
export function Table({
  label,
  columns,
  children,
}: {
  label: string
  columns: readonly string[]
  children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
    <section className="scroll" aria-label={words.table(label)} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) =>
              // A header without a name is no header.
              column === '' ? (
                <td key={column} />
              ) : (
                <th key={column} scope="col">
                  {column}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
