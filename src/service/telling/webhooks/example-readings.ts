/** The example's request, shipment and containers as the store would read them. */

import type { ShipmentState } from '../../../store/journey-state/state.ts'
import type { TrackingRequestRow } from '../../../store/journeys/tracking-requests.ts'
import type { ContainerReading } from '../../../store/read/containers.ts'
import type { ShipmentReading } from '../../../store/read/shipments.ts'
import type { TrackingRequestReading } from '../../../store/read/tracking-requests.ts'
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

export function shipmentReading({ row, containers }: ShipmentState, lookedAt: string): ShipmentReading {
  return {
    ...row,
    type: 'shipment',
    containerIds: containers.map(({ id }) => id),
    containerStatuses: containers.map(({ projection }) => projection.status),
    lastAttemptedAt: lookedAt,
    lastSucceededAt: lookedAt,
    customerName: null,
    lastChangedBy: null,
    ownEta: null,
    stoppedByUserId: null,
  }
}

export function containerReadings(
  { row, containers }: ShipmentState,
  lookedAt: string,
): readonly ContainerReading[] {
  return containers.map((box) => ({
    ...box,
    type: 'container',
    shipmentId: row.id,
    status: box.projection.status,
    happened: box.projection.milestones
      .filter(({ kind }) => kind === 'actual')
      .map(({ name, time, place, callKey, source }) => {
        return { name, time, timeZone: place.timeZone, callKey, source }
      }),
    lastAttemptedAt: lookedAt,
    lastChangedBy: null,
  }))
}
