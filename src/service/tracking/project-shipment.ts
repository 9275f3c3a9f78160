/** Projects a shipment anew from the claims that stand, and writes and announces what became different. */

import { diffShipment } from '../../core/changes.ts'
import { isSameJson } from '../../core/json-value.ts'
import type { Claim } from '../../core/observation.ts'
import type { ContainerProjection, JourneyIssue, ShipmentProjection } from '../../core/projection.ts'
import { nextTimerAt, projectShipment } from '../../core/shipment.ts'
import type { ShipmentRequest } from '../../core/trip-choice.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import type { DomainEvent } from '../../store/domain-events.ts'
import type { FoldTables } from '../../store/fold-tables.ts'
import type { LedgerEntry } from '../../store/ledger.ts'
import type { ContainerRow, ContainerWrite, ShipmentRow } from '../../store/shipments.ts'
import type { AskingRequest, TrackingRequestRow } from '../../store/tracking-requests.ts'
import { announce } from '../ledger/announce.ts'
import { containerKey } from '../ledger/announced-rows.ts'
import type { Fold } from '../ledger/fold.ts'

export interface LockedShipment {
  readonly shipment: ShipmentRow
  readonly containers: readonly ContainerRow[]
  /** Those that ask for it, where they were read with it. */
  readonly requests?: readonly AskingRequest[]
}

/** The claims that stand under one subject, and those of one shipment's users, where they are known without asking. */
export interface StandingClaims {
  readonly subjectId: string
  readonly shipmentId: string | null
  readonly claims: readonly Claim[]
}

export interface Projected {
  readonly projection: ShipmentProjection
  readonly events: readonly DomainEvent[]
  readonly isChanged: boolean
  /** All that ask for the shipment, the first first. */
  readonly requests: readonly AskingRequest[]
}

/** What the claims make of the shipment at the entry's time; nothing is written. */
export async function readProjection(
  tables: FoldTables,
  fold: Fold,
  input: {
    readonly entry: Pick<LedgerEntry, 'accountId' | 'recordedAt'>
    readonly scac: string
    readonly request: ShipmentRequest
    readonly subjectIds: readonly string[]
    readonly locked: LockedShipment | null
    readonly standing: StandingClaims | null
  },
): Promise<ShipmentProjection> {
  const claims = await claimsOf(tables, input)
  const line = fold.findLine(input.scac)
  return projectShipment({
    claims,
    line: { scac: input.scac, isAverageWeight: line?.dataGaps.averageWeight ?? false },
    request: input.request,
    now: input.entry.recordedAt,
    previous: input.locked === null ? null : previousOf(input.locked),
    rules: fold.rules.projection,
  })
}

async function claimsOf(
  tables: FoldTables,
  input: {
    readonly entry: Pick<LedgerEntry, 'accountId'>
    readonly subjectIds: readonly string[]
    readonly locked: LockedShipment | null
    readonly standing: StandingClaims | null
  },
): Promise<readonly Claim[]> {
  const { subjectIds, standing } = input
  const { accountId } = input.entry
  const shipmentId = input.locked?.shipment.id ?? null
  // Remembered claims serve where they are all or most of what is asked.
  const isOf = standing !== null && subjectIds.includes(standing.subjectId)
  if (!isOf || (standing.shipmentId !== null && standing.shipmentId !== shipmentId)) {
    return tables.liveClaims({ accountId, subjectIds, shipmentId })
  }
  const unread = subjectIds.filter((id) => id !== standing.subjectId)
  const unreadShipmentId = standing.shipmentId === null ? shipmentId : null
  if (unread.length === 0 && unreadShipmentId === null) return standing.claims
  const others = await tables.liveClaims({ accountId, subjectIds: unread, shipmentId: unreadShipmentId })
  return [...others, ...standing.claims]
}

/** The projection as it stands, containers included; null before the first one was written. */
function previousOf(locked: LockedShipment): ShipmentProjection | null {
  if (!isProjected(locked.shipment)) return null
  return { ...locked.shipment.projection, containers: locked.containers.map((row) => row.projection) }
}

function isProjected(shipment: ShipmentRow): boolean {
  return Object.keys(shipment.projection).length > 0
}

