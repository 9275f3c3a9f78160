/** Projects a shipment again from its standing claims: makes its rows as they are now, and announces the difference. */

import type { Change } from '../../core/changes/change.ts'
import { diffShipment } from '../../core/changes/changes.ts'
import type { ShipmentRequest } from '../../core/journey/trip-choice.ts'
import { kindOfType } from '../../core/requests/tracking-request-state.ts'
import { nextTimerAt, projectShipment } from '../../core/shipment/shipment.ts'
import type { ContainerProjection, JourneyIssue, ShipmentProjection } from '../../core/shown/projection.ts'
import type { Claim } from '../../core/statements/observation.ts'
import { compareText } from '../../core/statements/statement.ts'
import { asKept, isKeptAs, isSameJson } from '../../core/values/json-value.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { rampAreaOf } from '../../reference/ramps.ts'
import type { JourneyState, ShipmentState, Standing } from '../../store/journey-state/state.ts'
import type { ContainerRow } from '../../store/journeys/shipments.ts'
import type { TrackedRequest } from '../../store/journeys/tracking-requests.ts'
import type { LedgerEntry } from '../../store/ledger/ledger.ts'
import { type Announcement, announce } from './announce.ts'
import { containerKey } from './announced-rows.ts'
import { askedType } from './asked-request.ts'
import { countIssues } from './count-issues.ts'
import type { Fold } from './fold.ts'
import { noteHeard } from './last-heard.ts'
import { getShipment, requestsOf, standingClaims, withShipment } from './state-rows.ts'

export interface Projected {
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

/** The state of a shipment that the claims give at a moment. */
export function projectAt(fold: Fold, { scac, ...input }: ProjectionInput): ShipmentProjection {
  const isAverageWeight = fold.findLine(scac)?.dataGaps.averageWeight ?? false
  return projectShipment({
    ...input,
    line: { scac, isAverageWeight },
    rules: fold.rules.projection,
    areaOf: rampAreaOf,
  })
}

/** `isQuiet`: subscribers do not hear what changed. */
export function project(
  fold: Fold,
  state: JourneyState,
  entry: LedgerEntry,
  shipmentId: string,
  { isQuiet }: { readonly isQuiet: boolean } = { isQuiet: false },
): Projected {
  const shipment = getShipment(state, shipmentId)
  const before = previousOf(shipment)
  const asked = askedOf(state, shipment)
  const { scac } = shipment.row
  const told = projectAt(fold, { scac, ...asked, previous: before, now: entry.recordedAt })
  const boxes = keptContainers(shipment, told.containers)
  const projection = { ...told, containers: noteHeard(boxes, asked.claims) }
  const changes = diffShipment(before, projection, fold.rules.projection)
  const containerIds = idsOfContainers(shipment, projection.containers)
  const announcement = announce({
    position: entry.position,
    recordedAt: entry.recordedAt,
    shipmentId,
    containerIds,
    standing: before === null ? [] : shipment.standing,
    changes,
    after: projection,
  })
  const containers = projectedRows(shipment, projection.containers, containerIds, entry.recordedAt)
  const known = new Set(shipment.containers.map((row) => row.projection))
  // A box also records that a source has reported it again. That alone is not a change.
  const isChanged =
    boxes.some((box) => !known.has(box)) || changes.length > 0 || !isSameShipment(before, projection)
  const row = isChanged
    ? {
        ...shipment.row,
        projection: asKept({ ...projection, containers: [], issues: [] }),
        timerAt: nextTimerAt(projection, fold.rules.projection),
        updatedAt: entry.recordedAt,
      }
    : shipment.row
  const standing = standingAfter(shipment.standing, announcement)
  const after = withShipment(state, { ...shipment, row, containers, standing })
  return {
    state: withIssues(after, entry, shipment, projection.issues),
    projection,
    isChanged,
    changes,
    announcement: isQuiet ? { ...announcement, events: [] } : announcement,
  }
}

/** The projection as it stands, containers included; null before the first one. */
export function previousOf({ row, containers }: ShipmentState): ShipmentProjection | null {
  if (Object.keys(row.projection).length === 0) return null
  return { ...row.projection, containers: containers.map(({ projection }) => projection) }
}

/** The shipment counts as asked for by its first request. Its claims come from the subjects of all its requests. */
function askedOf(
  state: JourneyState,
  shipment: ShipmentState,
): { readonly request: ShipmentRequest; readonly claims: readonly Claim[] } {
  const requests = requestsOf(state, shipment.row.id)
  const { request, subjectIds } = askedAs(requests, { shipmentId: shipment.row.id })
  const said = subjectIds.map((id) => state.subjects.get(id))
  return { request, claims: [...said, shipment.claims].flatMap(standingClaims) }
}

/** What a shipment needs to know of each request that asks for it. The first request comes first. */
type Asking = Pick<TrackedRequest, 'requestType' | 'lifecycle' | 'number' | 'createdAt' | 'subjectId'>

export function askedAs(
  requests: readonly Asking[],
  key: { readonly shipmentId: string },
): { readonly request: ShipmentRequest; readonly subjectIds: readonly string[] } {
  const [first] = requests
  if (first === undefined) throw new Error(`nobody asked for shipment ${key.shipmentId}`)
  const subjectIds = [...new Set(requests.map(({ subjectId }) => subjectId))].toSorted()
  return { request: requestOf(first), subjectIds }
}

export function requestOf(request: Omit<Asking, 'subjectId'>): ShipmentRequest {
  return { kind: kindOfType[askedType(request)], number: request.number, requestedAt: request.createdAt }
}

function idsOfContainers(
  { row, containers }: ShipmentState,
  projected: readonly ContainerProjection[],
): ReadonlyMap<string, string> {
  const ids = new Map(containers.map((box) => [containerKey(box), box.id]))
  for (const box of projected) {
    const key = containerKey(box)
    if (!ids.has(key)) ids.set(key, containerIdOf(row.id, box))
  }
  return ids
}

export type BoxOfTrip = Pick<ContainerRow, 'number' | 'trip'>

export function containerIdOf(shipmentId: string, box: BoxOfTrip): string {
  return uuidV5(LANDFALL_NAMESPACE, `container:${shipmentId}:${containerKey(box)}`)
}

/**
 * Keeps the same object for a box that is projected as it was, by which unchanged boxes are recognised. On a bill of
 * very many boxes nearly every box is unchanged.
 */
function keptContainers(
  { containers }: ShipmentState,
  boxes: readonly ContainerProjection[],
): readonly ContainerProjection[] {
  const known = new Map(containers.map((row) => [containerKey(row), row.projection]))
  return boxes.map((told) => {
    const was = known.get(containerKey(told))
    const box = was?.heardAt === undefined ? told : { ...told, heardAt: was.heardAt }
    return was !== undefined && isKeptAs(box, was) ? was : asKept(box)
  })
}

/** Returns the same array when no box has changed. */
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
    before !== null &&
    isSameJson({ ...before, containers: [], issues: [] }, { ...after, containers: [], issues: [] })
  )
}

/** Rows that the entry both announced and ended stay: an entry ends only what stood before it. */
function standingAfter(before: readonly Standing[], { rows, invalidate }: Announcement): readonly Standing[] {
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
const lostBy: Readonly<Record<JourneyIssue['kind'], 'event' | 'nothing'>> = {
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
    lost: lostBy[issue.kind],
  }))
  return countIssues(state, named, of, entry.recordedAt)
}
