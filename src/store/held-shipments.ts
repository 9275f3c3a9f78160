/** Shipments of one account held in memory, with what was projected of them: what `shipments.ts` and `projected.ts` do, done to them. */

import { compareText } from '../core/statement.ts'
import type { DomainEvent } from './domain-events.ts'
import type { FoldTables } from './fold-tables.ts'
import type { HeldRequests } from './held-requests.ts'
import { asJsonb, type HeldRows, holdRows } from './held-rows.ts'
import type { ContainerRow, ShipmentRow } from './shipments.ts'
import { type StoodShipment, writtenOf } from './stood.ts'
import type { TransportEventRow } from './transport-events.ts'

export interface HeldShipment extends ShipmentRow {
  /** What triggers keep on the served row. */
  readonly containerIds: readonly string[]
  readonly containerStatuses: readonly string[]
}

export interface HeldContainer extends ContainerRow {
  readonly shipmentId: string
  readonly scac: string | null
  readonly status: string
}

export interface HeldTransportEvent extends TransportEventRow {
  readonly createdAt: string
  readonly invalidatedAt: string | null
}

export interface HeldEvent extends DomainEvent {
  readonly createdAt: string
}

export interface HeldShipments {
  readonly shipments: HeldRows<HeldShipment>
  readonly containers: HeldRows<HeldContainer>
  readonly transportEvents: HeldRows<HeldTransportEvent>
  readonly events: HeldRows<HeldEvent>
  /** Makes them what they were; `announced`: of the transport events of then all rows, as they are now. */
  readonly putBack: (stood: StoodShipment, announced: readonly HeldTransportEvent[]) => void
  readonly tables: Pick<
    FoldTables,
    | 'adoptCustomer'
    | 'ensureShipment'
    | 'insertEvents'
    | 'lockShipment'
    | 'setContainerReferences'
    | 'settleTrackingStop'
    | 'standingTransportEvents'
    | 'updateShipmentFields'
    | 'writeProjected'
  >
}

export function holdShipments({ requests }: HeldRequests): HeldShipments {
  const shipments = holdRows<HeldShipment>()
  const containers = holdRows<HeldContainer>()
  const transportEvents = holdRows<HeldTransportEvent>()
  const events = holdRows<HeldEvent>()
  const boxesOf = (shipmentId: string): readonly HeldContainer[] =>
    containers
      .all()
      .filter((row) => row.shipmentId === shipmentId)
      .toSorted((a, b) => compareText(a.number, b.number) || a.trip - b.trip)
  const hear = (heard: readonly DomainEvent[], createdAt: string): void => {
    for (const event of heard) events.put({ ...event, payload: asJsonb(event.payload), createdAt })
  }
  const standing = new Map<string, HeldTransportEvent>()
  return {
    shipments,
    containers,
    transportEvents,
    events,
    putBack: (stood, announced) => {
      const { shipment, containers: boxes } = writtenOf(stood)
      for (const { id } of boxesOf(shipment.id)) containers.remove(id)
      for (const row of boxes) containers.put({ ...row, projection: asJsonb(row.projection) })
      shipments.put({ ...shipment, projection: asJsonb(shipment.projection) })
      for (const row of transportEvents.all())
        if (row.shipmentId === shipment.id) {
          transportEvents.remove(row.id)
          standing.delete(row.id)
        }
      const stands = new Set(stood.transportEvents.standing)
      for (const row of announced) {
        const made = { ...row, invalidatedAt: stands.has(row.id) ? null : row.invalidatedAt }
        transportEvents.put({ ...made, milestone: asJsonb(row.milestone) })
        if (stands.has(row.id)) standing.set(row.id, made)
      }
    },
    tables: {
      adoptCustomer: async ({ shipmentId, customerId }) =>
        shipments.change(shipmentId, (row) => ({ customerId: row.customerId ?? customerId })),
      ensureShipment: async (shipment) => {
        const { id, scac, normalizedNumber } = shipment
        const known = shipments
          .all()
          .find((row) => row.scac === scac && row.normalizedNumber === normalizedNumber)
        const made = { ...shipment, projection: asJsonb(shipment.projection) }
        if (known === undefined) shipments.put({ ...made, containerIds: [], containerStatuses: [] })
        return known?.id ?? id
      },
      insertEvents: async (write) => hear(write.events, write.at),
      lockShipment: async ({ id }) => {
        const shipment = shipments.find(id)
        return shipment === undefined ? null : { shipment, containers: boxesOf(id) }
      },
      setContainerReferences: async ({ id, refNumbers, updatedAt }) =>
        containers.change(id, () => ({ refNumbers, updatedAt })),
      settleTrackingStop: async ({ shipmentId, at }) => {
        const asking = requests.all().filter((row) => row.shipmentId === shipmentId)
        const isTracked = asking.some(({ status }) => status === 'created')
        const stopped = asking
          .filter(({ status }) => status === 'tracking_stopped')
          .toSorted((a, b) => compareText(b.updatedAt, a.updatedAt) || compareText(a.id, b.id))
        const reason = stopped[0]?.lifecycle.stoppedReason ?? null
        const isStopped = !isTracked && reason !== null
        if ((shipments.find(shipmentId)?.trackingStoppedAt !== null) === isStopped) return
        shipments.change(shipmentId, (row) => ({
          trackingStoppedAt: isStopped ? (row.trackingStoppedAt ?? at) : null,
          trackingStoppedReason: isTracked ? null : (row.trackingStoppedReason ?? reason),
        }))
      },
      standingTransportEvents: async ({ shipmentId }) =>
        [...standing.values()].flatMap(({ shipmentId: of, id, containerId, event, callKey }) =>
          of === shipmentId && callKey !== null ? [{ id, containerId, event, callKey }] : [],
        ),
      updateShipmentFields: async ({ id, ...to }) =>
        shipments.change(id, () => ({
          refNumbers: to.refNumbers,
          tags: to.tags,
          trackingStoppedAt: to.trackingStoppedAt,
          trackingStoppedReason: to.trackingStoppedReason,
          updatedAt: to.updatedAt,
        })),
      writeProjected: async ({ shipmentId, shipment, at, ...write }) => {
        if (shipment !== null) {
          const { projection, timerAt } = shipment
          shipments.change(shipmentId, () => ({ projection: asJsonb(projection), timerAt, updatedAt: at }))
        }
        const scac = shipments.find(shipmentId)?.scac ?? null
        for (const { id, number, trip, projection: made } of write.containers) {
          const projection = asJsonb(made)
          const to = { projection, status: projection.status, updatedAt: at }
          if (containers.find(id) !== undefined) containers.change(id, () => to)
          else containers.put({ id, number, trip, shipmentId, scac, refNumbers: [], createdAt: at, ...to })
        }
        const boxes = boxesOf(shipmentId)
        shipments.change(shipmentId, () => ({
          containerIds: boxes.map(({ id }) => id),
          containerStatuses: boxes.map(({ status }) => status),
        }))
        // Only those that stood before: the statement does not see the rows that it writes itself.
        for (const id of write.invalidate) {
          transportEvents.change(id, () => ({ invalidatedAt: at }))
          standing.delete(id)
        }
        for (const row of write.transportEvents) {
          const made = { ...row, milestone: asJsonb(row.milestone), createdAt: at, invalidatedAt: null }
          transportEvents.put(made)
          standing.set(row.id, made)
        }
        hear(write.events, at)
      },
    },
  }
}
