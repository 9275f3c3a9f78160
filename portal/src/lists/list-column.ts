/** A column of a list: what it shows, by what it sorts, and what it writes into an exported file. */

import type { ReactNode } from 'react'
import type { Container, Shipment } from '../../../sdk/typescript/src/description.generated.ts'

export type Box = Container['attributes']
export type Cargo = Shipment['attributes']

/** A row of either list, whether it came as a page or as an export. */
export interface BoxRow {
  readonly id: string
  readonly shipmentId: string | null
  readonly box: Box
  readonly shipment: Cargo | null
  readonly terminal: string | null
}
export interface CargoRow {
  readonly id: string
  readonly shipment: Cargo
  readonly boxes: readonly Box[]
}

/** A calendar day, or a day and time at a place, as `2026-11-27` or `2026-11-27T14:30`: what a spreadsheet calls a date. */
export interface Moment {
  readonly at: string
}
export type Value = string | number | Moment | null

export interface Field<Row> {
  readonly head: string
  readonly value: (row: Row) => Value
}

export interface ListColumn<Row> {
  readonly id: string
  readonly head: string
  readonly widthRem: number
  readonly isNumeric?: boolean
  /** Ascending, as the API calls it; absent when the API cannot sort by it. */
  readonly sort?: string
  /** The first press on the head sorts the greatest first. */
  readonly isGreatestFirst?: boolean
  readonly cell: (row: Row, shown: readonly string[]) => ReactNode
  /** Its columns in an exported file. The column folds away where all of them are null in all rows. */
  readonly fields: readonly Field<Row>[]
}

export function isEmptyColumn<Row>({ fields }: ListColumn<Row>, rows: readonly Row[]): boolean {
  return rows.every((row) => fields.every(({ value }) => value(row) === null))
}
