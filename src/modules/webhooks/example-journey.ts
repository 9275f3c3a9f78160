/**
 * An example of every event: the story of `example-story.ts`, folded as a real journey is, with the state at the time
 * of each event. Nothing of it is in the database; its ids are the same in every installation.
 */

import { eventTable } from '../../domain/changes/event-table.ts'
import { foldBy } from '../../pipeline/ledger/fold.ts'
import type { FoldResult } from '../../pipeline/ledger/fold-result.ts'
import { defaultRules } from '../../pipeline/ledger/rules.ts'
import { openScenario, type Scenario } from '../../pipeline/ledger/scenario.ts'
import type { ContainerReading } from '../containers/list-containers-sql.ts'
import type { DomainEventReading } from '../events/read-domain-events-sql.ts'
import type { ShipmentReading } from '../shipments/list-shipments-sql.ts'
import type { TrackingRequestReading } from '../tracking-requests/list-tracking-requests-sql.ts'
import type { TransportEventReading } from '../transport-events/list-transport-events-sql.ts'
import { readStoryPoll } from './example-claims.ts'
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
  moments ??= new Map(buildExample().map((moment) => [moment.event.name, moment]))
  return moments.get(event) ?? null
}

function buildExample(): readonly ExampleMoment[] {
  // In two side stories the line does not know the number at first, or never.
  const [awaiting, failing, tracked] = [openExample(0), openExample(0), openExample(2)]
  const notFound = (scenario: Scenario, at: string) => scenario.answer({ at, outcome: { kind: 'not_found' } })
  const awaited = momentsOf(awaiting, notFound(awaiting, '2026-01-04T13:00:00.000Z'), [])
  notFound(failing, exampleStory.askedAt)
  const failed = momentsOf(failing, notFound(failing, '2026-01-13T13:00:00.000Z'), [])
  let rows: readonly TransportEventReading[] = []
  const moments = exampleStory.looks.flatMap((poll) => {
    const folded = tracked.read({ at: poll.at, statements: readStoryPoll(poll) })
    rows = applyPublished(rows, folded)
    return momentsOf(tracked, folded, rows)
  })
  return [...awaited, ...failed, ...moments].map((moment, index) => ({ ...moment, sequence: index + 1 }))
}

/**
 * `position`: position of its first entry. Ids of events are made from positions, so each run of the story needs its
 * own positions.
 */
function openExample(position: number): Scenario {
  const { bill, scac, askedAt: requestedAt } = exampleStory
  const number = { requestType: 'bill_of_lading', requestNumber: bill, number: bill, scac } as const
  return openScenario(foldBy(defaultRules), {
    accountId: exampleIds.account,
    id: exampleIds.request,
    requestedAt,
    created: { ...number, refNumbers: ['PO-1001'], shipmentTags: [] },
    shipment: { id: exampleIds.shipment, scac, billOfLadingNumber: bill, normalizedNumber: bill },
    position,
  })
}

function momentsOf(
  scenario: Scenario,
  { events, at }: FoldResult,
  transportEvents: readonly TransportEventReading[],
): readonly Omit<ExampleMoment, 'sequence'>[] {
  const shipment = scenario.shipment()
  return events.map((event) => ({
    event: {
      ...event,
      accountId: exampleIds.account,
      referenceType: eventTable[event.name].referenceType,
      createdAt: at,
    },
    request: requestReading(scenario.request()),
    shipment: shipment && shipmentReading(shipment, at),
    containers: shipment === null ? [] : containerReadings(shipment, at),
    transportEvents,
  }))
}

function applyPublished(
  rows: readonly TransportEventReading[],
  { published, ended, at }: FoldResult,
): readonly TransportEventReading[] {
  const existing = rows.map((row) => (ended.includes(row.id) ? { ...row, invalidatedAt: at } : row))
  const fresh = published.map((row) => ({
    ...row,
    type: 'transport_event' as const,
    createdAt: at,
    invalidatedAt: null,
  }))
  return [...existing, ...fresh]
}
