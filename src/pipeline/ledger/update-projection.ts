/** Projects a shipment again from its active claims: makes its rows as they are now, and publishes the difference. */

import type { Change } from '../../domain/changes/change.ts'
import { diffShipment } from '../../domain/changes/diff-shipment.ts'
import type { ShipmentRequest } from '../../domain/journey/trip-choice.ts'
import { nextTimerAt, projectShipment } from '../../domain/shipment/shipment.ts'
import type { Claim } from '../../domain/statements/observation.ts'
import { compareText } from '../../domain/statements/statement.ts'
import { kindOfType } from '../../domain/tracking-requests/tracking-request-state.ts'
import { asStored, isSameJson, isStoredAs } from '../../domain/values/json-value.ts'
import { compareInstants } from '../../domain/values/time.ts'
import type { ContainerProjection, JourneyIssue, ShipmentProjection } from '../../domain/view/projection.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { rampAreaOf } from '../../reference/ramps.ts'
import type {
  ActiveTransportEvent,
  JourneyState,
  ShipmentState,
  WrittenClaim,
} from '../projection/journey-state-sql.ts'
import type { ContainerRow } from '../projection/shipments-sql.ts'
import type { TrackedRequest } from '../projection/tracking-requests-sql.ts'
import { addIssuesToState } from './count-issues.ts'
import { containerKey } from './event-rows.ts'
import type { Fold } from './fold.ts'
import type { RecordedMessageChange } from './ledger-payload-sql.ts'
import { isMessageEntry, type LedgerEntry } from './ledger-sql.ts'
import { findPolledType } from './polled-request.ts'
import { recordReportTimes } from './report-times.ts'
import { getShipment, requestsOf, withShipment } from './state-rows.ts'
import { type Announcement, toDomainEvents } from './to-domain-events.ts'

export interface ProjectionResult {
  readonly state: JourneyState
  readonly projection: ShipmentProjection
  readonly isChanged: boolean
  readonly changes: readonly Change[]
  readonly announcement: Announcement
}

export interface ProjectionInput {
  readonly scac: string
  readonly request: ShipmentRequest
  readonly claims: readonly Claim[]
  readonly previous: ShipmentProjection | null
  readonly now: string
}

/** The state of a shipment that the claims yield at a moment. */
export function projectAt(fold: Fold, { scac, ...input }: ProjectionInput): ShipmentProjection {
  const isAverageWeight = fold.findLine(scac)?.dataGaps.averageWeight ?? false
  return projectShipment({
    ...input,
    line: { scac, isAverageWeight },
    rules: fold.rules.projection,
    areaOf: rampAreaOf,
  })
}

/** `isQuiet`: subscribers do not get the changes. */
export function updateProjection(
  fold: Fold,
  state: JourneyState,
  entry: LedgerEntry,
  shipmentId: string,
  { isQuiet }: { readonly isQuiet: boolean } = { isQuiet: false },
): ProjectionResult {
  const shipment = getShipment(state, shipmentId)
  const before = getCurrentProjection(shipment)
  const basis = collectProjectionInput(state, shipment, entry)
  const { scac } = shipment.row
  const current = projectAt(fold, { scac, ...basis, previous: before, now: entry.recordedAt })
  const reusedContainers = reuseContainers(shipment, current.containers)
  const projection = { ...current, containers: recordReportTimes(reusedContainers, basis.claims) }
  const changes = diffShipment(before, projection, fold.rules.projection)
  const containerIds = idsOfContainers(shipment, projection.containers)
  const announcement = toDomainEvents({
    position: entry.position,
    recordedAt: entry.recordedAt,
    shipmentId,
    containerIds,
    activeEvents: before === null ? [] : shipment.activeEvents,
    changes,
    after: projection,
  })
  const containers = projectedRows(shipment, projection.containers, containerIds, entry.recordedAt)
  const known = new Set(shipment.containers.map((row) => row.projection))
  // A container also records that a source has reported it again. That alone is not a change.
  const isChanged =
    reusedContainers.some((container) => !known.has(container)) ||
    changes.length > 0 ||
    !isSameShipment(before, projection)
  const row = isChanged
    ? {
        ...shipment.row,
        projection: asStored({ ...projection, containers: [], issues: [] }),
        timerAt: nextTimerAt(projection, fold.rules.projection),
        updatedAt: entry.recordedAt,
      }
    : shipment.row
  const activeEvents = updateActiveEvents(shipment.activeEvents, announcement)
  const after = withShipment(state, { ...shipment, row, containers, activeEvents })
  return {
    state: withIssues(after, entry, shipment, projection.issues),
    projection,
    isChanged,
    changes,
    announcement: isQuiet ? { ...announcement, events: [] } : announcement,
  }
}

