/** Turns the changes of a shipment into transport events, and into the domain events that subscribers get. */

import type { Change } from '../../domain/changes/change.ts'
import type { EventName } from '../../domain/changes/event-table.ts'
import { type EventTime, instantOf } from '../../domain/values/time.ts'
import { unreachable } from '../../domain/values/unreachable.ts'
import { lfdInstant } from '../../domain/view/free-time.ts'
import type { ContainerProjection, Milestone, ShipmentProjection } from '../../domain/view/projection.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import type { DomainEvent } from '../projection/domain-events-sql.ts'
import type { ActiveTransportEvent } from '../projection/journey-state-sql.ts'
import type { TransportEventRow } from '../projection/transport-events-sql.ts'
import {
  activeEventKey,
  buildValueChangeRow,
  containerKey,
  milestoneEvent,
  milestoneRow,
  writeChangeset,
} from './event-rows.ts'

export interface Announcement {
  readonly invalidate: readonly string[]
  readonly rows: readonly TransportEventRow[]
  readonly events: readonly DomainEvent[]
  /** The change that each event reports, by the id of the event. */
  readonly changeOf: ReadonlyMap<string, Change>
}

export interface AnnouncementInput {
  /** Position and time of the ledger entry with the changes. Ids and times derive from them. */
  readonly position: number
  readonly recordedAt: string
  readonly shipmentId: string
  readonly containerIds: ReadonlyMap<string, string>
  readonly activeEvents: readonly ActiveTransportEvent[]
  readonly changes: readonly Change[]
  readonly after: ShipmentProjection
}

const nothing: Announcement = { invalidate: [], rows: [], events: [], changeOf: new Map() }

export function toDomainEvents(input: AnnouncementInput): Announcement {
  if (input.changes.length === 0) return nothing
  const writer = new AnnouncementWriter(input)
  for (const change of input.changes) writer.append(change)
  return writer.done()
}

/** Id of the container that changed. Null when the change is about the shipment. */
function findContainerId(change: Change, { containerIds }: AnnouncementInput): string | null {
  return 'number' in change ? (containerIds.get(containerKey(change)) ?? null) : null
}

/** Collects rows and events in the order of the changes, and makes their ids. */
class AnnouncementWriter {
  readonly #input: AnnouncementInput
  readonly #standing: Map<string, string>
  readonly #containers: Map<string, ContainerProjection>
  readonly #invalidate: string[] = []
  readonly #rows: TransportEventRow[] = []
  readonly #events: DomainEvent[] = []
  readonly #changeOf = new Map<string, Change>()

  constructor(input: AnnouncementInput) {
    this.#input = input
    const ids = new Set(input.changes.map((change) => findContainerId(change, input)))
    const activeEvents = input.activeEvents.filter(({ containerId }) => ids.has(containerId))
    this.#standing = new Map(activeEvents.map((row) => [activeEventKey(row), row.id]))
    this.#containers = new Map(input.after.containers.map((container) => [containerKey(container), container]))
  }

  done(): Announcement {
    return {
      invalidate: this.#invalidate,
      rows: this.#rows,
      events: this.#events,
      changeOf: this.#changeOf,
    }
  }

