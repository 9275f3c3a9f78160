/** The example of the event about evidence: the first root of an invented ledger. */

import type { EventName } from '../../domain/changes/event-table.ts'
import type { DomainEventReading } from '../../modules/events/read-domain-events-sql.ts'
import { type LedgerRootReading, readLedgerRoot } from '../../modules/evidence/ledger-root-resource.ts'
import { exampleIds } from '../../modules/webhooks/example-readings.ts'
import { exampleId } from '../../modules/webhooks/example-story.ts'

const madeAt = '2026-01-29T00:10:00.000Z'

/** Null for another event. */
export function exampleLedgerRoot(name: EventName): {
  readonly event: DomainEventReading
  readonly sequence: number
  readonly known: readonly LedgerRootReading[]
} | null {
  if (name !== 'ledger.root_made') return null
  const id = exampleId('ledger root')
  const root = readLedgerRoot({
    accountId: exampleIds.account,
    id,
    sequence: 1,
    firstPosition: 1,
    lastPosition: 212,
    fromAt: '2026-01-02T08:00:00.000Z',
    toAt: '2026-01-28T23:58:12.000Z',
    leafCount: 318,
    root: 'c5b1b0d0b3a0f3d2e5a7e0d1f4c6b8a9c5b1b0d0b3a0f3d2e5a7e0d1f4c6b8a9',
    previousRoot: null,
    kid: 'x3nYw2vR1pQ0oN9mL8kJ7iH6gF5eD4cB3aZ2yX1wV0u',
    signature: 'invented-and-so-it-fits-nothing',
    madeAt,
  })
  const event: DomainEventReading = {
    accountId: exampleIds.account,
    id: exampleId(name),
    name,
    referenceType: 'ledger_root',
    referenceId: id,
    trackingRequestId: null,
    shipmentId: null,
    containerId: null,
    payload: {},
    createdAt: madeAt,
  }
  return { event, sequence: 22, known: [root] }
}