/** The present projection, containers included; null before the first one. */
export function getCurrentProjection({ row, containers }: ShipmentState): ShipmentProjection | null {
  if (Object.keys(row.projection).length === 0) return null
  return { ...row.projection, containers: containers.map(({ projection }) => projection) }
}

/**
 * The shipment counts as requested by its first request. Its claims come from the poll targets of all its requests.
 * Besides the active claims, it has those that the message of the entry brought too late.
 */
function collectProjectionInput(
  state: JourneyState,
  shipment: ShipmentState,
  entry: LedgerEntry,
): { readonly request: ShipmentRequest; readonly claims: readonly Claim[] } {
  const requests = requestsOf(state, shipment.row.id)
  const { request, subjectIds } = summarizeRequests(requests, { shipmentId: shipment.row.id })
  const all = [...subjectIds.map((id) => state.claimsByTarget.get(id)), shipment.claims]
  const claims = all.flatMap((each) => [...(each?.values() ?? [])])
  const late = lateClaims(claims, isMessageEntry(entry) ? entry.payload.heard?.told : undefined)
  return { request, claims: [...claims.filter(({ retiredAt }) => retiredAt === null), ...late] }
}

/**
 * Claims that a message brings too late to be active: those that its source has replaced, and those that its source has
 * repeated meanwhile, which were written earlier than the row records.
 */
function lateClaims(claims: readonly WrittenClaim[], delivery: RecordedMessageChange | undefined): readonly Claim[] {
  if (delivery === undefined) return []
  const { standsAt } = delivery
  const [overtaken, repeated] = [new Set(delivery.overtaken), new Set(delivery.seen)]
  return claims.flatMap((claim) => {
    if (claim.retiredAt !== null && overtaken.has(claim.id)) return claim
    const isEarlier = repeated.has(claim.id) && compareInstants(standsAt, claim.standsAt) < 0
    return isEarlier ? { ...claim, standsAt, retiredAt: claim.standsAt } : []
  })
}

/** What a shipment needs to know of each request that asks for it. The first request comes first. */
type RequestSummary = Pick<TrackedRequest, 'requestType' | 'lifecycle' | 'number' | 'createdAt' | 'subjectId'>

export function summarizeRequests(
  requests: readonly RequestSummary[],
  key: { readonly shipmentId: string },
): { readonly request: ShipmentRequest; readonly subjectIds: readonly string[] } {
  const [first] = requests
  if (first === undefined) throw new Error(`there is no tracking request for shipment ${key.shipmentId}`)
  const subjectIds = [...new Set(requests.map(({ subjectId }) => subjectId))].toSorted()
  return { request: toShipmentRequest(first), subjectIds }
}

export function toShipmentRequest(request: Omit<RequestSummary, 'subjectId'>): ShipmentRequest {
  return { kind: kindOfType[findPolledType(request)], number: request.number, requestedAt: request.createdAt }
}

function idsOfContainers(
  { row, containers }: ShipmentState,
  projected: readonly ContainerProjection[],
): ReadonlyMap<string, string> {
  const ids = new Map(containers.map((container) => [containerKey(container), container.id]))
  for (const container of projected) {
    const key = containerKey(container)
    if (!ids.has(key)) ids.set(key, containerIdOf(row.id, container))
  }
  return ids
}