  append(change: Change): void {
    const known = this.#events.length
    this.#write(change)
    for (const { id } of this.#events.slice(known)) this.#changeOf.set(id, change)
  }

  #write(change: Change): void {
    switch (change.kind) {
      case 'container_created':
        this.#own(change, 'container.created', {
          timestamp: this.#input.recordedAt,
          timezone: this.#timeZoneOf(change),
        })
        return
      case 'milestone_reached':
        this.#milestone(change, change.milestone, null)
        return
      case 'milestone_corrected': {
        const row = this.#milestone(change, change.milestone, change.before)
        this.#event('container.transport.corrected', row)
        return
      }
      case 'milestone_retracted': {
        const id = this.#end(change, change.before)
        if (id !== null) this.#named(change, 'container.transport.retracted', id)
        return
      }
      case 'estimate_announced':
        this.#milestone(change, change.milestone, change.before)
        return
      case 'estimate_withdrawn':
        this.#end(change, change.before)
        return
      case 'container_updated':
        this.#own(change, 'container.updated', {
          changeset: writeChangeset(change.changeset),
          timestamp: this.#input.recordedAt,
          timezone: this.#timeZoneOf(change),
          data_source: change.source,
          terminal_id: this.#containers.get(containerKey(change))?.podTerminal?.terminalId ?? null,
        })
        return
      case 'pod_terminal_changed':
        this.#own(change, 'container.pod_terminal_changed', {
          timestamp: this.#input.recordedAt,
          data_source: change.source,
          terminal_id: change.place.terminalId,
        })
        return
      case 'lfd_changed': {
        const name = change.of === 'any' ? 'pickup_lfd' : (`pickup_lfd_${change.of}` as const)
        const zone = this.#timeZoneOf(change)
        this.#value(change, `container.${name}.changed`, change.value && lfdInstant(change.value, zone))
        return
      }
      case 'appointment_changed': {
        const zone = this.#timeZoneOf(change)
        this.#value(change, 'container.pickup_appointment.changed', change.value && instantOf(change.value, zone).at)
        return
      }
      case 'shipment_eta_changed':
        this.#shipmentEta(change)
        return
      default:
        unreachable(change)
    }
  }

  #timeZoneOf(of: { readonly number: string; readonly trip: number }): string | null {
    return this.#containers.get(containerKey(of))?.pickupTimeZone ?? null
  }

  #containerId(of: { readonly number: string; readonly trip: number }): string {
    const id = this.#input.containerIds.get(containerKey(of))
    if (id === undefined) throw new Error(`no container ${containerKey(of)} in shipment ${this.#input.shipmentId}`)
    return id
  }

  /** Adds a new row for the milestone, in place of the one it replaces, and its event. */
  #milestone(
    of: { readonly number: string; readonly trip: number },
    milestone: Milestone,
    before: Milestone | null,
  ): TransportEventRow {
    const containerId = this.#containerId(of)
    const event = milestoneEvent(milestone)
    const previousVersionId = before === null ? null : this.#end(of, before)
    const row = milestoneRow(milestone, {
      id: this.#id(`${containerId}:${event}:${milestone.callKey}`),
      shipmentId: this.#input.shipmentId,
      containerId,
      previousVersionId,
    })
    this.#rows.push(row)
    this.#standing.set(activeEventKey({ containerId, event, callKey: milestone.callKey }), row.id)
    this.#event(event, row)
    return row
  }

  /** Invalidates the active row of a milestone. Returns its id, or null when the milestone was never published. */
  #end(of: { readonly number: string; readonly trip: number }, milestone: Milestone): string | null {
    const key = activeEventKey({
      containerId: this.#containerId(of),
      event: milestoneEvent(milestone),
      callKey: milestone.callKey,
    })
    const id = this.#standing.get(key)
    if (id === undefined) return null
    this.#standing.delete(key)
    this.#invalidate.push(id)
    return id
  }

  /** Adds a row that has a value instead of a milestone. */
  #value(
    of: { readonly number: string; readonly trip: number; readonly source: string },
    event: EventName,
    value: string | null,
  ): void {
    const containerId = this.#containerId(of)
    const row = buildValueChangeRow(
      { event, value, source: of.source, heardAt: this.#input.recordedAt },
      this.#containers.get(containerKey(of)) ?? null,
      {
        id: this.#id(`${containerId}:${event}`),
        shipmentId: this.#input.shipmentId,
        containerId,
        previousVersionId: null,
      },
    )
    this.#rows.push(row)
    this.#event(event, row)
  }

  #shipmentEta(change: {
    readonly eta: EventTime
    readonly place: { readonly unlocode: string | null; readonly timeZone: string | null }
    readonly voyage: string | null
    readonly source: string
  }): void {
    const name = 'shipment.estimated.arrival'
    const id = this.#id(`${this.#input.shipmentId}:${name}`)
    const port = change.place.unlocode === null ? null : findPlaceByCode(change.place.unlocode)
    this.#events.push({
      id,
      name,
      referenceId: id,
      trackingRequestId: null,
      shipmentId: this.#input.shipmentId,
      containerId: null,
      payload: {
        estimated_timestamp: instantOf(change.eta, change.place.timeZone).at,
        location_locode: change.place.unlocode,
        timezone: change.place.timeZone,
        voyage_number: change.voyage,
        data_source: change.source,
        port_id: port?.id ?? null,
        vessel_imo: this.#input.after.podVessel?.imo ?? null,
      },
    })
  }

  /** Adds an event that is its own reference object. */
  #own(
    of: { readonly number: string; readonly trip: number },
    name: EventName,
    payload: Readonly<Record<string, unknown>>,
  ): void {
    const containerId = this.#containerId(of)
    // One entry may bring updates of several sources. Each update is an event of its own.
    const id = this.#id(`${containerId}:${name}:${String(payload['data_source'] ?? '')}`)
    this.#events.push({
      id,
      name,
      referenceId: id,
      trackingRequestId: null,
      shipmentId: this.#input.shipmentId,
      containerId,
      payload,
    })
  }

  #event(name: EventName, row: TransportEventRow): void {
    this.#events.push(this.#transportEvent(name, row.id, row.containerId))
  }

  #named(of: { readonly number: string; readonly trip: number }, name: EventName, referenceId: string): void {
    this.#events.push(this.#transportEvent(name, referenceId, this.#containerId(of)))
  }

  #transportEvent(name: EventName, referenceId: string, containerId: string): DomainEvent {
    return {
      id: this.#id(`${referenceId}:${name}`),
      name,
      referenceId,
      trackingRequestId: null,
      shipmentId: this.#input.shipmentId,
      containerId,
      payload: {},
    }
  }

  /** A name-based id: of the natural key, the time at which it was recorded and the entry that recorded it. */
  #id(name: string): string {
    return uuidV5(LANDFALL_NAMESPACE, `${name}:${this.#input.recordedAt}:${this.#input.position}`)
  }
}
