/** The example's request, shipment and containers as the store would read them. */

import type { ShipmentState } from '../../pipeline/projection/journey-state-sql.ts'
import type { TrackingRequestRow } from '../../pipeline/projection/tracking-requests-sql.ts'
import type { ContainerReading } from '../containers/list-containers-sql.ts'
import type { ShipmentReading } from '../shipments/list-shipments-sql.ts'
import type { TrackingRequestReading } from '../tracking-requests/list-tracking-requests-sql.ts'
import { exampleId } from './example-story.ts'

export const exampleIds = {
  account: exampleId('account'),
  request: exampleId('tracking request'),
  shipment: exampleId('shipment'),
}

export function requestReading(row: TrackingRequestRow): TrackingRequestReading {
  return {
    ...row,
    type: 'tracking_request',
    lastChangedBy: null,
    userId: null,
    trackedAs: null,
    lineLeftAloneUntil: null,
    isPartlyUnderstood: null,
    detection: null,
    awaits: null,
    madeBy: null,
  }
}

export function shipmentReading({ row, containers }: ShipmentState, polledAt: string): ShipmentReading {
  return {
    ...row,
    type: 'shipment',
    containerIds: containers.map(({ id }) => id),
    containerStatuses: containers.map(({ projection }) => projection.status),
    lastAttemptedAt: polledAt,
    lastSucceededAt: polledAt,
    customerName: null,
    lastChangedBy: null,
    ownEta: null,
    stoppedByUserId: null,
  }
}

export function containerReadings({ row, containers }: ShipmentState, polledAt: string): readonly ContainerReading[] {
  return containers.map((container) => ({
    ...container,
    type: 'container',
    shipmentId: row.id,
    status: container.projection.status,
    happened: container.projection.milestones
      .filter(({ kind }) => kind === 'actual')
      .map(({ name, time, place, callKey, source }) => {
        return { name, time, timeZone: place.timeZone, callKey, source }
      }),
    lastAttemptedAt: polledAt,
    lastChangedBy: null,
    calculatedFreeDays: [],
    actsOn: null,
  }))
}