export type ContainerTrip = Pick<ContainerRow, 'number' | 'trip'>

export function containerIdOf(shipmentId: string, containerTrip: ContainerTrip): string {
  return uuidV5(LANDFALL_NAMESPACE, `container:${shipmentId}:${containerKey(containerTrip)}`)
}

/**
 * Keeps the same object for a container that is projected as it was, by which unchanged containers are recognised. On a
 * bill of very many containers nearly every container is unchanged.
 */
function reuseContainers(
  { containers }: ShipmentState,
  projectedContainers: readonly ContainerProjection[],
): readonly ContainerProjection[] {
  const known = new Map(containers.map((row) => [containerKey(row), row.projection]))
  return projectedContainers.map((current) => {
    const was = known.get(containerKey(current))
    const merged = was?.heardAt === undefined ? current : { ...current, heardAt: was.heardAt }
    return was !== undefined && isStoredAs(merged, was) ? was : asStored(merged)
  })
}

/** Returns the same array when no container has changed. */
function projectedRows(
  { containers }: ShipmentState,
  projected: readonly ContainerProjection[],
  ids: ReadonlyMap<string, string>,
  at: string,
): readonly ContainerRow[] {
  const rows = new Map(containers.map((row) => [containerKey(row), row]))
  let isChanged = false
  for (const projection of projected) {
    const key = containerKey(projection)
    const known = rows.get(key)
    const id = known?.id ?? ids.get(key)
    if (id === undefined || known?.projection === projection) continue
    isChanged = true
    const { number, trip } = projection
    const { refNumbers = [], createdAt = at } = known ?? {}
    rows.set(key, { id, number, trip, refNumbers, projection, createdAt, updatedAt: at })
  }
  if (!isChanged) return containers
  return [...rows.values()].toSorted((a, b) => compareText(a.number, b.number) || a.trip - b.trip)
}

function isSameShipment(before: ShipmentProjection | null, after: ShipmentProjection): boolean {
  return (
    before !== null && isSameJson({ ...before, containers: [], issues: [] }, { ...after, containers: [], issues: [] })
  )
}

/** Rows that the entry both published and ended stay: an entry ends only what was active before it. */
function updateActiveEvents(
  before: readonly ActiveTransportEvent[],
  { rows, invalidate }: Announcement,
): readonly ActiveTransportEvent[] {
  if (rows.length + invalidate.length === 0) return before
  const ended = new Set(invalidate)
  const added = rows.flatMap(({ id, containerId, event, callKey }) =>
    callKey === null ? [] : [{ id, containerId, event, callKey }],
  )
  return [...before.filter(({ id }) => !ended.has(id)), ...added]
}

/**
 * What the journey loses by each issue. The statement itself is on record; where it is contradicted, another one
 * counts.
 */
const lossByIssue: Readonly<Record<JourneyIssue['kind'], 'event' | 'nothing'>> = {
  future_actual: 'event',
  overtaken_prediction: 'nothing',
  other_trip: 'nothing',
  unmapped_event: 'event',
  contradicted: 'nothing',
  unlisted_source: 'event',
}

function withIssues(
  state: JourneyState,
  entry: LedgerEntry,
  { row }: ShipmentState,
  issues: readonly JourneyIssue[],
): JourneyState {
  const of = {
    scac: row.scac,
    subjectId: null,
    trackingRequestId: null,
    shipmentId: row.id,
    snapshotId: entry.snapshotId,
  }
  const named = issues.map((issue) => ({
    ...issue,
    id: uuidV5(LANDFALL_NAMESPACE, `issue:${row.id}:${issue.kind}:${issue.claimId}`),
    page: null,
    path: null,
    lost: lossByIssue[issue.kind],
  }))
  return addIssuesToState(state, named, of, entry.recordedAt)
}
