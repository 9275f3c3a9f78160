/**
 * An example of every event: the story of `example-story.ts`, folded as a real journey is, with the state at the time
 * of each event. Nothing of it is in the database; its ids are the same in every installation.
 */

import type { ContainerReading } from '../../../store/read/containers.ts'
import type { DomainEventReading } from '../../../store/read/domain-events.ts'
import type { ShipmentReading } from '../../../store/read/shipments.ts'
import type { TrackingRequestReading } from '../../../store/read/tracking-requests.ts'
import type { TransportEventReading } from '../../../store/read/transport-events.ts'
import { foldBy } from '../../ledger/fold.ts'
import type { Folded } from '../../ledger/folded.ts'
import { defaultRules } from '../../ledger/rules.ts'
import { openTelling, type Telling } from '../../ledger/tell-journey.ts'
import { readLook } from './example-claims.ts'
import { containerReadings, exampleIds, requestReading, shipmentReading } from './example-readings.ts'
import { exampleStory } from './example-story.ts'

/** An event with the state of everything at its time. */
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

let moments: ReadonlyMap<string, ExampleMoment> | null = null

/**
 * Null for an event that no journey has: those of documents. When the story has several events of a name, the last one.
 */
export function findExampleMoment(event: string): ExampleMoment | null {
  moments ??= new Map(tellExample().map((moment) => [moment.event.name, moment]))
  return moments.get(event) ?? null
}

function tellExample(): readonly ExampleMoment[] {
  // In two side stories the line does not know the number at first, or never.
  const [awaiting, failing, told] = [openExample(0), openExample(0), openExample(2)]
  const notFound = (telling: Telling, at: string) => telling.answer({ at, outcome: { kind: 'not_found' } })
  const awaited = momentsOf(awaiting, notFound(awaiting, '2026-01-04T13:00:00.000Z'), [])
  notFound(failing, exampleStory.askedAt)
  const failed = momentsOf(failing, notFound(failing, '2026-01-13T13:00:00.000Z'), [])
  let rows: readonly TransportEventReading[] = []
  const moments = exampleStory.looks.flatMap((look) => {
    const folded = told.read({ at: look.at, said: readLook(look) })
    rows = withAnnounced(rows, folded)
    return momentsOf(told, folded, rows)
  })
  return [...awaited, ...failed, ...moments].map((moment, index) => ({ ...moment, sequence: index + 1 }))
}

/**
 * `position`: position of its first entry. Ids of events are made from positions, so each run of the story needs its
 * own positions.
 */
function openExample(position: number): Telling {
  const { bill, scac, askedAt } = exampleStory
  const number = { requestType: 'bill_of_lading', requestNumber: bill, number: bill, scac } as const
  return openTelling(foldBy(defaultRules), {
    accountId: exampleIds.account,
    id: exampleIds.request,
    askedAt,
    created: { ...number, refNumbers: ['PO-1001'], shipmentTags: [] },
    shipment: { id: exampleIds.shipment, scac, billOfLadingNumber: bill, normalizedNumber: bill },
    position,
  })
}

function momentsOf(
  telling: Telling,
  { events, at }: Folded,
  transportEvents: readonly TransportEventReading[],
): readonly Omit<ExampleMoment, 'sequence'>[] {
  const shipment = telling.shipment()
  return events.map((event) => ({
    event: { ...event, accountId: exampleIds.account, createdAt: at },
    request: requestReading(telling.request()),
    shipment: shipment && shipmentReading(shipment, at),
    containers: shipment === null ? [] : containerReadings(shipment, at),
    transportEvents,
  }))
}

function withAnnounced(
  rows: readonly TransportEventReading[],
  { announced, ended, at }: Folded,
): readonly TransportEventReading[] {
  const kept = rows.map((row) => (ended.includes(row.id) ? { ...row, invalidatedAt: at } : row))
  const fresh = announced.map((row) => ({
    ...row,
    type: 'transport_event' as const,
    createdAt: at,
    invalidatedAt: null,
  }))
  return [...kept, ...fresh]
}
