/** Tracking requests of one account held in memory: what the statements of `tracking-requests.ts` do, done to them. */

import { isSameJson } from '../core/json-value.ts'
import { compareText } from '../core/statement.ts'
import type { FoldTables } from './fold-tables.ts'
import { asJsonb, type HeldRows, holdRows } from './held-rows.ts'
import { liveStatuses } from './live-requests.ts'
import type { StoodRequest } from './stood.ts'
import type { TrackedRequest, TrackingRequestRow } from './tracking-requests.ts'

type RequestTables = Pick<
  FoldTables,
  | 'findLiveRequest'
  | 'insertTrackingRequest'
  | 'lockRequestsOfShipment'
  | 'lockTrackingRequest'
  | 'requestsOfShipment'
  | 'ringForSiblings'
  | 'setRequestReferences'
  | 'updateTrackingRequestState'
>

export interface HeldRequests {
  readonly putBack: (stood: readonly StoodRequest[]) => void
  readonly requests: HeldRows<TrackingRequestRow>
  readonly tables: RequestTables
}

export function holdRequests(): HeldRequests {
  const requests = holdRows<TrackingRequestRow>()
  const ofShipment = (shipmentId: string): readonly TrackedRequest[] =>
    requests
      .all()
      .filter((row) => row.shipmentId === shipmentId)
      .filter(isTracked)
  const findLive = (key: Parameters<RequestTables['findLiveRequest']>[0]): string | null =>
    requests
      .all()
      .find(
        (row) =>
          row.scac === key.scac &&
          row.requestType === key.requestType &&
          row.number === key.number &&
          row.scac !== 'TEST' &&
          liveStatuses.has(row.status),
      )?.id ?? null
  const tables: RequestTables = {
    findLiveRequest: async (key) => findLive(key),
    insertTrackingRequest: async (request) => {
      const { scac } = request
      if (requests.find(request.id) !== undefined) return false
      if (scac !== null && findLive({ ...request, scac }) !== null) return false
      requests.put({ ...request, lifecycle: asJsonb(request.lifecycle) })
      return true
    },
    lockRequestsOfShipment: async ({ shipmentId }) =>
      ofShipment(shipmentId).toSorted((a, b) => compareText(a.id, b.id)),
    lockTrackingRequest: async ({ id }) => requests.find(id) ?? null,
    requestsOfShipment: async ({ shipmentId }) =>
      ofShipment(shipmentId)
        .toSorted((a, b) => compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id))
        .map((row) => {
          const { kinds } = row.lifecycle
          return { ...row, requestType: kinds?.options[kinds.asking]?.requestType ?? row.requestType }
        }),
    ringForSiblings: async ({ shipmentId, requestId, facts, at }) => {
      const { lastUpdateAt: _, ...told } = { lastUpdateAt: null, ...facts }
      for (const { id, status, lifecycle } of ofShipment(shipmentId)) {
        const isAsked = status === 'created' || lifecycle.stoppedReason === 'all_containers_terminated'
        if (id === requestId || !isAsked || lifecycle.facts === null) continue
        const { lastUpdateAt: __, ...noted } = lifecycle.facts
        if (!isSameJson(noted, told)) requests.change(id, () => ({ timerAt: at }))
      }
    },
    setRequestReferences: async ({ id, refNumbers, updatedAt }) =>
      requests.change(id, () => ({ refNumbers, updatedAt })),
    updateTrackingRequestState: async (to) =>
      requests.change(to.id, () => ({
        shipmentId: to.shipmentId,
        status: to.status,
        failedReason: to.failedReason,
        lifecycle: asJsonb(to.lifecycle),
        isRetrying: to.isRetrying,
        retryCount: to.retryCount,
        timerAt: to.timerAt,
        updatedAt: to.updatedAt,
        scac: to.scac,
        number: to.number,
        subjectId: to.subjectId,
      })),
  }
  const putBack: HeldRequests['putBack'] = (stood) => {
    for (const { id, ...row } of stood)
      requests.change(id, () => ({ ...row, lifecycle: asJsonb(row.lifecycle) }))
  }
  return { requests, putBack, tables }
}

function isTracked(row: TrackingRequestRow): row is TrackedRequest {
  return row.scac !== null && row.subjectId !== null
}
