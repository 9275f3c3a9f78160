/** The rows in which milestones and values are published, and the keys by which they are found again. */

import type { Changeset } from '../../domain/changes/change.ts'
import type { EventName } from '../../domain/changes/event-table.ts'
import type { ObservedPlace } from '../../domain/statements/observation.ts'
import { instantOf } from '../../domain/values/time.ts'
import type { ContainerProjection, EstimatedMilestoneName, Milestone } from '../../domain/view/projection.ts'
import type { TransportEventRow } from '../projection/transport-events-sql.ts'

type RowIdentity = Pick<TransportEventRow, 'id' | 'shipmentId' | 'containerId' | 'previousVersionId'>

export function milestoneRow(milestone: Milestone, identity: RowIdentity): TransportEventRow {
  const { place } = milestone
  return {
    ...identity,
    event: milestoneEvent(milestone),
    callKey: milestone.callKey,
    occursAt: instantOf(milestone.time, place.timeZone).at,
    timeZone: place.timeZone,
    unlocode: place.unlocode,
    terminalId: place.terminalId,
    vesselImo: milestone.vessel?.imo ?? null,
    vesselName: milestone.vessel?.name ?? null,
    voyageNumber: milestone.voyage,
    dataSource: milestone.source,
    value: null,
    sourceClaimId: milestone.claimId,
    milestone,
  }
}

/** A row that has a new value instead of a milestone; its time is when the value was ingested. */
export function buildValueChangeRow(
  change: {
    readonly event: string
    readonly value: string | null
    readonly source: string
    readonly heardAt: string
  },
  container: ContainerProjection | null,
  identity: RowIdentity,
): TransportEventRow {
  return {
    ...identity,
    event: change.event,
    callKey: null,
    occursAt: change.heardAt,
    timeZone: container?.pickupTimeZone ?? null,
    unlocode: container?.pickupFacility?.unlocode ?? null,
    terminalId: container?.pickupFacility?.terminalId ?? null,
    vesselImo: null,
    vesselName: null,
    voyageNumber: null,
    dataSource: change.source,
    value: change.value,
    sourceClaimId: null,
    milestone: null,
  }
}

/** Stable name of a container within its shipment. */
export function containerKey(of: { readonly number: string; readonly trip: number }): string {
  return `${of.number}#${of.trip}`
}

/** A changeset as the wire shows it: terminals by their ids. */
export function writeChangeset(changeset: Changeset): Readonly<Record<string, readonly unknown[]>> {
  return Object.fromEntries(
    Object.entries(changeset).map(([field, values]) => [
      field,
      field === 'pod_terminal' ? values.map(getTerminalId) : values,
    ]),
  )
}

function getTerminalId(value: unknown): string | null {
  return (value as ObservedPlace | null)?.terminalId ?? null
}

/** Full wire name of a milestone's event. */
export function milestoneEvent(milestone: Pick<Milestone, 'kind' | 'name'>): EventName {
  if (milestone.kind === 'actual') return `container.transport.${milestone.name}`
  // Safe: only these are estimated.
  return `container.transport.estimated.${milestone.name as EstimatedMilestoneName}`
}

export function activeEventKey(row: {
  readonly containerId: string
  readonly event: string
  readonly callKey: string
}): string {
  return `${row.containerId} ${row.event} ${row.callKey}`
}