/** Projects, writes rows and events of what changed, and returns the events (written by the caller's order). */
export async function projectAndWrite(
  tables: FoldTables,
  fold: Fold,
  input: {
    readonly entry: LedgerEntry
    readonly locked: LockedShipment
    readonly standing?: StandingClaims | null
    /** Events of the same entry that are heard before what changed. */
    readonly heardFirst: readonly DomainEvent[]
    /** Subscribers do not hear of what changed. */
    readonly isQuiet?: boolean
  },
): Promise<Projected> {
  const { entry, locked } = input
  const { shipment } = locked
  const key = { accountId: entry.accountId, shipmentId: shipment.id }
  const requests = locked.requests ?? (await tables.requestsOfShipment(key))
  const projection = await readProjection(tables, fold, {
    entry,
    scac: shipment.scac,
    ...askedAs(requests, key),
    locked,
    standing: input.standing ?? null,
  })
  const before = previousOf(locked)
  const changes = diffShipment(before, projection, fold.rules.projection)
  const containerIds = idsOfContainers(shipment.id, locked.containers, projection.containers)
  const announcement = announce({
    position: entry.position,
    recordedAt: entry.recordedAt,
    shipmentId: shipment.id,
    containerIds,
    standing: changes.length === 0 || before === null ? [] : await tables.standingTransportEvents(key),
    changes,
    after: projection,
  })
  const containers = changedContainers(locked.containers, projection.containers, containerIds)
  const isChanged = containers.length > 0 || changes.length > 0 || !isSameShipment(before, projection)
  const events = [...input.heardFirst, ...(input.isQuiet === true ? [] : announcement.events)]
  const timerAt = nextTimerAt(projection, fold.rules.projection)
  await tables.writeProjected({
    ...key,
    shipment: isChanged ? { projection: { ...projection, containers: [], issues: [] }, timerAt } : null,
    containers,
    invalidate: announcement.invalidate,
    transportEvents: announcement.rows,
    events,
    at: entry.recordedAt,
  })
  await tables.countIssues({
    ...key,
    scac: shipment.scac,
    subjectId: null,
    trackingRequestId: null,
    snapshotId: entry.snapshotId,
    issues: projection.issues.map((issue) => ({
      ...issue,
      id: uuidV5(LANDFALL_NAMESPACE, `issue:${shipment.id}:${issue.kind}:${issue.claimId}`),
      page: null,
      path: null,
      lost: lostBy[issue.kind],
    })),
    at: entry.recordedAt,
  })
  return { projection, events, isChanged, requests }
}

/** What was said is on record, and the journey does without it; of what is contradicted another word stands. */
const lostBy: Readonly<Record<JourneyIssue['kind'], 'event' | 'nothing'>> = {
  future_actual: 'event',
  overtaken_prediction: 'nothing',
  other_trip: 'nothing',
  unmapped_event: 'event',
  contradicted: 'nothing',
}

/** The shipment is asked for as its first request asked, under the subjects of all of them. */
export function askedAs(
  requests: readonly AskingRequest[],
  key: { readonly shipmentId: string },
): { readonly request: ShipmentRequest; readonly subjectIds: readonly string[] } {
  const [first] = requests
  if (first === undefined) throw new Error(`nobody asked for shipment ${key.shipmentId}`)
  const subjectIds = [...new Set(requests.map(({ subjectId }) => subjectId))].toSorted()
  return { request: requestOf(first), subjectIds }
}

export function requestOf(
  request: Pick<TrackingRequestRow, 'requestType' | 'number' | 'createdAt'>,
): ShipmentRequest {
  const kind = request.requestType === 'booking_number' ? 'booking' : request.requestType
  return { kind, number: request.number, requestedAt: request.createdAt }
}

function idsOfContainers(
  shipmentId: string,
  rows: readonly ContainerRow[],
  projected: readonly ContainerProjection[],
): ReadonlyMap<string, string> {
  const ids = new Map(rows.map((row) => [containerKey(row), row.id]))
  for (const container of projected) {
    const key = containerKey(container)
    if (!ids.has(key)) ids.set(key, containerIdOf(shipmentId, container))
  }
  return ids
}

export type BoxOfTrip = Pick<ContainerRow, 'number' | 'trip'>

export function containerIdOf(shipmentId: string, box: BoxOfTrip): string {
  return uuidV5(LANDFALL_NAMESPACE, `container:${shipmentId}:${containerKey(box)}`)
}

function changedContainers(
  rows: readonly ContainerRow[],
  projected: readonly ContainerProjection[],
  ids: ReadonlyMap<string, string>,
): readonly ContainerWrite[] {
  const before = new Map(rows.map((row) => [containerKey(row), row.projection]))
  return projected.flatMap((projection) => {
    const key = containerKey(projection)
    const known = before.get(key)
    if (known !== undefined && isSameJson(known, projection)) return []
    const id = ids.get(key)
    return id === undefined ? [] : [{ id, number: projection.number, trip: projection.trip, projection }]
  })
}

function isSameShipment(before: ShipmentProjection | null, after: ShipmentProjection): boolean {
  return (
    before !== null &&
    isSameJson({ ...before, containers: [], issues: [] }, { ...after, containers: [], issues: [] })
  )
}
