/**
 * Rows of a journey's state, made up for tests of how rows are stored, with as little in them as the tables require.
 */

import type { Db } from '../../src/db/database.ts'
import type { EventObservation } from '../../src/domain/statements/observation.ts'
import { newTrackingRequest } from '../../src/domain/tracking-requests/tracking-request-state.ts'
import type { ContainerProjection, ShipmentProjection } from '../../src/domain/view/projection.ts'
import { insertAccount } from '../../src/modules/accounts/accounts-sql.ts'
import type { DomainEvent } from '../../src/pipeline/projection/domain-events-sql.ts'
import type { StoredIssue } from '../../src/pipeline/projection/issues-sql.ts'
import type { JourneyState, ShipmentState, WrittenClaim } from '../../src/pipeline/projection/journey-state-sql.ts'
import type { LoadedState, StateKeys } from '../../src/pipeline/projection/load-states-sql.ts'
import { saveStates } from '../../src/pipeline/projection/save-states-sql.ts'
import type { ContainerRow, ShipmentRow } from '../../src/pipeline/projection/shipments-sql.ts'
import type { TrackingRequestRow } from '../../src/pipeline/projection/tracking-requests-sql.ts'
import type { TransportEventRow } from '../../src/pipeline/projection/transport-events-sql.ts'
import { LANDFALL_NAMESPACE, uuidV5, uuidV7 } from '../../src/platform/ids.ts'

export const madeAt = '2026-03-01T00:00:00.000Z'
export const changedAt = '2026-03-02T00:00:00.000Z'

export function idOf(name: string): string {
  return uuidV5(LANDFALL_NAMESPACE, name)
}

export async function makeAccount(db: Db): Promise<string> {
  const id = uuidV7(Date.now())
  await insertAccount(db, { id, companyName: 'Example Imports', isSandbox: false, createdAt: madeAt })
  return id
}

/** A subject that requests can name; `name` says which. */
export async function makeSubject(db: Db, name: string): Promise<string> {
  const credentialId = idOf('credential')
  await db.query({
    text: `insert into credentials (id, scac, source, profile, is_fiction, created_at)
           values ($1, 'ONEY', 'dcsa', '{}', false, $2) on conflict do nothing`,
    values: [credentialId, madeAt],
  })
  const id = idOf(`subject ${name}`)
  await db.query({
    text: `insert into subjects (id, credential_id, scac, kind, number, created_at)
           values ($1, $2, 'ONEY', 'container', $3, $4) on conflict do nothing`,
    values: [id, credentialId, name, madeAt],
  })
  return id
}

export function requestRow(
  of: Pick<TrackingRequestRow, 'accountId' | 'number'> & Partial<TrackingRequestRow>,
): TrackingRequestRow {
  return {
    id: idOf(`request ${of.accountId} ${of.number}`),
    requestType: 'container',
    requestNumber: of.number,
    scac: 'ONEY',
    subjectId: null,
    shipmentId: null,
    status: 'created',
    failedReason: null,
    lifecycle: { ...newTrackingRequest('container', madeAt), status: 'created', nextLookAt: null },
    isRetrying: false,
    retryCount: null,
    refNumbers: [],
    shipmentTags: [],
    customerId: null,
    hasInitialFields: false,
    timerAt: null,
    createdAt: madeAt,
    updatedAt: madeAt,
    ...of,
  }
}

export function shipmentRow(
  of: Pick<ShipmentRow, 'accountId' | 'normalizedNumber'> & Partial<ShipmentRow>,
): ShipmentRow {
  return {
    id: idOf(`shipment ${of.accountId} ${of.normalizedNumber}`),
    scac: 'ONEY',
    billOfLadingNumber: of.normalizedNumber,
    refNumbers: [],
    tags: [],
    customerId: null,
    projection: {} as ShipmentProjection,
    trackingStoppedAt: null,
    trackingStoppedReason: null,
    timerAt: null,
    rules: 2,
    createdAt: madeAt,
    updatedAt: madeAt,
    ...of,
  }
}

export function containerRow(shipmentId: string, number: string, of: Partial<ContainerRow> = {}): ContainerRow {
  return {
    id: idOf(`container ${shipmentId} ${number}`),
    number,
    trip: 1,
    refNumbers: [],
    projection: { status: 'on_ship' } as ContainerProjection,
    createdAt: madeAt,
    updatedAt: madeAt,
    ...of,
  }
}

export function shipmentState(row: ShipmentRow, of: Partial<ShipmentState> = {}): ShipmentState {
  return { row, containers: [], activeEvents: [], claims: new Map(), ...of }
}

