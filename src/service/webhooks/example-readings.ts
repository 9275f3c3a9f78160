/** The example's request, shipment and containers as the store would read them. */

import type { ShipmentProjection } from '../../core/projection.ts'
import type { TrackingRequestState } from '../../core/tracking-request-state.ts'
import type { ContainerReading } from '../../store/read/containers.ts'
import type { ShipmentReading } from '../../store/read/shipments.ts'
import type { TrackingRequestReading } from '../../store/read/tracking-requests.ts'
import { containerKey } from '../ledger/announced-rows.ts'
import { lifecycleColumns } from '../ledger/lifecycle.ts'
import { exampleId, exampleStory } from './example-story.ts'

export const exampleIds = {
  account: exampleId('account'),
  request: exampleId('tracking request'),
  shipment: exampleId('shipment'),
}

export function requestReading(
  state: TrackingRequestState,
  { now, shipmentId }: { readonly now: string; readonly shipmentId: string | null },
): TrackingRequestReading {
  const { status, failedReason, isRetrying, retryCount } = lifecycleColumns(state)
  return {
    type: 'tracking_request',
    id: exampleIds.request,
    accountId: exampleIds.account,
    requestType: 'bill_of_lading',
    requestNumber: exampleStory.bill,
    scac: exampleStory.scac,
    shipmentId,
    status,
    failedReason,
    isRetrying,
    retryCount,
    refNumbers: ['PO-1001'],
    shipmentTags: [],
    createdAt: exampleStory.askedAt,
    updatedAt: now,
    customerId: null,
    lastChangedBy: null,
    userId: null,
    trackedAs: null,
    lineLeftAloneUntil: null,
    isPartlyUnderstood: null,
    detection: null,
  }
}

export function shipmentReading(
  projection: ShipmentProjection,
  at: {
    readonly containers: readonly ContainerReading[]
    readonly now: string
    readonly state: TrackingRequestState
  },
): ShipmentReading {
  const isStopped = at.state.status === 'tracking_stopped'
  return {
    type: 'shipment',
    id: exampleIds.shipment,
    scac: exampleStory.scac,
    billOfLadingNumber: exampleStory.bill,
    normalizedNumber: exampleStory.bill,
    refNumbers: ['PO-1001'],
    tags: [],
    projection: { ...projection, containers: [], issues: [] },
    trackingStoppedAt: isStopped ? at.now : null,
    trackingStoppedReason: isStopped ? at.state.stoppedReason : null,
    createdAt: exampleStory.looks[0]?.at ?? exampleStory.askedAt,
    updatedAt: at.now,
    containerIds: at.containers.map(({ id }) => id),
    containerStatuses: at.containers.map(({ status }) => status),
    lastAttemptedAt: at.now,
    lastSucceededAt: at.now,
    customerId: null,
    customerName: null,
    lastChangedBy: null,
    ownEta: null,
    stoppedByUserId: null,
  }
}

export function containerReadings(
  { containers }: ShipmentProjection,
  ids: ReadonlyMap<string, string>,
  now: string,
): readonly ContainerReading[] {
  return containers.map((projection) => ({
    type: 'container',
    id: ids.get(containerKey(projection)) ?? '',
    shipmentId: exampleIds.shipment,
    status: projection.status,
    refNumbers: [],
    projection,
    happened: projection.milestones
      .filter(({ kind }) => kind === 'actual')
      .map(({ name, time, place }) => ({ name, time, timeZone: place.timeZone })),
    createdAt: exampleStory.looks[0]?.at ?? exampleStory.askedAt,
    updatedAt: now,
    lastAttemptedAt: now,
    lastChangedBy: null,
  }))
}
