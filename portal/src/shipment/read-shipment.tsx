/** Reads a shipment and draws its head; below it what its page has, or the sheet beside a list. */

import type { ReactNode } from 'react'
import type { Container, Shipment } from '../../../sdk/typescript/src/description.generated.ts'
import { Joined } from '../api/joined.ts'
import { useRead } from '../api/queries.ts'
import { ProblemNote } from '../parts/problem.tsx'
import { Reading } from '../parts/reading.tsx'
import { useRoute } from './box-parts.tsx'
import { ShipmentHead, useToDo } from './shipment-head.tsx'
import './shipment.css'
import { useShipmentAddress } from './use-shipment-address.ts'
import { LineName } from './who-said.tsx'

export interface ShipmentRead {
  readonly shipment: Shipment
  readonly boxes: readonly Container[]
  /** The container that the address names, else the first. */
  readonly box: Container | null
}

interface ReadProps {
  readonly shipmentId: string
  readonly children: (read: ShipmentRead) => ReactNode
}

export function ReadShipment({ shipmentId, children }: ReadProps) {
  const { asOf, box: number } = useShipmentAddress()
  const found = useRead('/v2/shipments/{id}', {
    ids: [shipmentId],
    query: { include: 'containers.pod_terminal', as_of: asOf, provenance: true },
    keepsLast: true,
  })
  const toDo = useToDo(shipmentId)
  const shipment = found.data?.data
  const joined = found.data === undefined ? null : new Joined(found.data)
  const boxes = joined?.many(shipment?.relationships?.containers) ?? []
  const box = boxes.find(({ attributes }) => attributes.number === number) ?? boxes[0] ?? null
  const route = useRoute(box?.id ?? null)
  if (found.error !== null) return <ProblemNote error={found.error} again={() => void found.refetch()} />
  // The head comes at once, so that nothing moves.
  if (joined === null || shipment === undefined || toDo.isLoading || route.isLoading) return <Reading />
  const terminals = boxes.flatMap((each) => joined.one(each.relationships?.pod_terminal)?.attributes.name ?? [])
  const { shipping_line_scac: code = '', shipping_line_short_name: name = code } = shipment.attributes
  return (
    <LineName value={{ code, name }}>
      <ShipmentHead shipment={shipment} boxes={boxes} box={box} terminals={[...new Set(terminals)]} />
      {children({ shipment, boxes, box })}
    </LineName>
  )
}