export function claimRow(name: string, of: Partial<WrittenClaim>): WrittenClaim {
  return {
    id: idOf(`claim ${name}`),
    source: { kind: 'shipping_line', code: 'ONEY' },
    observation: { kind: 'event', key: name, equipment: null } as EventObservation,
    readAt: madeAt,
    recordedAt: madeAt,
    standsAt: madeAt,
    hand: 'first',
    deliveryKey: null,
    retiredAt: null,
    subjectId: null,
    shipmentId: null,
    firstSnapshotId: null,
    goneSnapshotId: null,
    missingSince: null,
    reader: 'dcsa/1',
    ...of,
  }
}

export function transportEventRow(
  of: Pick<TransportEventRow, 'shipmentId' | 'containerId'> & { readonly name: string },
): TransportEventRow {
  const { name, ...about } = of
  return {
    ...about,
    id: idOf(`transport event ${of.shipmentId} ${name}`),
    event: 'container.transport.vessel_arrived',
    callKey: name,
    occursAt: madeAt,
    timeZone: null,
    unlocode: 'USLAX',
    terminalId: null,
    vesselImo: null,
    vesselName: null,
    voyageNumber: null,
    dataSource: 'shipping_line',
    value: null,
    sourceClaimId: null,
    previousVersionId: null,
    milestone: null,
  }
}

export function domainEvent(note: string, shipmentId: string): DomainEvent {
  return {
    id: idOf(`event ${shipmentId} ${note}`),
    name: 'container.updated',
    referenceId: idOf(note),
    trackingRequestId: null,
    shipmentId,
    containerId: null,
    payload: { note },
  }
}

export function issueRow(name: string, of: Partial<StoredIssue>): StoredIssue {
  return {
    id: idOf(`issue ${name}`),
    kind: 'unknown_place',
    detail: 'first',
    claimId: null,
    page: 1,
    path: '/0',
    lost: 'field',
    scac: 'ONEY',
    trackingRequestId: null,
    subjectId: null,
    shipmentId: null,
    snapshotId: null,
    times: 1,
    firstAt: madeAt,
    lastAt: madeAt,
    ...of,
  }
}

export function stateKeys(accountId: string, of: Partial<StateKeys> = {}): StateKeys {
  return {
    accountId,
    requestIds: [],
    shipmentIds: [],
    locksAllRequests: false,
    isProjected: true,
    numbers: [],
    ...of,
  }
}

export function emptyState(accountId: string, of: Partial<JourneyState> = {}): JourneyState {
  return {
    accountId,
    requests: new Map(),
    shipments: new Map(),
    claimsByTarget: new Map(),
    issues: new Map(),
    absent: 'others',
    ...of,
  }
}

export function byId<Row extends { readonly id: string }>(...rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}

export interface SeededState {
  readonly accountId: string
  readonly subjectId: string
  readonly requestId: string
  readonly shipmentId: string
  readonly shipment: ShipmentState
}

/** An account of its own with one shipment of two boxes that one request asks for. */
export async function seedState(db: Db): Promise<SeededState> {
  const accountId = await makeAccount(db)
  const subjectId = await makeSubject(db, `bill of ${accountId}`)
  const row = shipmentRow({ accountId, normalizedNumber: 'BILL1' })
  const shipment = shipmentState(row, {
    containers: [containerRow(row.id, 'MSCU4000005'), containerRow(row.id, 'MSCU4000010')],
    claims: byId(claimRow(`user ${row.id}`, { shipmentId: row.id })),
  })
  const request = requestRow({ accountId, number: 'BILL1', shipmentId: row.id, subjectId })
  const state = emptyState(accountId, {
    requests: byId(request),
    shipments: new Map([[row.id, shipment]]),
    claimsByTarget: new Map([[subjectId, byId(claimRow(`line ${row.id}`, { subjectId }))]]),
  })
  await saveStates(db, {
    before: { state: emptyState(accountId), locked: new Set() },
    after: state,
    yields: [],
  })
  return { accountId, subjectId, requestId: request.id, shipmentId: row.id, shipment }
}

export function withShipment(state: JourneyState, shipment: ShipmentState): JourneyState {
  return { ...state, shipments: new Map(state.shipments).set(shipment.row.id, shipment) }
}

export function withRequest(state: JourneyState, request: TrackingRequestRow): JourneyState {
  return { ...state, requests: new Map(state.requests).set(request.id, request) }
}

export function getShipment({ state }: LoadedState, id: string): ShipmentState {
  const shipment = state.shipments.get(id)
  if (shipment === undefined) throw new Error(`the state has no shipment ${id}`)
  return shipment
}

export function getRequest({ state }: LoadedState, id: string): TrackingRequestRow {
  const request = state.requests.get(id)
  if (request === undefined) throw new Error(`the state has no request ${id}`)
  return request
}
