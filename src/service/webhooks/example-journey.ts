/**
 * An example of every event: the story of `example-story.ts` folded as a real journey is, and what was true when each
 * event was announced. Nothing of it is in the database; its ids are the same everywhere.
 */

import { diffShipment } from '../../core/changes.ts'
import { defaultLifecycleRules } from '../../core/lifecycle-rules.ts'
import type { Claim } from '../../core/observation.ts'
import type { ShipmentProjection } from '../../core/projection.ts'
import { defaultProjectionRules } from '../../core/projection-rules.ts'
import { projectShipment } from '../../core/shipment.ts'
import { decide, type TrackingRequestInput } from '../../core/tracking-request.ts'
import { evolve, newTrackingRequest } from '../../core/tracking-request-state.ts'
import type { DomainEvent } from '../../store/domain-events.ts'
import type { ContainerReading } from '../../store/read/containers.ts'
import type { DomainEventReading } from '../../store/read/domain-events.ts'
import type { ShipmentReading } from '../../store/read/shipments.ts'
import type { TrackingRequestReading } from '../../store/read/tracking-requests.ts'
import type { TransportEventReading } from '../../store/read/transport-events.ts'
import { type Announcement, announce } from '../ledger/announce.ts'
import { containerKey } from '../ledger/announced-rows.ts'
import { trackingFacts } from '../ledger/journey-facts.ts'
import { lifecycleEvents } from '../ledger/lifecycle.ts'
import { absorbLook } from './example-claims.ts'
import { containerReadings, exampleIds, requestReading, shipmentReading } from './example-readings.ts'
import { exampleId, exampleStory, type StoryLook } from './example-story.ts'

/** An event with everything that stood at its time. */
export interface ExampleMoment {
  readonly event: DomainEventReading
  /** From 1, in the order of the story. */
  readonly sequence: number
  readonly request: TrackingRequestReading
  /** Null before the line knew the number. */
  readonly shipment: ShipmentReading | null
  readonly containers: readonly ContainerReading[]
  /** Announced so far, those that are invalidated too. */
  readonly transportEvents: readonly TransportEventReading[]
}

/** `callKey`: which visit a milestone belongs to, so that a correction finds what it replaces. */
type AnnouncedRow = TransportEventReading & { readonly callKey: string | null }

let moments: ReadonlyMap<string, ExampleMoment> | null = null

/** Null for an event that no journey has: those of documents. The last of a name, where the story has several. */
export function findExampleMoment(event: string): ExampleMoment | null {
  moments ??= new Map(tellExample().map((moment) => [moment.event.name, moment]))
  return moments.get(event) ?? null
}

function tellExample(): readonly ExampleMoment[] {
  const teller = new ExampleTeller()
  // In other circumstances the line does not know the number at first, or never.
  const unknown: TrackingRequestInput = { kind: 'looked', outcome: { kind: 'not_found' } }
  teller.tellRequest([unknown], '2026-01-04T13:00:00.000Z')
  teller.tellRequest([unknown, unknown], '2026-01-13T13:00:00.000Z')
  for (const look of exampleStory.looks) teller.tell(look)
  return teller.moments
}

/** Owns the state of the story while it is told. */
class ExampleTeller {
  readonly moments: ExampleMoment[] = []
  #claims: readonly Claim[] = []
  #projection: ShipmentProjection | null = null
  #state = newTrackingRequest('bill_of_lading', exampleStory.askedAt)
  #rows: readonly AnnouncedRow[] = []
  #position = 0

  /** A request of its own that comes to nothing. */
  tellRequest(inputs: readonly TrackingRequestInput[], now: string): void {
    const { askedAt } = exampleStory
    let state = newTrackingRequest('bill_of_lading', askedAt)
    const happened = inputs.map((input, index) => {
      const events = decide(state, input, defaultLifecycleRules, index === 0 ? askedAt : now)
      state = events.reduce(evolve, state)
      return events
    })
    this.#position += 1
    const entry = { recordedAt: now, position: this.#position }
    const request = requestReading(state, { now, shipmentId: null })
    for (const event of lifecycleEvents({ id: exampleIds.request }, null, happened.at(-1) ?? [], entry))
      this.#keep(event, { request, shipment: null, containers: [], now })
  }

  tell(look: StoryLook): void {
    const { shipment: shipmentId } = exampleIds
    this.#position += 1
    const entry = { recordedAt: look.at, position: this.#position }
    const found = this.#step({ kind: 'looked', outcome: { kind: 'found' } }, look.at)
    this.#claims = absorbLook(this.#claims, look)
    const before = this.#projection
    const after = projectShipment({
      claims: this.#claims,
      line: { scac: exampleStory.scac, isAverageWeight: false },
      request: { kind: 'bill_of_lading', number: exampleStory.bill, requestedAt: exampleStory.askedAt },
      now: look.at,
      previous: before,
      rules: defaultProjectionRules,
    })
    this.#projection = after
    const containerIds = new Map(
      after.containers.map((box) => [containerKey(box), exampleId(`container ${containerKey(box)}`)]),
    )
    const announcement = announce({
      ...entry,
      shipmentId,
      containerIds,
      standing: this.#rows.flatMap((row) =>
        row.invalidatedAt === null && row.callKey !== null ? { ...row, callKey: row.callKey } : [],
      ),
      changes: diffShipment(before, after, defaultProjectionRules),
      after,
    })
    this.#rows = withAnnounced(this.#rows, announcement, look.at)
    const ended = this.#step({ kind: 'journey_read', facts: trackingFacts(after, look.at) }, look.at)
    const events = [
      ...lifecycleEvents({ id: exampleIds.request }, shipmentId, found, entry),
      ...announcement.events,
      ...lifecycleEvents({ id: exampleIds.request }, shipmentId, ended, entry),
    ]
    const containers = containerReadings(after, containerIds, look.at)
    const standing = {
      request: requestReading(this.#state, { now: look.at, shipmentId }),
      shipment: shipmentReading(after, { containers, now: look.at, state: this.#state }),
      containers,
      now: look.at,
    }
    for (const event of events) this.#keep(event, standing)
  }

  #step(input: TrackingRequestInput, now: string) {
    const happened = decide(this.#state, input, defaultLifecycleRules, now)
    this.#state = happened.reduce(evolve, this.#state)
    return happened
  }

  #keep(
    event: DomainEvent,
    {
      now,
      ...standing
    }: Pick<ExampleMoment, 'request' | 'shipment' | 'containers'> & { readonly now: string },
  ): void {
    this.moments.push({
      ...standing,
      event: { ...event, accountId: exampleIds.account, createdAt: now },
      sequence: this.moments.length + 1,
      transportEvents: this.#rows,
    })
  }
}

function withAnnounced(
  rows: readonly AnnouncedRow[],
  { rows: added, invalidate }: Announcement,
  at: string,
): readonly AnnouncedRow[] {
  const kept = rows.map((row) => (invalidate.includes(row.id) ? { ...row, invalidatedAt: at } : row))
  const fresh = added.map((row) => ({
    ...row,
    type: 'transport_event' as const,
    createdAt: at,
    invalidatedAt: null,
  }))
  return [...kept, ...fresh]
}
