/** What rows of the lists are, and what their columns write into an exported file. */

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
