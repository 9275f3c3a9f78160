/** A column of a list: what it shows, by what it sorts, and what it writes into an exported file. */

import type { ReactNode } from 'react'
import type { Field } from './list-row.ts'
import type { Sortable } from './sorting.ts'

export interface ListColumn<Row> extends Sortable {
  readonly id: string
  readonly head: string
  readonly widthRem: number
  readonly isNumeric?: boolean
  readonly cell: (row: Row, shown: readonly string[]) => ReactNode
  /** Its columns in an exported file. The column folds away where all of them are null in all rows. */
  readonly fields: readonly Field<Row>[]
}

export function isEmptyColumn<Row>({ fields }: ListColumn<Row>, rows: readonly Row[]): boolean {
  return rows.every((row) => fields.every(({ value }) => value(row) === null))
}
