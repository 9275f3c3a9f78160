/**
 * What the ledger yields of some shipments and the requests for them, of one account, as rows in memory: all that a
 * fold reads and writes. `load-states-sql.ts` loads it from the database, `save-states-sql.ts` writes the changes.
 */

import type { StoredClaim } from './claims-sql.ts'
import type { DomainEvent } from './domain-events-sql.ts'
import type { StoredIssue } from './issues-sql.ts'
import type { ContainerRow, ShipmentRow } from './shipments-sql.ts'
import type { TrackingRequestRow } from './tracking-requests-sql.ts'
import type { TransportEventRow } from './transport-events-sql.ts'

/** Never changed in place. The same object means the same row, which is not written. */
export interface JourneyState {
  readonly accountId: string
  readonly requests: ReadonlyMap<string, TrackingRequestRow>
  readonly shipments: ReadonlyMap<string, ShipmentState>
  /**
   * The claims of each poll target, by the id of the poll target. A poll target is missing where its claims were not
   * read.
   */
  readonly claimsByTarget: ReadonlyMap<string, ClaimsById>
  /** Issues counted since the state was loaded. Saving adds them to the rows in the database. */
  readonly issues: ReadonlyMap<string, StoredIssue>
  /** Ids of shipments that are known not to exist. `others`: every shipment that is not in this state. */
  readonly absent: ReadonlySet<string> | 'others'
}

export interface ShipmentState {
  readonly row: ShipmentRow
  /** In order of number and trip. */
  readonly containers: readonly ContainerRow[]
  /** Transport events that were published and are still active. */
  readonly activeEvents: readonly ActiveTransportEvent[]
  /** Claims that belong only to this shipment: from messages of partners, from users and from positions of ships. */
  readonly claims: ClaimsById
}

/** By id: the active claims, and those that were retired while the state was folded. */
export type ClaimsById = ReadonlyMap<string, WrittenClaim>

export interface WrittenClaim extends StoredClaim {
  /** The reader that read it, e.g. `dcsa/3+1f00aa22`. */
  readonly reader: string
}

/** What a correction needs to know of an active transport event. */
export interface ActiveTransportEvent {
  readonly id: string
  readonly containerId: string
  readonly event: string
  readonly callKey: string
}

/** What one entry yielded besides the rows that it changed. */
export interface EntryYield {
  /** When it was recorded, ISO instant on the journey clock. */
  readonly at: string
  /** In the order in which subscribers get them. */
  readonly events: readonly DomainEvent[]
  /** Transport events that the entry published. */
  readonly published: readonly TransportEventRow[]
  /** Ids of transport events that were valid before the entry and no longer are. */
  readonly ended: readonly string[]
}

/**
 * The shipment to which a number belongs. Its id is made of line and number, so that all requests for them share one
 * shipment.
 */
export interface ShipmentKey {
  readonly id: string
  readonly scac: string
  readonly billOfLadingNumber: string
  readonly normalizedNumber: string
}
