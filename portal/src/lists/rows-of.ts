/** Rows of the lists, from pages of the API and from its exports. */

import type { Container, Shipment, Terminal } from '../../../sdk/typescript/src/description.generated.ts'
import type { Joined } from '../api/joined.ts'
import type { Box, BoxRow, Cargo, CargoRow } from './list-row.ts'

type Flat<Attributes> = Attributes & { readonly id: string }

const nameOf = (terminal: Terminal['attributes'] | null | undefined): string | null =>
  terminal?.nickname || terminal?.name || null

export function boxRow({ id, attributes, relationships }: Container, joined: Joined): BoxRow {
  return {
    id,
    shipmentId: relationships?.shipment?.data?.id ?? null,
    box: attributes,
    shipment: joined.one(relationships?.shipment)?.attributes ?? null,
    terminal: nameOf(joined.one(relationships?.pod_terminal)?.attributes),
  }
}

/** Of an exported line, in which what is included is nested. */
export function boxRowOfLine(line: unknown): BoxRow {
  // safe: the API's description says what a line of its export has
  const {
    shipment,
    pod_terminal: terminal,
    ...box
  } = line as Flat<Box> & {
    readonly shipment: Flat<Cargo> | null
    readonly pod_terminal: Terminal['attributes'] | null
  }
  return { id: box.id, shipmentId: shipment?.id ?? null, box, shipment, terminal: nameOf(terminal) }
}

export function cargoRow({ id, attributes, relationships }: Shipment, joined: Joined): CargoRow {
  return { id, shipment: attributes, boxes: joined.many(relationships?.containers).map((box) => box.attributes) }
}

export function cargoRowOfLine(line: unknown): CargoRow {
  // safe: as above
  const { id, containers, ...shipment } = line as Flat<Cargo> & { readonly containers?: readonly Box[] }
  return { id, shipment, boxes: containers ?? [] }
}
