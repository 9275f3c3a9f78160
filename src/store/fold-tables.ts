/** What folding an entry of the ledger live reads and writes: the tables of the database. */

import { claimsOnRecord, liveClaims, writeReading } from './claims.ts'
import type { Db } from './database.ts'
import { insertEvents } from './domain-events.ts'
import { countIssues, issuesOnRecord } from './issues.ts'
import { findLiveRequest } from './live-requests.ts'
import { writeProjected } from './projected.ts'
import { shipmentOnRecord } from './shipment-rules.ts'
import {
  adoptCustomer,
  ensureShipment,
  lockShipment,
  setContainerReferences,
  settleTrackingStop,
  updateShipmentFields,
} from './shipments.ts'
import { getSnapshot } from './snapshots.ts'
import { getSubjectAccess } from './subjects.ts'
import {
  insertTrackingRequest,
  lockRequestsOfShipment,
  lockTrackingRequest,
  requestsOfShipment,
  ringForSiblings,
  setRequestReferences,
  updateTrackingRequestState,
} from './tracking-requests.ts'
import { standingTransportEvents } from './transport-events.ts'

type Bound<Statement extends (db: Db, of: never) => unknown> = (
  of: Parameters<Statement>[1],
) => ReturnType<Statement>

export interface FoldTables {
  readonly adoptCustomer: Bound<typeof adoptCustomer>
  readonly claimsOnRecord: Bound<typeof claimsOnRecord>
  readonly countIssues: Bound<typeof countIssues>
  readonly ensureShipment: Bound<typeof ensureShipment>
  readonly findLiveRequest: Bound<typeof findLiveRequest>
  readonly getSnapshot: Bound<typeof getSnapshot>
  readonly getSubjectAccess: Bound<typeof getSubjectAccess>
  readonly insertEvents: Bound<typeof insertEvents>
  readonly insertTrackingRequest: Bound<typeof insertTrackingRequest>
  readonly issuesOnRecord: Bound<typeof issuesOnRecord>
  readonly liveClaims: Bound<typeof liveClaims>
  readonly lockRequestsOfShipment: Bound<typeof lockRequestsOfShipment>
  readonly lockShipment: Bound<typeof lockShipment>
  readonly lockTrackingRequest: Bound<typeof lockTrackingRequest>
  readonly requestsOfShipment: Bound<typeof requestsOfShipment>
  readonly ringForSiblings: Bound<typeof ringForSiblings>
  readonly setContainerReferences: Bound<typeof setContainerReferences>
  readonly setRequestReferences: Bound<typeof setRequestReferences>
  readonly settleTrackingStop: Bound<typeof settleTrackingStop>
  readonly shipmentOnRecord: Bound<typeof shipmentOnRecord>
  readonly standingTransportEvents: Bound<typeof standingTransportEvents>
  readonly updateShipmentFields: Bound<typeof updateShipmentFields>
  readonly updateTrackingRequestState: Bound<typeof updateTrackingRequestState>
  readonly writeProjected: Bound<typeof writeProjected>
  readonly writeReading: Bound<typeof writeReading>
}

/** As this connection, or the transaction on it, sees and writes them. */
export function tablesOf(db: Db): FoldTables {
  return {
    adoptCustomer: (of) => adoptCustomer(db, of),
    claimsOnRecord: (of) => claimsOnRecord(db, of),
    countIssues: (write) => countIssues(db, write),
    ensureShipment: (shipment) => ensureShipment(db, shipment),
    findLiveRequest: (key) => findLiveRequest(db, key),
    getSnapshot: (id) => getSnapshot(db, id),
    getSubjectAccess: (id) => getSubjectAccess(db, id),
    insertEvents: (write) => insertEvents(db, write),
    insertTrackingRequest: (request) => insertTrackingRequest(db, request),
    issuesOnRecord: (of) => issuesOnRecord(db, of),
    liveClaims: (of) => liveClaims(db, of),
    lockRequestsOfShipment: (key) => lockRequestsOfShipment(db, key),
    lockShipment: (key) => lockShipment(db, key),
    lockTrackingRequest: (key) => lockTrackingRequest(db, key),
    requestsOfShipment: (key) => requestsOfShipment(db, key),
    ringForSiblings: (of) => ringForSiblings(db, of),
    setContainerReferences: (container) => setContainerReferences(db, container),
    setRequestReferences: (request) => setRequestReferences(db, request),
    settleTrackingStop: (of) => settleTrackingStop(db, of),
    shipmentOnRecord: (of) => shipmentOnRecord(db, of),
    standingTransportEvents: (key) => standingTransportEvents(db, key),
    updateShipmentFields: (shipment) => updateShipmentFields(db, shipment),
    updateTrackingRequestState: (request) => updateTrackingRequestState(db, request),
    writeProjected: (write) => writeProjected(db, write),
    writeReading: (reading) => writeReading(db, reading),
  }
}
