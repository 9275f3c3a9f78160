/**
 * What the ledger yields of some shipments and the requests for them, of one account, as rows in memory: all that a fold
 * reads and writes. `load.ts` brings it from the database, `save.ts` writes what became different.
 */

import type { KeptClaim } from '../journeys/claims.ts'
import type { DomainEvent } from '../journeys/domain-events.ts'
import type { KeptIssue } from '../journeys/issues.ts'
import type { ContainerRow, ShipmentRow } from '../journeys/shipments.ts'
import type { TrackingRequestRow } from '../journeys/tracking-requests.ts'
import type { TransportEventRow } from '../journeys/transport-events.ts'

/** Never changed in place. The same object means the same row, which is not written. */
export interface JourneyState {
  readonly accountId: string
  readonly requests: ReadonlyMap<string, TrackingRequestRow>
  readonly shipments: ReadonlyMap<string, ShipmentState>
  /**
   * What was said under each subject, by the id of the subject. A subject is missing where its claims were not read.
   */
  readonly subjects: ReadonlyMap<string, SaidClaims>
  /** Issues counted since the state was loaded. Saving adds them to the rows in the database. */
  readonly issues: ReadonlyMap<string, KeptIssue>
  /** Ids of shipments that are known not to exist. `others`: every shipment that is not in this state. */
  readonly absent: ReadonlySet<string> | 'others'
}

export interface ShipmentState {
  readonly row: ShipmentRow
  /** In order of number and trip. */
  readonly containers: readonly ContainerRow[]
  /** Transport events that were announced and still stand. */
  readonly standing: readonly Standing[]
  /** Claims that belong only to this shipment: from messages of partners, from users and from positions of ships. */
  readonly claims: SaidClaims
}

/** By id: the claims that stand, and those that were retired while the state was folded. */
export type SaidClaims = ReadonlyMap<string, WrittenClaim>

export interface WrittenClaim extends KeptClaim {
  /** The reader that read it, e.g. `dcsa/3+1f00aa22`. */
  readonly reader: string
}

/** What a correction needs to know of a transport event that stands. */
export interface Standing {
  readonly id: string
  readonly containerId: string
  readonly event: string
  readonly callKey: string
}

/** What one entry yielded besides the rows that it changed. */
export interface Yield {
  /** When it was recorded, ISO instant on the journey clock. */
  readonly at: string
  /** In the order in which subscribers hear of them. */
  readonly events: readonly DomainEvent[]
  /** Transport events that the entry announced. */
  readonly announced: readonly TransportEventRow[]
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
