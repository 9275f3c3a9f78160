/** Counts and logs the results of ledger entries: what was ingested, which requests moved on, how shipments changed. */

import type { Source } from '../../domain/statements/observation.ts'
import { unreportedMilestones } from '../../domain/view/projection.ts'
import type { Service } from '../../modules/service.ts'
import type { DomainEvent } from '../projection/domain-events-sql.ts'
import type { StoredIssue } from '../projection/issues-sql.ts'
import type { ContainerRow, ShipmentRow } from '../projection/shipments-sql.ts'
import type { TrackingRequestRow } from '../projection/tracking-requests-sql.ts'

/** The columns of the state that are counted and logged. */
export interface FoldedState {
  readonly requests: ReadonlyMap<string, Pick<TrackingRequestRow, 'status'>>
  readonly shipments: ReadonlyMap<string, FoldedShipment>
  /** `times`: how often each was counted since the state was loaded. */
  readonly issues: ReadonlyMap<string, Pick<StoredIssue, 'scac' | 'kind' | 'subjectId' | 'times'>>
}

/** When it is the same object before and after, neither the shipment nor any of its rows was changed. */
export interface FoldedShipment {
  readonly row: Pick<ShipmentRow, 'scac' | 'projection' | 'trackingStoppedAt' | 'trackingStoppedReason'>
  readonly containers: readonly Pick<ContainerRow, 'id' | 'projection'>[]
}

/** What some entries of one account did, each of them folded once. */
export interface FoldedEntries {
  readonly accountId: string
  readonly before: FoldedState
  readonly after: FoldedState
  readonly events: readonly Pick<DomainEvent, 'name'>[]
  /** The line of each snapshot that an entry absorbed. */
  readonly absorbed: readonly string[]
  /** Sources whose statements were overruled for the first time. */
  readonly contradicted: readonly Source[]
}

/** To be called once, after the commit (`afterCommit`). A rebuild or a query about the past must not call it. */
export function reportFoldedEntries({ metrics }: Pick<Service, 'metrics'>, folded: FoldedEntries): void {
  const account = folded.accountId
  for (const [scac, times] of countByName(folded.absorbed)) metrics.snapshotAbsorbed({ scac, times, account })
  for (const [name, times] of countByName(folded.events.map((event) => event.name)))
    metrics.eventEmitted({ name, times, account })
  for (const { kind: speaker, code } of folded.contradicted) metrics.statementContradicted({ speaker, code, account })
  reportRequests(metrics, folded)
  reportShipments(metrics, folded)
  reportIssues(metrics, folded)
}

function reportRequests(metrics: Service['metrics'], { accountId, before, after }: FoldedEntries): void {
  for (const [id, { status }] of after.requests) {
    const known = before.requests.get(id)?.status ?? 'pending'
    if (status !== known) metrics.trackingRequestChanged({ status, account: accountId, trackingRequest: id })
  }
}

function reportShipments(metrics: Service['metrics'], { accountId, before, after }: FoldedEntries): void {
  for (const [id, shipment] of after.shipments) {
    const known = before.shipments.get(id) ?? null
    if (known === shipment) continue
    const ids = { account: accountId, shipment: id }
    metrics.journeyProjected({ outcome: classifyShipmentChange(known, shipment), ...ids })
    const { trackingStoppedAt, trackingStoppedReason } = shipment.row
    const wasStopped = known !== null && known.row.trackingStoppedAt !== null
    if (trackingStoppedAt !== null && !wasStopped)
      metrics.trackingStopped({ reason: trackingStoppedReason ?? 'unknown', ...ids })
    reportTerminatedContainers(metrics, known, shipment, ids)
  }
}

/** At the end of a container's journey, the milestones that are missing show what its sources leave out. */
function reportTerminatedContainers(
  metrics: Service['metrics'],
  before: FoldedShipment | null,
  { row, containers }: FoldedShipment,
  ids: { readonly account: string; readonly shipment: string },
): void {
  const over = new Set(
    before?.containers.flatMap((container) => (container.projection.isTerminated ? container.id : [])),
  )
  const { scac } = row
  for (const { id, projection } of containers) {
    if (!projection.isTerminated || over.has(id)) continue
    metrics.boxReturned({ scac, container: id, ...ids })
    for (const name of unreportedMilestones(projection)) metrics.milestoneUntold({ scac, name, container: id, ...ids })
  }
}

function classifyShipmentChange(
  before: FoldedShipment | null,
  after: FoldedShipment,
): 'made' | 'changed' | 'unchanged' {
  if (before === null) return 'made'
  const isSame =
    before.row.projection === after.row.projection &&
    before.containers.length === after.containers.length &&
    before.containers.every(({ projection }, place) => projection === after.containers[place]?.projection)
  return isSame ? 'unchanged' : 'changed'
}

/**
 * Counts issues that show only when statements are put together. What a reader could not read was counted with the
 * poll.
 */
function reportIssues(metrics: Service['metrics'], { accountId, before, after }: FoldedEntries): void {
  const raised = [...after.issues]
    .filter(([, { subjectId }]) => subjectId === null)
    .map(([id, issue]) => ({ ...issue, times: issue.times - (before.issues.get(id)?.times ?? 0) }))
  for (const alike of Map.groupBy(raised, ({ scac, kind }) => `${scac} ${kind}`).values()) {
    const times = alike.reduce((sum, issue) => sum + issue.times, 0)
    const [{ scac, kind }] = alike as [(typeof alike)[number]] // a group has one at least
    if (times > 0) metrics.issueRaised({ scac, kind, times, account: accountId })
  }
}

function countByName(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
