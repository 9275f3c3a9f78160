/** Why a table, or what was read of a paper, is refused: at most five problems, by column. */

import type { ReactNode } from 'react'
import type { Fault } from '../api/connection.ts'
import { chargeWords } from '../words/charges.ts'
import { groupFaults } from './group-faults.ts'

const words = chargeWords.import
const [rowsShown, headingsShown] = [5, 8]

interface TableFaultsProps {
  readonly title: string
  readonly faults: readonly Fault[]
  readonly children?: ReactNode
}

export function TableFaults({ title, faults, children }: TableFaultsProps) {
  const { columns, more } = groupFaults(faults)
  return (
    <div className="problem" role="alert">
      <h3>{title}</h3>
      <ul className="plain-list faulty-columns">
        {columns.map((column) => (
          <li key={column.title}>
            {column.problems.map(({ text, rows }, place) => (
              <p key={text}>
                {place === 0 && <strong>{column.title}</strong>} {text}
                {column.accepted.length === 0 && rows.length > 0 && <> {rowsText(rows)}</>}
              </p>
            ))}
            {column.accepted.length > 0 && (
              <p className="quiet">{words.accepted(column.accepted.slice(0, headingsShown).join(', '))}</p>
            )}
          </li>
        ))}
      </ul>
      {more > 0 && <p>{words.moreFaults(more)}</p>}
      {children}
    </div>
  )
}

function rowsText(rows: readonly number[]): string {
  return words.rows(rows.slice(0, rowsShown).join(', '), Math.max(0, rows.length - rowsShown), rows.length > 1)
}
